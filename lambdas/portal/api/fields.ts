import * as z from 'zod/mini';
import { hasHiddenCharacter, hasStrayJoiner } from '../../catalog/hidden-characters.ts';
import { portalLimits } from '../catalog/limits.ts';

/**
 * The fields of the portal's forms. The same schemas check in the browser and behind it, so each has a message that says what is
 * expected, in words that can stand beside the field. Messages are the public text; a field's `code` is its name here.
 */

/** Controls, line separators, and marks that turn the reading direction (Unicode's `Bidi_Control`). */
const turning = String.raw`\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
const plainLine = new RegExp(`^[^\\p{Cc}${turning}<>]*$`, 'u');
const plainParagraph = new RegExp(`^(?:[^\\p{Cc}${turning}]|\\n)*$`, 'u');
/** Checks joiners, which depend on the letters or the emoji around them and which no pattern covers. */
const seen = () => [
  z.refine<string>((text) => !hasStrayJoiner(text), {
    error:
      'text without zero width joiners (U+200D) and non-joiners (U+200C), except between letters or in emoji that need them',
    abort: true,
  }),
  z.refine<string>((text) => !hasHiddenCharacter(text), {
    error: 'visible characters',
    abort: true,
  }),
];
/** One word of letters that look alike in two alphabets: `Sunriѕe` (UTS #39 section 5.1, mixed-script confusables). */
const mixedWord =
  /(?=[\p{L}\p{M}]*\p{Script=Latin})(?=[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}])\p{L}/u;

/**
 * Names, titles and the like: one line a person typed, in one spelling of its characters (NFC). Nothing in it may hide or reorder the
 * words around it, be seen by nobody, or be a look-alike of another name. Joiners stay where a script or an emoji needs them.
 */
export function line(expected: string, maximum = 120) {
  return z.string({ error: expected }).check(
    z.trim(),
    z.minLength(1, { error: expected }),
    z.maxLength(maximum, { error: `at most ${maximum} characters` }),
    z.normalize('NFC'),
    z.regex(plainLine, {
      error: 'plain text without angle brackets, control characters or marks that change the text direction',
      abort: true,
    }),
    ...seen(),
    z.refine((text) => !mixedWord.test(text), { error: 'use letters of one alphabet in each word' }),
  );
}

/** Longer text a person typed, over several lines. */
export function paragraph(expected: string, maximum = 2000) {
  return z.string({ error: expected }).check(
    z.trim(),
    z.minLength(1, { error: expected }),
    z.maxLength(maximum, { error: `at most ${maximum} characters` }),
    z.regex(plainParagraph, {
      error: 'plain text without control characters or marks that change the text direction',
      abort: true,
    }),
    ...seen(),
  );
}

const emailExpected = 'an e-mail address like name@example.org';
/**
 * ASCII only: an address that looks like another one by foreign letters is refused here. No line break can stand in it, and what no
 * mail server takes is told at once (`Dot-string` of RFC 5321 section 4.1.2, and 64 octets before the `@`, section 4.5.3.1.1).
 */
export const email = z.string({ error: emailExpected }).check(
  z.trim(),
  z.maxLength(254, { error: 'at most 254 characters (RFC 5321 section 4.5.3.1)', abort: true }),
  z.regex(
    /^(?=.{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/,
    {
      error: emailExpected,
    },
  ),
);

const phoneExpected = 'a US phone number of ten digits, like 202-555-0123';
/**
 * A US number as people type it. The North American plan's grammar is checked here; whether the area code is of the US
 * (and not Canada's or the Caribbean's) is checked behind the browser.
 */
export const usPhone = z
  .string({ error: phoneExpected })
  .check(
    z.trim(),
    z.regex(/^(?:\+?1[-. ]?)?\(?[2-9]\d{2}\)?[-. ]?[2-9]\d{2}[-. ]?\d{4}$/, { error: phoneExpected }),
  );

/** E.164 of a number that `usPhone` let through. */
export function e164(phone: string): string {
  return `+1${phone.replace(/\D/g, '').slice(-10)}`;
}

const { passwordMinimum, passwordMaximum } = portalLimits;
const passwordExpected = `${passwordMinimum} characters or more. A few words are easy to remember`;
/** The length of a password as it is stored, in one normalization form (`lambdas/platform/aws/password-spelling.ts`). */
const keptLength = (password: string) => [...password.normalize('NFKC')].length;
const confirmationExpected = 'the password again to confirm it';
const mostExpected = `at most ${passwordMaximum} characters`;
/**
 * Length and a list of known passwords (behind the browser), no composition rules: NIST SP 800-63B-4 section 3.1.1.2. Each code point
 * is a character, of what is typed and of what is kept.
 */
export const newPassword = z.string({ error: passwordExpected }).check(
  z.minLength(passwordMinimum, { error: passwordExpected, abort: true }),
  z.maxLength(passwordMaximum, { error: mostExpected, abort: true }),
  z.refine((it) => keptLength(it) >= passwordMinimum, { error: passwordExpected }),
  z.refine((it) => keptLength(it) <= passwordMaximum, { error: mostExpected }),
);

/** The new password again. An empty or short one asks to confirm, and not for a longer password; that both are the same is checked with them. */
export const passwordConfirmation = z
  .string({ error: confirmationExpected })
  .check(
    z.minLength(passwordMinimum, { error: confirmationExpected, abort: true }),
    z.maxLength(passwordMaximum, { error: confirmationExpected, abort: true }),
  );

/** A password that was set earlier: only its length is checked. */
export const presentPassword = z
  .string({ error: 'your password' })
  .check(z.minLength(1, { error: 'your password' }), z.maxLength(1024, { error: 'your password' }));

export const verificationCode = z
  .string({ error: 'the 6-digit code' })
  .check(z.trim(), z.regex(/^\d{6}$/, { error: 'the 6-digit code' }));

const usernameExpected = '3 to 40 letters, digits, dots, hyphens or underscores, starting with a letter';
export const username = z
  .string({ error: usernameExpected })
  .check(z.trim(), z.regex(/^[A-Za-z][A-Za-z0-9._-]{2,39}$/, { error: usernameExpected }));

/** The solution of the check of `GET /api/bot-check`: ALTCHA's payload or reCAPTCHA's token. */
export const botCheckAnswer = z
  .string({ error: 'complete the check that you are a person' })
  .check(
    z.minLength(1, { error: 'complete the check that you are a person' }),
    z.maxLength(8192, { error: 'the unchanged answer of the check' }),
  );

export const accepted = z.literal(true, { error: 'select the box to continue' });

const versionExpected = 'the version of the text that you read';
/** Version of an agreement: its date. */
export const agreementVersion = z
  .string({ error: versionExpected })
  .check(z.regex(/^\d{4}-\d{2}-\d{2}$/, { error: versionExpected }));

/** The `version` of what was read before it was changed: a change made on an old one is refused. */
export const recordVersion = z
  .int({ error: 'the `version` of the last read' })
  .check(z.minimum(1, { error: 'the `version` of the last read' }));

const webAddressExpected = 'an address that starts with https://, like https://app.example.org/start';
const webAddressFormExpected = 'an address in the form browsers show, like https://app.example.org/start';
const portOf = (ports: string) => new RegExp(`^[^:]+:\\/\\/[^/?]*:(?:${ports})(?:[/?]|$)`);
const tooHighPort = portOf('6553[6-9]|655[4-9]\\d|65[6-9]\\d\\d|6[6-9]\\d{3}|[7-9]\\d{4}');
/** Ports of other protocols, which browsers open no page at ("bad port" of the Fetch Standard). */
const closedPort = portOf(
  '0|1|7|9|11|13|15|17|19|20|21|22|23|25|37|42|43|53|69|77|79|87|95|101|102|103|104|109|110|111|113|115|117|119|123|135|137|139|143|161|179|389|427|465|512|513|514|515|526|530|531|532|540|548|554|556|563|587|601|636|989|990|993|995|1719|1720|1723|2049|3659|4045|4190|5060|5061|6000|6566|6665|6666|6667|6668|6669|6679|6697|10080',
);
/** Faults of an address by its content; the first that applies is reported. */
const addressFaults: readonly (readonly [fault: RegExp, expected: string])[] = [
  [/\s/, 'an address without spaces'],
  [/[^\x21-\x7e]/, 'an address in ASCII, with hosts like xn--… and other letters like %C3%A9'],
  [/^https?:\/\/(?:[/?#:]|$)/, 'an address with a host name after ://, like https://app.example.org/start'],
  [
    /^http:\/\/(?!(?:localhost|127\.0\.0\.1)(?:[:/]|$))/,
    'an address that starts with https://. Only localhost can use http://',
  ],
  [/^(?!https?:\/\/)/, webAddressExpected],
  [/^[^:]+:\/\/[^/?]*@/, 'an address without a user name or password'],
  [/#/, 'an address without a fragment (#…)'],
  [
    /^[^:]+:\/\/[^/?]*:(?!\d{1,5}(?:[/?]|$))/,
    'an address without a port, or with a port of up to five digits after the colon',
  ],
  [tooHighPort, 'an address without a port, or with a port of at most 65535'],
  [closedPort, 'an address without a port, or with one that browsers open, such as 8443'],
  [/^[^:]+:\/\/(?!localhost\b)[^./?:]+(?:[:/?]|$)/, 'an address with a full host name, like app.example.org'],
  [/%(?![0-9A-Fa-f]{2})/, 'an address where each % is followed by two hexadecimal digits'],
];
/** Scheme and host, a port, and a path with a query, in the characters of RFC 3986 without a fragment. */
const webAddressForm =
  /^(?:https:\/\/(?:(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?|localhost|127\.0\.0\.1)|http:\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?(?:\/(?:[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*)?$/;
/**
 * The address of a page or endpoint. `http://` only to the machine itself, which production refuses. It is written as browsers
 * write it: whoever reads it sees where it leads.
 */
