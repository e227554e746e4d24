/** Collects the columns of a publication during a build: numbers of every resource of a type, and the targets of its references. */
import type { DirectoryType } from '../../catalog/fhir/directory-types.ts';
import { type Growing, growingBytes2, growingBytes4, growingBytes8 } from './growing.ts';

/** Names of the rows of `array`, which the build writes and the search reads. */
export const arrayNames = {
  updated: (type: DirectoryType) => `updated ${type}`,
  present: (type: DirectoryType) => `present ${type}`,
  byId: (type: DirectoryType) => `order by id ${type}`,
  byName: (type: DirectoryType) => `order by name ${type}`,
  linkCounts: (element: number) => `link counts ${element}`,
  linkTargets: (element: number) => `link targets ${element}`,
  /** Triples of numbers: resource number, latitude, longitude; or resource number, start, end. */
  triples: (element: number) => `triples ${element}`,
  unlisted: 'unlisted',
} as const;

export const blobOf = ({ buffer, byteOffset, byteLength }: Uint16Array | Uint32Array | Float64Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** References of one element: how many each resource of the type has, and their targets, by the number of the target's name. */
export class PublishedLinks {
  readonly #counts: Growing<Uint16Array>;
  readonly #targets: Growing<Uint32Array>;
  #resource: number;
  #count = 0;

  /** @param first the number of the type's first resource. */
  constructor(first: number) {
    this.#counts = growingBytes2();
    this.#targets = growingBytes4();
    this.#resource = first;
  }

  /**
   * Adds a reference.
   *
   * @param rid resource number, not smaller than that of the reference added before.
   * @param name number of the target's name.
   */
  add(rid: number, name: number): void {
    this.#continueTo(rid);
    const targets = this.#targets.all();
    for (let back = 1; back <= this.#count; back += 1) if (targets[targets.length - back] === name) return;
    if (this.#count === 65_535)
      throw new RangeError('more references in one element than a publication can hold');
    this.#count += 1;
    this.#targets.add(name);
  }

  #continueTo(rid: number): void {
    for (; this.#resource < rid; this.#resource += 1) {
      this.#counts.add(this.#count);
      this.#count = 0;
    }
  }

  /** @param last the number of the type's last resource. */
  finish(last: number): { readonly counts: Uint16Array; readonly targets: Uint32Array } {
    this.#continueTo(last + 1);
    return { counts: this.#counts.all(), targets: this.#targets.all() };
  }
}

/** Columns of one type, kept in memory until the type is written. */
export class PublishedColumns {
  readonly ids: string[] = [];
  readonly names: string[] = [];
  readonly updated = growingBytes8();
  readonly present = growingBytes2();
  readonly triples = new Map<number, Growing<Float64Array>>();

  addTriple(element: number, rid: number, first: number, second: number): void {
    let triples = this.triples.get(element);
    if (triples === undefined) {
      triples = growingBytes8();
      this.triples.set(element, triples);
    }
    triples.add(rid);
    triples.add(first);
    triples.add(second);
  }
}

/** The positions of texts in sorted order; equal texts keep their order. */
export function orderOf(texts: readonly string[]): Uint32Array {
  const order = Uint32Array.from(texts, (_, place) => place);
  const at = (place: number) => texts[place] ?? '';
  // Sources that are sorted already take one comparison for each text.
  if (texts.every((text, place) => place === 0 || at(place - 1) <= text)) return order;
  return order.sort((a, b) => (at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : a - b));
}

/** The rank of each text in sorted order; equal texts have the same rank. */
export function ranksOf(texts: readonly string[], order: Uint32Array): Uint32Array {
  const ranks = new Uint32Array(texts.length);
  let rank = 0;
  order.forEach((place, at) => {
    if (at > 0 && texts[place] !== texts[order[at - 1] ?? 0]) rank = at;
    ranks[place] = rank;
  });
  return ranks;
}
