/**
 * Builds a publication from the resources of a LOB's directory: all rows of its tables (`publication-schema.ts`), in the order in which
 * SQLite appends them fastest.
 */
import { directoryResource } from '../../catalog/fhir/directory-resources.ts';
import { type DirectoryType, directoryTypes } from '../../catalog/fhir/directory-types.ts';
import { dateRange, endOf, startOf } from '../../fhir/values/date-range.ts';
import { growingBytes4 } from '../publication/growing.ts';
import {
  blockResources,
  elementNumber,
  publicationFormat,
  publicationIndexes,
  publicationTables,
  type SearchedElement,
} from '../publication/publication-schema.ts';
import {
  arrayNames,
  blobOf,
  orderOf,
  PublishedColumns,
  PublishedLinks,
  ranksOf,
} from '../publication/published-columns.ts';
import type { SqlValue } from '../publication/sql.ts';
import { type IndexValue, indexValues } from './index-values.ts';
import { PublishedValues } from './published-values.ts';

/** Writes the tables of a new publication. Adapter: `lambdas/provider-directory/sqlite/publication-file.ts`. */
export interface PublicationWriter {
  /** Runs SQL statements without bound values. */
  run(statements: string): void;
  /** Appends a row. All rows of a table are appended one after the other. */
  insert(table: string, row: readonly SqlValue[]): void;
  /** Writes a row of the table `array`. */
  array(name: string, numbers: Uint8Array): void;
  /**
   * Writes a row of the table `body`.
   *
   * @param first number of the type's first block, which serves as the dictionary when the others are compressed.
   */
  block(block: number, first: number, text: string): void;
}

export interface BuildOptions {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly builtAt: number;
  /** The current publication, which the new one replaces. */
  readonly previous?:
    | { readonly id: string; readonly resources: Readonly<Record<string, number>> }
    | undefined;
  /** Share of a type's resources, 0 to 1, that may be missing compared with the previous publication. A larger loss stops the build. */
  readonly mostLoss: number;
}

export type BuildResult =
  | { readonly kind: 'built'; readonly resources: Readonly<Record<DirectoryType, number>> }
  /** The build was refused: nothing is published, and the current publication stays. */
  | { readonly kind: 'refusal'; readonly reasons: readonly BuildRefusal[] };

export interface BuildRefusal {
  readonly code: 'duplicate' | 'dangling' | 'loss' | 'network_lost' | 'empty' | 'malformed';
  /** Text for an operator, with the names of the first resources concerned. */
  readonly message: string;
}

/** Serialized resources of a type, in the order in which they are published. */
export type ResourceSource = (type: DirectoryType) => AsyncIterable<string> | Iterable<string>;

/** Most resources that a refusal names, and most refusals of one code. */
const mostSamples = 5;

export async function buildPublication(
  writer: PublicationWriter,
  source: ResourceSource,
  options: BuildOptions,
): Promise<BuildResult> {
  writer.run(publicationTables);
  const build = new Build(writer);
  for (const type of directoryTypes) await build.addType(type, source(type));
  build.finish();
  const reasons = [...build.refusals(), ...losses(build.resources, options)];
  if (reasons.length > 0) return { kind: 'refusal', reasons };
  const meta = {
    format: String(publicationFormat),
    id: options.id,
    builtAt: String(options.builtAt),
    ...(options.previous !== undefined && { previous: options.previous.id }),
    resources: JSON.stringify(build.resources),
  };
  for (const [name, value] of Object.entries(meta)) writer.insert('meta', [name, value]);
  writer.run(publicationIndexes());
  return { kind: 'built', resources: build.resources };
}

function losses(
  resources: Readonly<Record<string, number>>,
  { previous, mostLoss }: BuildOptions,
): readonly BuildRefusal[] {
  const total = Object.values(resources).reduce((sum, each) => sum + each, 0);
  if (total === 0) return [{ code: 'empty', message: 'There is no resource to publish.' }];
  return Object.entries(previous?.resources ?? {}).flatMap(([type, before]): readonly BuildRefusal[] => {
    const now = resources[type] ?? 0;
    if (now >= before * (1 - mostLoss)) return [];
    const percent = Math.round(mostLoss * 100);
    const message = `${type}: ${now} resources instead of ${before}. At most ${percent} % may be fewer than before.`;
    return [{ code: 'loss', message }];
  });
}

