import { describe, expect, it } from 'vitest';
import { beginInvocation, mayWait } from '../../../lambdas/platform/runtime/invocation-deadline.ts';

describe('an invocation', () => {
  it.each([
    ['a minute before its end', 300_000, 240_000],
    ['the last fifth of a short one', 60_000, 48_000],
  ])('waits until %s', (_name, remaining, waits) => {
    beginInvocation(remaining, 1_000);
    expect([mayWait(1_000), mayWait(1_000 + waits - 1), mayWait(1_000 + waits)]).toEqual([true, true, false]);
  });

  it('waits for nothing where nobody says how long it has', () => {
    beginInvocation(undefined, 1_000);
    expect(mayWait(0)).toBe(false);
  });
});
