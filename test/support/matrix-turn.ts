/**
 * Selects the part of long matrices and properties that a run tests. `MATRIX_TURN=<integer>` selects a sixth of each matrix, another sixth
 * in each turn, and a sixth of the runs of each property. Without it a run tests everything.
 */
const { MATRIX_TURN: told } = process.env;
const turn = told === undefined ? undefined : Number(told);
if (turn !== undefined && !Number.isSafeInteger(turn)) throw new Error('MATRIX_TURN is an integer');

const parts = 6;
const firstSeed = 20_784;

/** The cases of a matrix row in this turn, at least one. Different rows select different positions in the same turn. */
export function inTurn<Case>(cases: readonly Case[], row = ''): readonly Case[] {
  if (turn === undefined) return cases;
  const ways = Math.min(parts, cases.length);
  return cases.filter((_, at) => (at + row.length + turn) % ways === 0);
}

/**
 * The number of runs of a property in this turn, and the seed. The seeds of six turns repeat, so that a commit is judged by its own
 * changes; `PROPERTY_SEED=any` draws new cases.
 */
export function runsInTurn(numRuns: number): { readonly numRuns: number; readonly seed?: number } {
  return turn === undefined
    ? { numRuns }
    : { numRuns: Math.ceil(numRuns / parts), seed: firstSeed + (turn % parts) };
}

/** A sample of a shuffled list: its first `count` elements, or, in a turn, a sixth as many, which follow those of the turn before. */
export function sampleInTurn<Case>(shuffled: readonly Case[], count: number): readonly Case[] {
  if (turn === undefined) return shuffled.slice(0, count);
  const taken = Math.min(Math.ceil(count / parts), shuffled.length);
  return Array.from({ length: taken }, (_, at) => shuffled[(turn * taken + at) % shuffled.length] as Case);
}