class Build {
  readonly resources = Object.fromEntries(directoryTypes.map((type) => [type, 0])) as Record<
    DirectoryType,
    number
  >;
  readonly #writer: PublicationWriter;
  /** A number for each `Type/id` that is published or referred to; the index into `#rids`. */
  readonly #names = new Map<string, number>();
  /** The resource number (`rid`) of each name, by the name's number; 0 if the resource is not published. */
  readonly #rids: number[] = [];
  readonly #systems = new Map<string, number>();
  readonly #links = new Map<number, PublishedLinks>();
  readonly #ranges = new Map<DirectoryType, { readonly first: number; readonly last: number }>();
  readonly #unlisted = growingBytes4();
  readonly #problems: BuildRefusal[] = [];
  #rid = 0;
  #vid = 0;
  #block = 0;

  constructor(writer: PublicationWriter) {
    this.#writer = writer;
  }

  async addType(type: DirectoryType, texts: AsyncIterable<string> | Iterable<string>): Promise<void> {
    const first = this.#rid + 1;
    const firstBlock = this.#block + 1;
    const values = new PublishedValues();
    const columns = new PublishedColumns();
    let waiting: string[] = [];
    const writeBlock = () => {
      this.#block += 1;
      const ids = columns.ids.slice(-waiting.length).join(' ');
      this.#writer.block(this.#block, firstBlock, [ids, ...waiting].join('\n'));
      waiting = [];
    };
    const add = (text: string) => {
      const line = this.#addResource(type, text, first, values, columns);
      if (line !== undefined && waiting.push(line) === blockResources) writeBlock();
    };
    if (Symbol.iterator in texts) for (const text of texts) add(text);
    else for await (const text of texts) add(text);
    if (waiting.length > 0) writeBlock();
    for (const row of values.rows((system) => this.#systemNumber(system))) {
      this.#vid += 1;
      this.#writer.insert('value', [this.#vid, ...row]);
    }
    this.#writeColumns(type, first, columns);
    this.#writer.insert('type', [type, first, this.#rid, firstBlock]);
    this.#ranges.set(type, { first, last: this.#rid });
    this.resources[type] = this.#rid - first + 1;
  }

  #writeColumns(
    type: DirectoryType,
    first: number,
    { ids, names, updated, present, triples }: PublishedColumns,
  ): void {
    const byId = orderOf(ids);
    for (const place of byId) {
      this.#writer.insert('name', [directoryTypes.indexOf(type), ids[place] ?? '', first + place]);
    }
    this.#writer.array(arrayNames.byId(type), blobOf(ranksOf(ids, byId)));
    if (directoryResource(type).sortedBy !== undefined) {
      this.#writer.array(arrayNames.byName(type), blobOf(ranksOf(names, orderOf(names))));
    }
    this.#writer.array(arrayNames.updated(type), blobOf(updated.all()));
    this.#writer.array(arrayNames.present(type), blobOf(present.all()));
    for (const [element, numbers] of triples)
      this.#writer.array(arrayNames.triples(element), blobOf(numbers.all()));
  }

