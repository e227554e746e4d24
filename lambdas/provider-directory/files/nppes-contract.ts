/** Format of the NPIs from an NPPES file: operators upload them, and builds read them. */

/** Key of the object in the bucket of publications, one for all LOBs of an environment. */
export const nppesKey = 'nppes/npis';

/** The smallest NPI. NPIs are ten digits and begin with 1 or 2; reduced by this number they fit into four bytes. */
const least = 1_000_000_000;

/** An NPI as a four-byte number; undefined if the text is not an NPI. */
export function npiNumber(text: string): number | undefined {
  return /^[12]\d{9}$/.test(text) ? Number(text) - least : undefined;
}

/** Packs NPI numbers into bytes: ascending, four bytes each, little-endian. */
export function packNpis(numbers: Uint32Array): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(numbers.length * 4));
  for (const [at, number] of numbers.toSorted().entries()) bytes.setUint32(at * 4, number, true);
  return new Uint8Array(bytes.buffer);
}

/** Makes a lookup in packed NPIs, by binary search. */
export function packedNpis(packed: Uint8Array): { has(npi: string): boolean } {
  const bytes = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const count = Math.floor(packed.byteLength / 4);
  return {
    has(npi) {
      const wanted = npiNumber(npi);
      if (wanted === undefined) return false;
      let [low, high] = [0, count];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (bytes.getUint32(middle * 4, true) < wanted) low = middle + 1;
        else high = middle;
      }
      return low < count && bytes.getUint32(low * 4, true) === wanted;
    },
  };
}
