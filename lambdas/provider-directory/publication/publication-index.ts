/** The index of an open publication: its columns, which are read when a search first needs them and kept in memory. */
import { type DirectoryType, directoryTypes, isDirectoryType } from '../../catalog/fhir/directory-types.ts';
import type { PublicationTables } from './publication.ts';
import { blockResources, elementsOf } from './publication-schema.ts';
import { arrayNames } from './published-columns.ts';
import { RidSet } from './rid-set.ts';
import { type Sql, sql } from './sql.ts';

/** The resource numbers (`rid`) of a type, from `first` to `last`. */
export interface RidRange {
  readonly first: number;
  /** Smaller than `first` for a type without resources. */
  readonly last: number;
}

/** Targets of references by resource: those of `rid` are in `targets` from `ends[rid - first]` up to, but not including, the next end. */
export interface Links extends RidRange {
  readonly ends: Uint32Array;
  readonly targets: Uint32Array;
}

/** Periods or positions of resources, sorted by resource number; a resource may have several. */
export interface Triples {
  readonly length: number;
  rid(at: number): number;
  /** Start of the period, or latitude. */
  first(at: number): number;
  /** End of the period, or longitude. */
  second(at: number): number;
  /** Index of a resource's first triple; if it has none, that of the next resource, or `length`. */
  from(rid: number): number;
  /** Calls `visit` for the index of each triple whose `first` lies between two numbers, both included. */
  withFirstBetween(low: number, high: number, visit: (at: number) => void): void;
}

export interface IndexedRow {
  readonly rid: number;
  readonly type: DirectoryType;
  readonly id: string;
  readonly json: string;
}

const indexes = new WeakMap<PublicationTables, PublicationIndex>();

/** Returns the index of a publication, one for each publication. */
export function indexOf(tables: PublicationTables): PublicationIndex {
  let index = indexes.get(tables);
  if (index === undefined) {
    index = new PublicationIndex(tables);
    indexes.set(tables, index);
  }
  return index;
}

/** Frees the columns of a publication that searches have read. Its next search reads them again. */
export function forgetIndex(tables: PublicationTables): void {
  indexes.delete(tables);
}

export class PublicationIndex {
  readonly #tables: PublicationTables;
  readonly #types: ReadonlyMap<DirectoryType, RidRange & { readonly block: number }>;
  readonly #kept = new Map<string, unknown>();

