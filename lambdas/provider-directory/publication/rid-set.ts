/** A set of resource numbers of one type, with one bit for each number and lookup in constant time. */
export class RidSet {
  readonly #first: number;
  readonly #last: number;
  readonly #bits: Uint32Array;

  constructor({ first, last }: { readonly first: number; readonly last: number }) {
    this.#first = first;
    this.#last = last;
    this.#bits = new Uint32Array(((last - first + 1) >>> 5) + 1);
  }

  /** Adds a number; a number outside the range is ignored. */
  add(rid: number): void {
    if (rid < this.#first || rid > this.#last) return;
    const place = rid - this.#first;
    this.#bits[place >>> 5] = (this.#bits[place >>> 5] ?? 0) | (1 << (place & 31));
  }

  has(rid: number): boolean {
    if (rid < this.#first || rid > this.#last) return false;
    const place = rid - this.#first;
    return (((this.#bits[place >>> 5] ?? 0) >>> (place & 31)) & 1) === 1;
  }

  /** The numbers in ascending order. */
  all(): Uint32Array {
    let count = 0;
    for (const word of this.#bits) for (let rest = word; rest !== 0; rest &= rest - 1) count += 1;
    const rids = new Uint32Array(count);
    let at = 0;
    this.#bits.forEach((word, place) => {
      for (let rest = word; rest !== 0; rest &= rest - 1) {
        rids[at] = this.#first + place * 32 + (31 - Math.clz32(rest & -rest));
        at += 1;
      }
    });
    return rids;
  }
}
