import { describe, expect, it } from 'vitest';
import { passwordResetConfirmation } from '../../../lambdas/portal/api/accounts.ts';
import {
  line,
  newPassword,
  paragraph,
  presentPassword,
  redirectAddress,
  webAddress,
} from '../../../lambdas/portal/api/fields.ts';

const takes = (schema: { safeParse(value: unknown): { readonly success: boolean } }, text: string) =>
  schema.safeParse(text).success;

describe('the length of a new password', () => {
  it.each([
    ['fourteen letters', 'a'.repeat(14), false],
    ['fifteen letters', 'a'.repeat(15), true],
    ['eight signs of two halves each', '😀'.repeat(8), false],
    ['fifteen signs of two halves each', '😀'.repeat(15), true],
    ['128 signs of two halves each', '😀'.repeat(128), true],
    ['129 letters', 'a'.repeat(129), false],
    ['fourteen letters with accents apart, kept as fourteen', 'é'.repeat(14).normalize('NFD'), false],
    ['fifteen letters with accents apart', 'é'.repeat(15).normalize('NFD'), true],
    ['what is kept as more than 128', '\ufdfa'.repeat(15), false],
  ])('counts code points as they are kept: %s', (_what, password, good) => {
    expect(takes(newPassword, password)).toBe(good);
  });

  it('says what is expected once', () => {
    const { error } = newPassword.safeParse('short');
    expect(error?.issues.map(({ message }) => message)).toEqual([
      '15 characters or more. A few words are easy to remember',
    ]);
  });
});

describe('an address', () => {
  it.each([
    ['http://', 'a host name after ://'],
    ['https:///path', 'a host name after ://'],
    ['https://app.example.org:99999/', 'a port of at most 65535'],
    ['https://127.0.0.1:22/', 'one that browsers open'],
    ['https://app.example.org:443x/', 'up to five digits'],
  ])('%s is told its fault, as a redirect URI too', (text, expected) => {
    for (const schema of [webAddress, redirectAddress]) {
      const [issue] = schema.safeParse(text).error?.issues ?? [];
      expect(issue?.message).toContain(expected);
    }
  });

  it.each([
    'https://app.example.org:8443/callback',
    'http://localhost:3000/callback',
    'https://app.example.org:65535/',
  ])('%s is one', (text) => {
    expect([takes(webAddress, text), takes(redirectAddress, text)]).toEqual([true, true]);
  });

  it('may be a native application’s own scheme or [::1] as a redirect URI', () => {
    for (const text of ['com.example.app:/callback', 'http://[::1]:8080/callback'])
      expect([takes(webAddress, text), takes(redirectAddress, text)]).toEqual([false, true]);
  });
});

describe('other text', () => {
  it('is counted by code points too', () => {
    expect(takes(presentPassword, '😀'.repeat(1024))).toBe(true);
    expect(takes(presentPassword, 'a'.repeat(1025))).toBe(false);
    expect(takes(line('a name', 10), '😀'.repeat(10))).toBe(true);
    expect(takes(line('a name', 10), 'a'.repeat(11))).toBe(false);
  });

  it('is refused by its length alone when ten megabytes are pasted', () => {
    const pasted = 'a'.repeat(10_000_000);
    for (const schema of [line('a name', 10), paragraph('a reason', 10)]) {
      expect(schema.safeParse(pasted).error?.issues.map(({ message }) => message)).toEqual([
        'at most 10 characters',
      ]);
    }
  });
});

describe('the same password in both fields', () => {
  const body = (password: string, passwordConfirmation: string) =>
    passwordResetConfirmation.safeParse({
      email: 'a@example.org',
      code: '123456',
      password,
      passwordConfirmation,
    });

  it.each([
    ['', 'the password again to confirm it'],
    ['quiet', 'the password again to confirm it'],
    ['quiet orchard of eight kites', 'the same password in both fields'],
  ])('is asked for where the second is %j, and no length rule is told', (typed, expected) => {
    const issues = body('quiet orchard of seven kites', typed).error?.issues ?? [];
    expect(issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['passwordConfirmation', expected],
    ]);
  });

  it('may be spelled by another keyboard', () => {
    const password = 'Crème brûlée à la carte';
    expect(body(password, password.normalize('NFD')).success).toBe(true);
    expect(body(password, password.replace('è', 'e')).success).toBe(false);
  });
});