  constructor(tables: PublicationTables) {
    this.#tables = tables;
    const rows = tables.all(sql`SELECT type, first, last, block FROM type`);
    this.#types = new Map(
      rows.flatMap(({ type, first, last, block }) =>
        typeof type === 'string' && isDirectoryType(type)
          ? [[type, { first: Number(first), last: Number(last), block: Number(block) }] as const]
          : [],
      ),
    );
  }

  all(statement: Sql) {
    return this.#tables.all(statement);
  }

  range(type: DirectoryType): RidRange {
    return this.#types.get(type) ?? { first: 1, last: 0 };
  }

  typeOf(rid: number): DirectoryType | undefined {
    return directoryTypes.find((type) => {
      const { first, last } = this.range(type);
      return first <= rid && rid <= last;
    });
  }

  /** Numbers of the resources with these IDs; an ID without a resource is left out. */
  ridsOf(type: DirectoryType, ids: readonly string[]): readonly number[] {
    return ids.flatMap((id) =>
      this.all(sql`SELECT rid FROM name WHERE type = ${directoryTypes.indexOf(type)} AND id = ${id}`).map(
        ({ rid }) => Number(rid),
      ),
    );
  }

  /** Reads the resources with these numbers, in the given order. */
  rows(rids: readonly number[]): readonly IndexedRow[] {
    return rids.flatMap((rid): readonly IndexedRow[] => {
      const type = this.typeOf(rid);
      const of = type === undefined ? undefined : this.#types.get(type);
      if (type === undefined || of === undefined) return [];
      const place = rid - of.first;
      const [ids = '', ...lines] = this.#tables.block(
        of.block + Math.floor(place / blockResources),
        of.block,
      );
      const at = place % blockResources;
      return [{ rid, type, id: ids.split(' ')[at] ?? '', json: lines[at] ?? '' }];
    });
  }

  /** Reads all resources of a type, by number. */
  *each(type: DirectoryType): Generator<IndexedRow> {
    const of = this.#types.get(type);
    if (of === undefined) return;
    for (let first = of.first; first <= of.last; first += blockResources) {
      const block = of.block + (first - of.first) / blockResources;
      const [ids = '', ...lines] = this.#tables.block(block, of.block);
      const names = ids.split(' ');
      for (const [at, json] of lines.entries()) yield { rid: first + at, type, id: names[at] ?? '', json };
    }
  }

  updated(type: DirectoryType): Float64Array {
    return this.#keep(arrayNames.updated(type), (bytes) => new Float64Array(bytes));
  }

  /** For each resource of a type, the bits of the parameters that it has values of. */
  present(type: DirectoryType): Uint16Array {
    return this.#keep(arrayNames.present(type), (bytes) => new Uint16Array(bytes));
  }

  order(type: DirectoryType, by: 'byId' | 'byName'): Uint32Array {
    return this.#keep(arrayNames[by](type), (bytes) => new Uint32Array(bytes));
  }

  isListed(type: DirectoryType): (rid: number) => boolean {
    const unlisted = this.#keep(`${arrayNames.unlisted} ${type}`, () => {
      const rids = new Uint32Array(this.#tables.array(arrayNames.unlisted) ?? new ArrayBuffer(0));
      const set = new RidSet(this.range(type));
      for (const rid of rids) set.add(rid);
      return set;
    });
    return (rid) => !unlisted.has(rid);
  }

  /** Numbers of a type's reference elements. */
  references(type: DirectoryType): readonly number[] {
    return elementsOf(type).flatMap((each) => (each.type === 'reference' ? [each.number] : []));
  }

  /** The targets of an element's references, by referring resource. */
  links(type: DirectoryType, element: number): Links {
    return this.#keep(arrayNames.linkTargets(element), (bytes) => {
      const counts = new Uint16Array(
        this.#tables.array(arrayNames.linkCounts(element)) ?? new ArrayBuffer(0),
      );
      const ends = new Uint32Array(counts.length + 1);
      let end = 0;
      for (let place = 0; place < counts.length; place += 1) {
        end += counts[place] ?? 0;
        ends[place + 1] = end;
      }
      return { ...this.range(type), ends, targets: new Uint32Array(bytes) };
    });
  }

  /** The references of an element in reverse: the referring resources, by target. */
  backlinks(type: DirectoryType, element: number): Links {
    return this.#keep(`${arrayNames.linkTargets(element)} back`, () => reversed(this.links(type, element)));
  }

  triples(element: number): Triples {
    return this.#keep(arrayNames.triples(element), (bytes) => {
      const numbers = new Float64Array(bytes);
      const length = numbers.length / 3;
      const rid = (at: number) => numbers[at * 3] ?? Number.POSITIVE_INFINITY;
      return {
        length,
        rid,
        first: (at) => numbers[at * 3 + 1] ?? 0,
        second: (at) => numbers[at * 3 + 2] ?? 0,
        from: (wanted) => {
          let [low, high] = [0, length];
          while (low < high) {
            const middle = (low + high) >>> 1;
            if (rid(middle) < wanted) low = middle + 1;
            else high = middle;
          }
          return low;
        },
        withFirstBetween(low, high, visit) {
          for (let at = 0; at < length; at += 1) {
            const first = numbers[at * 3 + 1] ?? Number.NaN;
            if (first >= low && first <= high) visit(at);
          }
        },
      };
    });
  }

  #keep<Column>(name: string, read: (bytes: ArrayBuffer) => Column): Column {
    const known = this.#kept.get(name);
    if (known !== undefined) return known as Column;
    const column = read(this.#tables.array(name) ?? new ArrayBuffer(0));
    this.#kept.set(name, column);
    return column;
  }
}

/** Reverses links by a counting sort in two passes: counts for each target, then positions. */
function reversed({ first: source, ends, targets }: Links): Links {
  let [first, last] = [Number.MAX_SAFE_INTEGER, 0];
  for (const target of targets) {
    if (target < first) first = target;
    if (target > last) last = target;
  }
  if (targets.length === 0) return { first: 1, last: 0, ends: new Uint32Array(1), targets };
  const next = new Uint32Array(last - first + 2);
  for (const target of targets) next[target - first + 1] = (next[target - first + 1] ?? 0) + 1;
  for (let place = 1; place < next.length; place += 1)
    next[place] = (next[place] ?? 0) + (next[place - 1] ?? 0);
  const backEnds = next.slice();
  const back = new Uint32Array(targets.length);
  for (let place = 0; place + 1 < ends.length; place += 1) {
    const end = ends[place + 1] ?? 0;
    for (let at = ends[place] ?? 0; at < end; at += 1) {
      const target = (targets[at] ?? 0) - first;
      const free = next[target] ?? 0;
      back[free] = source + place;
      next[target] = free + 1;
    }
  }
  return { first, last, ends: backEnds, targets: back };
}

/**
 * Calls `visit` for each target of a resource until a call returns true.
 *
 * @returns whether one did.
 */
export function someLink(
  { first, last, ends, targets }: Links,
  rid: number,
  visit: (target: number) => boolean,
): boolean {
  if (rid < first || rid > last) return false;
  const end = ends[rid - first + 1] ?? 0;
  for (let at = ends[rid - first] ?? 0; at < end; at += 1) if (visit(targets[at] ?? 0)) return true;
  return false;
}

export function eachLink(links: Links, rid: number, visit: (target: number) => void): void {
  someLink(links, rid, (target) => {
    visit(target);
    return false;
  });
}