  /**
   * Adds a resource to the tables.
   *
   * @returns the resource's line of the block; undefined if the resource is refused.
   */
  #addResource(
    type: DirectoryType,
    text: string,
    first: number,
    values: PublishedValues,
    columns: PublishedColumns,
  ): string | undefined {
    const resource = JSON.parse(text) as {
      readonly id?: unknown;
      readonly resourceType?: unknown;
      readonly meta?: { readonly lastUpdated?: unknown };
    };
    const updated = dateRange(resource.meta?.lastUpdated);
    const { id } = resource;
    if (resource.resourceType !== type || typeof id !== 'string' || updated === undefined) {
      this.#refuse('malformed', `${type}/${String(id)} is no ${type} with an id and meta.lastUpdated.`);
      return undefined;
    }
    const name = this.#nameOf(`${type}/${id}`);
    if (this.#rids[name] !== 0) {
      this.#refuse('duplicate', `${type}/${id} is there twice.`);
      return undefined;
    }
    this.#rid += 1;
    const rid = this.#rid;
    this.#rids[name] = rid;
    const indexed = indexValues(type, resource);
    let present = 0;
    for (const [element, value] of indexed.values) {
      present |= element.bits;
      if (value.kind === 'token' || value.kind === 'string') values.add(element, rid, value);
      else this.#addNumbers(element, rid, value, first, columns);
    }
    columns.ids.push(id);
    columns.names.push(indexed.sortName);
    columns.updated.add(startOf(updated));
    columns.present.add(present);
    if (!indexed.isListed) this.#unlisted.add(rid);
    return text.includes('\n') ? JSON.stringify(resource) : text;
  }

  #addNumbers(
    { number }: SearchedElement,
    rid: number,
    value: Exclude<IndexValue, { readonly kind: 'token' | 'string' }>,
    first: number,
    columns: PublishedColumns,
  ): void {
    switch (value.kind) {
      case 'reference': {
        let links = this.#links.get(number);
        if (links === undefined) {
          links = new PublishedLinks(first);
          this.#links.set(number, links);
        }
        links.add(rid, this.#nameOf(value.target));
        return;
      }
      case 'date':
        columns.addTriple(number, rid, startOf(value.range), endOf(value.range));
        return;
      case 'position':
        columns.addTriple(number, rid, value.latitude, value.longitude);
        return;
    }
  }

  #nameOf(name: string): number {
    let number = this.#names.get(name);
    if (number === undefined) {
      number = this.#rids.length;
      this.#names.set(name, number);
      this.#rids.push(0);
    }
    return number;
  }

  #systemNumber(system: string): number {
    let number = this.#systems.get(system);
    if (number === undefined) {
      number = this.#systems.size + 1;
      this.#systems.set(system, number);
    }
    return number;
  }

  /** Writes references, systems and the list of unlisted resources. References to missing resources are refused. */
  finish(): void {
    for (const type of directoryTypes) {
      for (const { name, type: kind } of directoryResource(type).parameters) {
        if (kind === 'reference') this.#writeLinks(type, name, elementNumber(type, name));
      }
    }
    for (const [system, sid] of this.#systems) this.#writer.insert('system', [sid, system]);
    this.#writer.array(arrayNames.unlisted, blobOf(this.#unlisted.all()));
  }

  #writeLinks(type: DirectoryType, parameter: string, element: number): void {
    const links = this.#links.get(element)?.finish(this.#ranges.get(type)?.last ?? 0);
    if (links === undefined) return;
    const dangling = new Set<number>();
    const targets = links.targets.map((name) => {
      const rid = this.#rids[name] ?? 0;
      if (rid === 0) dangling.add(name);
      return rid;
    });
    if (dangling.size > 0) this.#refuseDangling(`${type}.${parameter}`, dangling);
    this.#writer.array(arrayNames.linkCounts(element), blobOf(links.counts));
    this.#writer.array(arrayNames.linkTargets(element), blobOf(targets));
  }

  /**
   * Refuses references to missing resources.
   *
   * @param targets numbers of their names in `#names`.
   */
  #refuseDangling(parameter: string, targets: ReadonlySet<number>): void {
    const wanted = [...targets].slice(0, mostSamples);
    const names: string[] = [];
    for (const [name, number] of this.#names) if (wanted.includes(number)) names.push(name);
    const code = parameter.endsWith('.network') ? 'network_lost' : 'dangling';
    this.#refuse(
      code,
      `${parameter} leads to ${targets.size} resources that are not there: ${names.join(', ')}.`,
    );
  }

  refusals(): readonly BuildRefusal[] {
    return this.#problems;
  }

  #refuse(code: BuildRefusal['code'], message: string): void {
    if (this.#problems.filter((each) => each.code === code).length < mostSamples)
      this.#problems.push({ code, message });
  }
}
