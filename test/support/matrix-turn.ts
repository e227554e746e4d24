/**
 * The part of the longest matrices and properties that a run takes. `MATRIX_TURN=<integer>` takes a third of each matrix, another third each
 * turn, and a third of the runs of each property. Where it is absent, a run takes all of them.
 */
const { MATRIX_TURN: told } = process.env;
const turn = told === undefined ? undefined : Number(told);
if (turn !== undefined && !Number.isSafeInteger(turn)) throw new Error('MATRIX_TURN is an integer');

const parts = 3;
const firstSeed = 20_784;

/** The cases of one row of a matrix in this turn, one at least; in each turn the rows take different ones. */
export function inTurn<Case>(cases: readonly Case[], row = ''): readonly Case[] {
  if (turn === undefined) return cases;
  const ways = Math.min(parts, cases.length);
  return cases.filter((_, at) => (at + row.length + turn) % ways === 0);
}

/**
 * For a property: the runs of this turn, and where they are drawn from. Three turns draw three times the same, so that a commit is judged by what it
 * changed; `PROPERTY_SEED=any` looks for what nobody has seen.
 */
export function runsInTurn(numRuns: number): { readonly numRuns: number; readonly seed?: number } {
  return turn === undefined
    ? { numRuns }
    : { numRuns: Math.ceil(numRuns / parts), seed: firstSeed + (turn % parts) };
}

/** So many of a shuffled list: its first ones, or a third as many, which go on in each turn where those of the turn before ended. */
export function sampleInTurn<Case>(shuffled: readonly Case[], count: number): readonly Case[] {
  if (turn === undefined) return shuffled.slice(0, count);
  const taken = Math.min(Math.ceil(count / parts), shuffled.length);
  return Array.from({ length: taken }, (_, at) => shuffled[(turn * taken + at) % shuffled.length] as Case);
}
