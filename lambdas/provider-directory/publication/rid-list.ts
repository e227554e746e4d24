/** An ascending list of resource numbers as bytes: the difference from the number before, in groups of seven bits, lowest first. */

export class RidList {
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(8);
  #length = 0;
  #last = 0;

  /**
   * Adds a number.
   *
   * @param rid greater than the number added before.
   */
  add(rid: number): void {
    if (this.#bytes.length < this.#length + 5) {
      const grown = new Uint8Array(this.#bytes.length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    let rest = rid - this.#last;
    this.#last = rid;
    while (rest > 127) {
      this.#bytes[this.#length] = (rest & 127) | 128;
      this.#length += 1;
      rest >>>= 7;
    }
    this.#bytes[this.#length] = rest;
    this.#length += 1;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }
}

/**
 * Decodes a list.
 *
 * @param count how many numbers it has.
 */
export function readRidList(bytes: Uint8Array, count: number): Uint32Array {
  const rids = new Uint32Array(count);
  let rid = 0;
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    let shift = 0;
    let byte = bytes[at] ?? 0;
    at += 1;
    while (byte > 127) {
      rid += (byte & 127) << shift;
      shift += 7;
      byte = bytes[at] ?? 0;
      at += 1;
    }
    rid += byte << shift;
    rids[index] = rid;
  }
  return rids;
}
