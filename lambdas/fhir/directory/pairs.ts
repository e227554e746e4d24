/** Two numbers share a double's 53 bits. */
const factor = 2 ** 26;

/** A growing list of pairs of whole numbers below 2^26, kept as numbers: millions take eight bytes each. */
export class Pairs {
  #all = new Float64Array(1_024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(first: number, second: number): void {
    if (first >= factor * 2 || second >= factor)
      throw new RangeError('more entries than a publication can number');
    if (this.#length === this.#all.length) {
      const grown = new Float64Array(this.#all.length * 2);
      grown.set(this.#all);
      this.#all = grown;
    }
    this.#all[this.#length] = first * factor + second;
    this.#length += 1;
  }

  /** Each pair once, by the first number and then by the second. */
  *sorted(): Generator<readonly [first: number, second: number]> {
    const sorted = this.#all.subarray(0, this.#length).sort();
    let before = -1;
    for (const pair of sorted) {
      if (pair === before) continue;
      before = pair;
      yield [Math.floor(pair / factor), pair % factor];
    }
  }
}
