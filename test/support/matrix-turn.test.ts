import { afterEach, describe, expect, it, vi } from 'vitest';

async function inTurnNumber(turn: string | undefined) {
  vi.resetModules();
  vi.stubEnv('MATRIX_TURN', turn);
  return await import('./matrix-turn.ts');
}
afterEach(() => vi.unstubAllEnvs());

describe('a matrix', () => {
  it.each([1, 2, 3, 7, 22])('of %i cases is taken whole in six turns, and in part in one', async (length) => {
    const cases = Array.from({ length }, (_, at) => at);
    for (const row of ['', 'a sign-in', 'a consent', 'register']) {
      const taken: number[] = [];
      for (const turn of ['20784', '20785', '20786', '20787', '20788', '20789']) {
        const part = (await inTurnNumber(turn)).inTurn(cases, row);
        expect(part.length).toBeGreaterThanOrEqual(1);
        expect(part.length).toBeLessThanOrEqual(Math.ceil(length / Math.min(6, length)));
        taken.push(...part);
      }
      expect([...new Set(taken)].sort((a, b) => a - b)).toEqual(cases);
    }
  });

  it('is taken whole where no turn is told, and so are a property and a sample', async () => {
    const { inTurn, runsInTurn, sampleInTurn } = await inTurnNumber(undefined);
    expect(inTurn([1, 2, 3, 4], 'row')).toEqual([1, 2, 3, 4]);
    expect(runsInTurn(200)).toEqual({ numRuns: 200 });
    expect(sampleInTurn([1, 2, 3, 4], 3)).toEqual([1, 2, 3]);
  });

  it('is not taken by a turn that is no integer', async () => {
    await expect(inTurnNumber('tuesday')).rejects.toThrow('MATRIX_TURN is an integer');
  });
});

it('a property draws a sixth of its runs, others in each turn', async () => {
  const first = (await inTurnNumber('1')).runsInTurn(200);
  expect(first).toEqual({ numRuns: 34, seed: 20_785 });
  expect((await inTurnNumber('2')).runsInTurn(200).seed).not.toBe(first.seed);
});

it('a sample goes on in each turn where the one before ended, until all were taken', async () => {
  const shuffled = [3, 1, 4, 0, 2];
  const turns = [];
  for (const turn of ['0', '1', '2']) turns.push((await inTurnNumber(turn)).sampleInTurn(shuffled, 10));
  expect(turns).toEqual([
    [3, 1],
    [4, 0],
    [2, 3],
  ]);
});
