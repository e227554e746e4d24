import { expect, it } from 'vitest';
import { isDeeperThan } from '../../../lambdas/platform/kernel/json-levels.ts';

const nested = (levels: number): unknown => JSON.parse(`${'{"a":['.repeat(levels)}${']}'.repeat(levels)}`);

it('counts the levels of objects and lists, however deep they are', () => {
  expect(isDeeperThan('text', 0)).toBe(false);
  expect(isDeeperThan([], 0)).toBe(true);
  expect(isDeeperThan({ a: [], b: { c: 'd' } }, 2)).toBe(false);
  expect(isDeeperThan({ a: [], b: { c: 'd' } }, 1)).toBe(true);
  expect(isDeeperThan(nested(32), 64)).toBe(false);
  expect(isDeeperThan(nested(33), 64)).toBe(true);
  expect(isDeeperThan(nested(100_000), 64)).toBe(true);
});
