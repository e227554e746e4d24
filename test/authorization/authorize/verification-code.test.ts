import { describe, expect, it } from 'vitest';
import {
  chooseDestination,
  maskContact,
  needsVerificationCode,
  parseVerificationCode,
} from '../../../lambdas/authorization/authorize/verification-code.ts';
import { systemRandom } from '../../../lambdas/platform/runtime/random.ts';

describe('a code', () => {
  it.each([
    ['never', 100, false, false],
    ['always', 0, true, true],
    ['risk', 2, false, false],
    ['risk', 3, false, true],
    ['risk', 3, true, false],
  ] as const)('with the setting %s after %i failures, browser known: %j, is needed: %j', (...row) => {
    const [setting, failures, known, needed] = row;
    expect(needsVerificationCode(setting, failures, known)).toBe(needed);
  });

  const contact = { email: 'rosa@example.com', phoneNumber: '+12025550123' };
  it.each([
    [contact, 'email', { channel: 'email', to: 'rosa@example.com' }],
    [contact, 'sms', { channel: 'sms', to: '+12025550123' }],
    [{ email: 'rosa@example.com' }, 'sms', { channel: 'email', to: 'rosa@example.com' }],
    [{ phoneNumber: '+12025550123' }, 'email', { channel: 'sms', to: '+12025550123' }],
    [{}, 'email', undefined],
    [undefined, 'email', undefined],
  ] as const)('to %j by %s goes to %j', (known, wanted, destination) => {
    expect(chooseDestination(known, wanted)).toEqual(destination);
  });

  it('is announced with a masked destination', () => {
    expect(maskContact({ channel: 'email', to: 'rosa.long@example.com' })).toBe('r•••@example.com');
    expect(maskContact({ channel: 'sms', to: '+12025550123' })).toBe('•••-•••-0123');
  });

  it.each([
    ['123456', '123456'],
    [' 123 456 ', '123456'],
    ['123-456', '123456'],
    ['12345', undefined],
    ['1234567', undefined],
    ['１２３４５６', undefined],
    ['12345a', undefined],
    [undefined, undefined],
  ])('typed as %j is %j', (typed, code) => {
    expect(parseVerificationCode(typed)).toBe(code);
  });

  it('is six digits, each of them any digit', () => {
    const codes = Array.from({ length: 2_000 }, () => systemRandom.digits(6));
    for (const code of codes) expect(code).toMatch(/^\d{6}$/);
    for (let place = 0; place < 6; place += 1) {
      expect(new Set(codes.map((code) => code[place])).size).toBe(10);
    }
  });
});