export const webAddress = z.string({ error: webAddressExpected }).check(
  z.trim(),
  z.maxLength(2048, { error: 'at most 2048 characters', abort: true }),
  // Scheme and host are the same in capitals (RFC 3986 section 6.2.2.1).
  z.overwrite((text) => text.replace(/^[a-z]+:\/\/[^/?#]*/i, (origin) => origin.toLowerCase())),
  ...addressFaults.map(([fault, error]) =>
    z.refine<string>((text) => !fault.test(text), { error, abort: true }),
  ),
  // The part of the rule that a JSON schema can state; the rest follows the URL standard.
  z.regex(webAddressForm, { error: webAddressFormExpected, abort: true }),
  z.refine((text) => isAsBrowsersWriteIt(text), { error: webAddressFormExpected }),
);

const redirectAddressExpected = `${webAddressFormExpected}. Mobile and desktop applications can also use com.example.app:/callback, http://127.0.0.1/callback or http://[::1]/callback`;
/**
 * A redirect URI; for a native app also a private-use scheme after its domain name, or a loopback IP literal (RFC 8252 sections 7.1 and
 * 7.3).
 */
const redirectAddressForm = new RegExp(
  `${webAddressForm.source}|^(?:[a-z][a-z0-9+-]*(?:\\.[a-z0-9+-]+)+:|http:\\/\\/\\[::1\\](?::\\d{1,5})?)\\/(?:[A-Za-z0-9\\-._~:/?[\\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$`,
);
/** The redirect URI to which an authorization code is sent. */
export const redirectAddress = z.string({ error: webAddressExpected }).check(
  z.trim(),
  z.maxLength(2048, { error: 'at most 2048 characters' }),
  // An address of the web has its own faults; [::1] is a native application's.
  ...addressFaults.map(([fault, error]) =>
    z.refine<string>((text) => !/^https?:\/\/(?!\[::1\])/.test(text) || !fault.test(text), {
      error,
      abort: true,
    }),
  ),
  z.regex(redirectAddressForm, { error: redirectAddressExpected, abort: true }),
  z.refine((text) => isAsBrowsersWriteIt(text), { error: redirectAddressExpected }),
);

function isAsBrowsersWriteIt(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { href } = new URL(text);
  return href === text || href === `${text}/`;
}

/** Whether a text is the address of a page or endpoint. */
export function isWebAddress(text: string): boolean {
  return webAddressForm.test(text);
}

/** Whether a host is the developer's own machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1';
}
