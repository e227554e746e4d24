import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { registrationIssues } from '../../lambdas/clients/provisioning/registration-rules-contract.ts';
import { harmless } from '../../lambdas/portal/accounts/account-messages.ts';
import { email, line, paragraph, webAddress } from '../../lambdas/portal/api/fields.ts';
import { registration } from '../clients/provisioning/provisioning-double.ts';

/** Problems that an environment reports for the registration of an application with this name. */
const registrationRefusals = (clientName: string) =>
  registrationIssues(registration({ clientName }), 'sandbox', ['standard']).map(({ path }) => path);
const name = line('a name');
const read = (text: string) => z.safeParse(name, text);

describe('a name', () => {
  it.each([
    ['a Hangul filler', '\u3164'],
    ['a halfwidth filler', '\uffa0'],
    ['a blank pattern of Braille', '\u2800\u2800'],
    ['a variation selector', '\ufe0f'],
    ['a grapheme joiner in between', 'Sun\u034frise'],
    ['a tag character', '\u{e0041}A'],
    ['tag characters that make no flag', '🏴\u{e0041}\u{e007f}'],
    ['a variation selector after a digit', '1\ufe0f'],
    ['a soft hyphen', 'Sun\u00adrise'],
    ['a word joiner', 'Sun\u2060rise'],
    ['a zero width space', 'Sun\u200brise'],
    ['a mark that turns the reading direction', '\u202eesirnuS'],
    ['an isolate', 'Sun\u2066rise'],
    ['a pile of marks', `Z${'\u0301'.repeat(12)}`],
    ['nothing but spaces of other widths', '\u2003\u00a0'],
    ['a line break', 'Sun\nrise'],
    ['an angle bracket', 'Sun<b>rise'],
  ])('is not hidden, reordered or blank: %s', (_what, text) => {
    expect(read(text).success).toBe(false);
  });

  it.each([
    'Sunri\u0455e',
    '\u0410pple',
    'P\u0430yPal',
    'M\u0391PD',
    'Sunrise-H\u0435alth',
  ])('is no look-alike of another by letters of two alphabets: %s', (text) => {
    expect(read(text).error?.issues[0]?.message).toBe('use letters of one alphabet in each word');
  });

  it.each([
    'Zoë O’Brien-Şahin',
    'Nguyễn Thị Minh Khai',
    'Дана Окафор',
    'Δάφνη and Dana',
    '健康アプリ',
    'सूर्योदय स्वास्थ्य',
    'دانا',
    'Sunrise Health 2.0 (β)',
    '10 µm & Co.',
    '🌅 Sunrise',
    'می\u200cخواهم',
    'نامه\u200cهای پزشکی',
    'ශ්\u200dරී ලංකා',
    'क्\u200cष और क्\u200dष',
    '👩\u200d👩\u200d👧 Family',
    '🏳\ufe0f\u200d🌈 Health',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} Care',
    '❤\ufe0f 1\ufe0f\u20e3',
    '✔\ufe0e Done',
    '渡邉\u{e0102}',
  ])('may be of any language, with the joiners it needs: %s', (text) => {
    expect(read(text).data).toBe(text);
    expect(z.safeParse(paragraph('words'), `${text}\n${text}`).success).toBe(true);
    expect(registrationRefusals(text)).toEqual([]);
  });

  it.each([
    ['between Latin letters', 'Sun\u200drise'],
    ['between Latin letters', 'Sun\u200crise'],
    ['after a letter that joins nothing that follows', 'د\u200cا'],
    ['at the end of a word', 'نام\u200c'],
    ['before a dependent vowel', 'क्\u200dि'],
    ['between emoji that make no sequence', '🌅\u200d🌅'],
    ['alone', '\u200d'],
  ])('has no joiner where none is needed, and is told so: %s', (_where, text) => {
    const told = expect.stringMatching(/^text without zero width joiners/);
    expect(read(text).error?.issues.map(({ message }) => message)).toEqual([told]);
    expect(z.safeParse(paragraph('words'), text).success).toBe(false);
    expect(registrationRefusals(text)).toEqual(['registration.clientName']);
  });

  it('has one spelling, however its letters were typed', () => {
    const [composed, parts] = ['Zo\u00eb', 'Zoe\u0308'].map(read);
    expect(composed?.data).toBe('Zo\u00eb');
    expect(parts?.data).toBe(composed?.data);
  });
});

describe('an address of a page', () => {
  it.each([
    ['app.example.org', 'starts with https://'],
    ['http://app.example.org/', 'Only localhost can use http://'],
    ['https://app.example.org/a b', 'without spaces'],
    ['https://bücher.example.org/', 'in ASCII'],
    ['https://user:pass@app.example.org/', 'without a user name or password'],
    ['https://app.example.org/#start', 'without a fragment'],
    ['https://app.example.org:port/', 'up to five digits'],
    ['https://intranet/start', 'full host name'],
    ['https://app.example.org/100%', 'two hexadecimal digits'],
    ['https://app.example.org/a/../b', 'in the form browsers show'],
  ])('is told what is wrong with it: %s', (text, told) => {
    const messages = z.safeParse(webAddress, text).error?.issues.map(({ message }) => message);
    expect(messages).toEqual([expect.stringContaining(told)]);
  });

  it('has a host in lowercase, however it was typed, and a path as it was', () => {
    expect(z.safeParse(webAddress, 'HTTPS://App.Example.ORG/Start?A=B').data).toBe(
      'https://app.example.org/Start?A=B',
    );
  });
});

describe('an e-mail address', () => {
  it.each([
    '.dana@example.org',
    'dana.@example.org',
    'dana..okafor@example.org',
    `${'d'.repeat(65)}@example.org`,
    'dana@ex\u0430mple.org',
    'd\u0430na@example.org',
    'dana@example.org\r\nBcc: other@example.org',
    'dana@example.org,other@example.org',
    '"dana"@example.org',
    'dana@[127.0.0.1]',
    'dana@localhost',
  ])('that no mail server takes, or that names another, is refused: %j', (text) => {
    expect(z.safeParse(email, text).success).toBe(false);
  });

  it.each([
    'dana.okafor+portal@example.org',
    'd@a.io',
    `${'d'.repeat(64)}@example.org`,
    "o'brien@example.org",
  ])('is taken as it is: %s', (text) => {
    expect(z.safeParse(email, ` ${text} `).data).toBe(text);
  });
});

describe('a name in somebody else’s mail', () => {
  it.each([
    'evil.example',
    'https://evil.example/x',
    'evil\uff0eexample',
    'evil\u3002example',
    'evil\uff61example',
    'evil\u2024example',
    'https\uff1a\uff0f\uff0fevil\u3002example',
    'https\u2236\u2044\u2215evil\u2024example',
    'other@evil.example',
    'other\uff20evil\uff0eexample',
  ])('is no address a mail program makes a link of: %s', (text) => {
    expect(harmless(text)).toMatch(/^[a-z ]+$/);
  });
});
