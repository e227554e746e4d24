import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../architecture/imports.ts';
import { machines, statesPage } from './states-page.ts';

describe('docs/states.md', () => {
  it('draws the tables as they are', async () => {
    await expect(statesPage()).toMatchFileSnapshot(join(repositoryRoot, 'docs', 'states.md'));
  });
});

describe.each(machines)('the $title’s table', ({ states, initial, edges }) => {
  it('names known states only, and leads to every one of them', () => {
    const named = Object.values(edges).flatMap(({ from, to }) => [
      ...from,
      ...(to === undefined ? [] : [to]),
    ]);
    expect([...new Set([initial.state, ...named])].sort()).toEqual([...states].sort());
    const reached = new Set([initial.state]);
    for (const _ of states) {
      for (const { from, to } of Object.values(edges)) {
        if (to !== undefined && from.some((state) => reached.has(state))) reached.add(to);
      }
    }
    expect([...reached].sort()).toEqual([...states].sort());
  });
});
