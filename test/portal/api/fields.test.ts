import { describe, expect, it } from 'vitest';
import { passwordResetConfirmation } from '../../../lambdas/portal/api/accounts.ts';
import { line, newPassword, presentPassword } from '../../../lambdas/portal/api/fields.ts';

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

describe('other text', () => {
  it('is counted by code points too', () => {
    expect(takes(presentPassword, '😀'.repeat(1024))).toBe(true);
    expect(takes(presentPassword, 'a'.repeat(1025))).toBe(false);
    expect(takes(line('a name', 10), '😀'.repeat(10))).toBe(true);
    expect(takes(line('a name', 10), 'a'.repeat(11))).toBe(false);
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
