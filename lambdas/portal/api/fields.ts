import * as z from 'zod/mini';
import { hasHiddenCharacter, hasStrayJoiner } from '../../catalog/hidden-characters.ts';
import { portalLimits } from '../catalog/limits.ts';

/**
 * The field schemas of the portal's forms. They run in the browser and on the server, so each has a public error message that states what
 * is expected and can be shown beside the field. A field's `code` in error responses is its schema's name here.
 */

/** Line separators, and marks that change the reading direction (Unicode's `Bidi_Control`). */
const turning = String.raw`\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
const plainLine = new RegExp(`^[^\\p{Cc}${turning}<>]*$`, 'u');
const plainParagraph = new RegExp(`^(?:[^\\p{Cc}${turning}]|\\n)*$`, 'u');
/**
 * Checks for hidden characters, among them joiners, which are allowed only between certain letters or in emoji and which no regular
 * expression covers.
 */
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
/**
 * A word that mixes Latin letters with letters of an alphabet that looks like it: `Sunriѕe` (UTS #39 section 5.1, mixed-script
 * confusables).
 */
const mixedWord =
  /(?=[\p{L}\p{M}]*\p{Script=Latin})(?=[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}])\p{L}/u;

/**
 * Makes the schema of one line of typed text, such as a name or a title, normalized to NFC. It refuses characters that are invisible or
 * that hide or reorder the text around them, and words that imitate others by letters of a second alphabet. Joiners are allowed where a
 * script or an emoji needs them.
 */
export function line(expected: string, maximum = 120) {
  return z.string({ error: expected }).check(
    z.trim(),
    z.minLength(1, { error: expected }),
    z.maxLength(maximum, { error: `at most ${maximum} characters`, abort: true }),
    z.normalize('NFC'),
    z.regex(plainLine, {
      error: 'plain text without angle brackets, control characters or marks that change the text direction',
      abort: true,
    }),
    ...seen(),
    z.refine((text) => !mixedWord.test(text), { error: 'use letters of one alphabet in each word' }),
  );
}

/** Makes the schema of typed text that may have several lines. */
export function paragraph(expected: string, maximum = 2000) {
  return z.string({ error: expected }).check(
    z.trim(),
    z.minLength(1, { error: expected }),
    z.maxLength(maximum, { error: `at most ${maximum} characters`, abort: true }),
    z.regex(plainParagraph, {
      error: 'plain text without control characters or marks that change the text direction',
      abort: true,
    }),
    ...seen(),
  );
}

const emailExpected = 'an e-mail address like name@example.org';
/**
 * An e-mail address in ASCII, so that no letter of another alphabet can imitate an address. Line breaks and addresses that no mail server
 * accepts are refused (`Dot-string` of RFC 5321 section 4.1.2; at most 64 octets before the `@`, section 4.5.3.1.1).
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
 * A US phone number as people type it, by the grammar of the North American Numbering Plan. Whether the area code is of the US (and not of
 * Canada or the Caribbean) is checked on the server only.
 */
export const usPhone = z
  .string({ error: phoneExpected })
  .check(
    z.trim(),
    z.regex(/^(?:\+?1[-. ]?)?\(?[2-9]\d{2}\)?[-. ]?[2-9]\d{2}[-. ]?\d{4}$/, { error: phoneExpected }),
  );

/** Converts a number that `usPhone` accepted to E.164. */
export function e164(phone: string): string {
  return `+1${phone.replace(/\D/g, '').slice(-10)}`;
}

const { passwordMinimum, passwordMaximum } = portalLimits;
const passwordExpected = `${passwordMinimum} characters or more. A few words are easy to remember`;
/** Length of a password in code points after its normalization for storage (`lambdas/platform/aws/password-spelling.ts`). */
const keptLength = (password: string) => [...password.normalize('NFKC')].length;
const confirmationExpected = 'the password again to confirm it';
const mostExpected = `at most ${passwordMaximum} characters`;
/**
 * A new password: limits of length here and a list of commonly used passwords on the server, no composition rules (NIST SP 800-63B-4
 * section 3.1.1.2). Both the typed and the normalized password must have the length, counted in code points.
 */
export const newPassword = z.string({ error: passwordExpected }).check(
  z.minLength(passwordMinimum, { error: passwordExpected, abort: true }),
  z.maxLength(passwordMaximum, { error: mostExpected, abort: true }),
  z.refine((it) => keptLength(it) >= passwordMinimum, { error: passwordExpected }),
  z.refine((it) => keptLength(it) <= passwordMaximum, { error: mostExpected }),
);

/**
 * The repeated new password. An empty or short one gets the message to confirm the password, and not the message about length. Whether both
 * are the same is checked by the form's schema.
 */
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

/** The solution of the bot check of `GET /api/bot-check`: ALTCHA's payload or reCAPTCHA's token. */
export const botCheckAnswer = z
  .string({ error: 'complete the check that you are a person' })
  .check(
    z.minLength(1, { error: 'complete the check that you are a person' }),
    z.maxLength(8192, { error: 'the unchanged answer of the check' }),
  );

export const accepted = z.literal(true, { error: 'select the box to continue' });

const versionExpected = 'the version of the text that you read';
/** Version of an agreement: its date, `YYYY-MM-DD`. */
export const agreementVersion = z
  .string({ error: versionExpected })
  .check(z.regex(/^\d{4}-\d{2}-\d{2}$/, { error: versionExpected }));

/** The `version` of a record that the caller has read. A change based on an older version is refused. */
export const recordVersion = z
  .int({ error: 'the `version` of the last read' })
  .check(z.minimum(1, { error: 'the `version` of the last read' }));

const webAddressExpected = 'an address that starts with https://, like https://app.example.org/start';
const webAddressFormExpected = 'an address in the form browsers show, like https://app.example.org/start';
const portOf = (ports: string) => new RegExp(`^[^:]+:\\/\\/[^/?]*:(?:${ports})(?:[/?]|$)`);
const tooHighPort = portOf('6553[6-9]|655[4-9]\\d|65[6-9]\\d\\d|6[6-9]\\d{3}|[7-9]\\d{4}');
/** Ports at which browsers refuse to open a page ("bad port" of the Fetch Standard). */
const closedPort = portOf(
  '0|1|7|9|11|13|15|17|19|20|21|22|23|25|37|42|43|53|69|77|79|87|95|101|102|103|104|109|110|111|113|115|117|119|123|135|137|139|143|161|179|389|427|465|512|513|514|515|526|530|531|532|540|548|554|556|563|587|601|636|989|990|993|995|1719|1720|1723|2049|3659|4045|4190|5060|5061|6000|6566|6665|6666|6667|6668|6669|6679|6697|10080',
);
/** Faults of an address, as patterns with the message for each; the first match is reported. */
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
/** Pattern of an address: scheme and host, optional port, path and query, in the characters of RFC 3986; no fragment. */
const webAddressForm =
  /^(?:https:\/\/(?:(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?|localhost|127\.0\.0\.1)|http:\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?(?:\/(?:[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*)?$/;
/**
 * The address of a page or endpoint. `http://` is accepted for the developer's own machine only, and production refuses that too. The
 * address must be written as browsers show it, so that a reader sees where it leads.
 */
