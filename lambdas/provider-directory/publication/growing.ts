/** A list of numbers in a typed array that doubles when it is full, so that millions of numbers take little more than their own size. */
export class Growing<Numbers extends Uint16Array | Uint32Array | Float64Array> {
  #numbers: Numbers;
  #length = 0;
  readonly #make: (length: number) => Numbers;

  constructor(make: (length: number) => Numbers) {
    this.#make = make;
    this.#numbers = make(64);
  }

  get length(): number {
    return this.#length;
  }

  add(number: number): void {
    if (this.#length === this.#numbers.length) {
      const grown = this.#make(this.#numbers.length * 2);
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers[this.#length] = number;
    this.#length += 1;
  }

  /** View of the elements so far. The next `add` may replace the underlying buffer. */
  all(): Numbers {
    return this.#numbers.subarray(0, this.#length) as Numbers;
  }
}

export const growingBytes2 = () => new Growing((length) => new Uint16Array(length));
export const growingBytes4 = () => new Growing((length) => new Uint32Array(length));
export const growingBytes8 = () => new Growing((length) => new Float64Array(length));
