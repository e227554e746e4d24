/** The columns of a publication in a build: numbers that every resource of a type has, and where its references lead. */
import type { DirectoryType } from '../../catalog/fhir/directory-types.ts';
import { type Growing, growingBytes2, growingBytes4, growingBytes8 } from './growing.ts';

/** Names of a publication's arrays, which the build writes and the search reads. */
export const arrayNames = {
  updated: (type: DirectoryType) => `updated ${type}`,
  present: (type: DirectoryType) => `present ${type}`,
  byId: (type: DirectoryType) => `order by id ${type}`,
  byName: (type: DirectoryType) => `order by name ${type}`,
  linkCounts: (element: number) => `link counts ${element}`,
  linkTargets: (element: number) => `link targets ${element}`,
  /** Triples: resource, latitude, longitude, or resource, start, end. */
  triples: (element: number) => `triples ${element}`,
  unlisted: 'unlisted',
} as const;

export const blobOf = ({ buffer, byteOffset, byteLength }: Uint16Array | Uint32Array | Float64Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** References of one element: for each resource of the type in turn how many, and their targets by number of name. */
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

  /** @param rid not smaller than the one added before. */
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

/** Values of each resource of one type, kept until the type is written. */
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

/** The places of texts in their order, equal ones in the order in which they stand. */
export function orderOf(texts: readonly string[]): Uint32Array {
  const order = Uint32Array.from(texts, (_, place) => place);
  const at = (place: number) => texts[place] ?? '';
  // Sources that are in order already take one comparison each.
  if (texts.every((text, place) => place === 0 || at(place - 1) <= text)) return order;
  return order.sort((a, b) => (at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : a - b));
}

/** The rank of each place: equal texts have the same. */
export function ranksOf(texts: readonly string[], order: Uint32Array): Uint32Array {
  const ranks = new Uint32Array(texts.length);
  let rank = 0;
  order.forEach((place, at) => {
    if (at > 0 && texts[place] !== texts[order[at - 1] ?? 0]) rank = at;
    ranks[place] = rank;
  });
  return ranks;
}
