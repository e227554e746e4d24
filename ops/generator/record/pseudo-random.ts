/** Seeded pseudo-random values of the generator. */

import { createHash } from 'node:crypto';

/** Pseudo-random values that depend only on the seed, so that every machine has the same synthetic members. Not for secrets. */
export interface PseudoRandom {
  /** A whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number;
  pick<Choice>(choices: readonly [Choice, ...Choice[]]): Choice;
  /** A number of `count` decimal digits, the first not 0. */
  digits(count: number): string;
  /** A text in the form of a version 4 UUID. */
  uuid(): string;
}

/** SHA-256 in counter mode: the same on every machine, and fast enough for a few members. */
export function pseudoRandom(seed: string): PseudoRandom {
  let counter = 0;
  const block = (): Buffer => createHash('sha256').update(`${seed}/${counter++}`).digest();
  const integer = (least: number, most: number): number =>
    least + (block().readUIntBE(0, 6) % (most - least + 1));
  return {
    integer,
    pick: (choices) => choices[integer(0, choices.length - 1)] ?? choices[0],
    digits: (count) => String(integer(10 ** (count - 1), 10 ** count - 1)),
    uuid() {
      const bytes = block().subarray(0, 16);
      bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  };
}
