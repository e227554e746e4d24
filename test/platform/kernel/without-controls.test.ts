import { expect, it } from 'vitest';
import { withoutControls } from '../../../lambdas/platform/kernel/without-controls.ts';

it('writes what a terminal obeys as an escape, and leaves what is read', () => {
  expect(withoutControls('a\u001b[2Jb\u009b31mc\u202edcba\u2066e\u200b\u007f\r\u2028')).toBe(
    'a\\u001b[2Jb\\u009b31mc\\u202edcba\\u2066e\\u200b\\u007f\\u000d\\u2028',
  );
  const plain = 'Zoë O’Neil\tÅngström 12 €\nnext 😀';
  expect(withoutControls(plain)).toBe(plain);
});

it('keeps the value of JSON, also of format characters beyond 16 bits', () => {
  const value = { element: '\u0085x\u202e\u{e0001}.reference' };
  const text = withoutControls(JSON.stringify(value));
  expect(text).not.toMatch(/[\u0080-\u009f\u202e]/);
  expect(JSON.parse(text)).toEqual(value);
});
