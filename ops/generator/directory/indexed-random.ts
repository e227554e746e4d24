/** Pseudo-random numbers by index, so that any resource of a directory can be generated without those before it. Fast, not for secrets. */
export interface IndexedRandom {
  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number;
  pick<Choice>(choices: readonly [Choice, ...Choice[]]): Choice;
  /** Whether an event with this probability (0 to 1) occurs. */
  chance(probability: number): boolean;
}

/** A splitmix32 sequence that starts from a seed, a stream and an index. */
export function indexedRandom(seed: number, stream: number, index: number): IndexedRandom {
  let state =
    Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^
    Math.imul(stream + 1, 0xc2b2ae35) ^
    Math.imul(index + 1, 0x27d4eb2f);
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  next();
  const below = (bound: number): number => Math.floor((next() / 2 ** 32) * bound);
  return {
    below,
    pick: (choices) => choices[below(choices.length)] ?? choices[0],
    chance: (probability) => next() / 2 ** 32 < probability,
  };
}