export const webAddress = z.string({ error: webAddressExpected }).check(
  z.trim(),
  z.maxLength(2048, { error: 'at most 2048 characters', abort: true }),
  // Scheme and host are case-insensitive (RFC 3986 section 6.2.2.1).
  z.overwrite((text) => text.replace(/^[a-z]+:\/\/[^/?#]*/i, (origin) => origin.toLowerCase())),
  ...addressFaults.map(([fault, error]) =>
    z.refine<string>((text) => !fault.test(text), { error, abort: true }),
  ),
  // The part of the rule that JSON Schema can express, for the OpenAPI document; the checks below follow the URL Standard.
  z.regex(webAddressForm, { error: webAddressFormExpected, abort: true }),
  z.refine((text) => isAsBrowsersWriteIt(text), { error: webAddressFormExpected }),
);

const redirectAddressExpected = `${webAddressFormExpected}. Mobile and desktop applications can also use com.example.app:/callback, http://127.0.0.1/callback or http://[::1]/callback`;
/**
 * Pattern of a redirect URI: a web address; for a native application also a private-use scheme after its domain name, or a loopback IP
 * literal (RFC 8252 sections 7.1 and 7.3).
 */
const redirectAddressForm = new RegExp(
  `${webAddressForm.source}|^(?:[a-z][a-z0-9+-]*(?:\\.[a-z0-9+-]+)+:|http:\\/\\/\\[::1\\](?::\\d{1,5})?)\\/(?:[A-Za-z0-9\\-._~:/?[\\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$`,
);
/** The redirect URI to which an authorization code is sent. */
export const redirectAddress = z.string({ error: webAddressExpected }).check(
  z.trim(),
  z.maxLength(2048, { error: 'at most 2048 characters' }),
  // The faults of web addresses apply to web addresses only; `[::1]` is a native application's.
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
