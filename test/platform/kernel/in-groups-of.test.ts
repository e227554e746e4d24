import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inGroupsOf } from '../../../lambdas/platform/kernel/in-groups-of.ts';

/** Work on many members at once: the order of its results, and what happens at a failure. */

it('gives results in the order of the items, however long each takes', async () => {
  const results = await inGroupsOf(3, [4, 0, 2, 1], async (turns) => {
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    return turns * 10;
  });
  expect(results).toEqual([40, 0, 20, 10]);
});

it('begins nothing after a failure, and fails when nothing is under way', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = inGroupsOf(2, [0, 1, 2, 3], async (item) => {
    begun.push(item);
    if (item === 0) throw new Error('broken');
    await nextTurn();
    ended.push(item);
  });
  await expect(work).rejects.toThrow('broken');
  expect([begun, ended]).toEqual([[0, 1], [1]]);
});
