import { expect, it } from 'vitest';
import { interrupt } from './interruptions.ts';

/** `npm run durability` is the long form with a thousand interruptions. */
it('loses no acknowledged write to three kill -9 of the runner under load', async () => {
  const found = await interrupt({ rounds: 3, progress: () => {} });
  expect(found.losses).toEqual([]);
  expect(found.writesKept).toBeGreaterThan(3);
});
