import { describe, expect, it } from 'vitest';
import { createReadTextNumber } from '../../../lambdas/platform/aws/text-numbers.ts';

const unitedStates = ['US', 'AS', 'GU', 'MP', 'PR', 'VI'];

describe('a number for text messages', () => {
  it.each([
    ['(202) 555-0123', '+12025550123'],
    ['202.555.0123', '+12025550123'],
    ['1 202 555 0123', '+12025550123'],
    ['+1 787 234 5678', '+17872345678'],
  ])('is read as plans write it: %s', (written, e164) => {
    expect(createReadTextNumber(unitedStates)(written)).toBe(e164);
  });

  it.each([
    ['+1 416 555 0123', 'Canada, which shares +1'],
    ['+1 876 555 0123', 'Jamaica, which shares +1'],
    ['+52 55 1234 5678', 'Mexico'],
    ['+1 900 555 0123', 'a premium number'],
    ['+1 800 555 0199', 'a toll-free number'],
    ['202 555 0123 x12', 'an extension'],
    ['555-0123', 'no area code'],
    ['none', 'no number'],
    ['', 'nothing'],
  ])('is not %s: %s', (written) => {
    expect(createReadTextNumber(unitedStates)(written)).toBeUndefined();
  });

  it('is one of another country where the environment names it', () => {
    const read = createReadTextNumber(['US', 'MX', 'DE']);
    expect(read('+52 55 1234 5678')).toBe('+525512345678');
    expect(read('+49 1512 3456789')).toBe('+4915123456789');
    expect(read('+49 30 123456')).toBeUndefined();
    expect(createReadTextNumber([])('+12025550123')).toBeUndefined();
  });
});
