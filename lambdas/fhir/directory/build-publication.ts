/**
 * Builds a publication from the resources of a LOB's directory: every row of its tables (`publication-schema.ts`), in the order
 * in which SQLite appends them fastest.
 */
import {
  type DirectoryParameter,
  type DirectoryType,
  directoryResource,
  directoryTypes,
} from '../../catalog/directory-resources.ts';
import { dateRange, startOf } from '../search/date-range.ts';
import { fold } from '../search/fold.ts';
import { type IndexValue, indexValues } from './index-values.ts';
import { Pairs } from './pairs.ts';
import {
  numbersOf,
  type ParameterNumbers,
  publicationFormat,
  publicationIndexes,
  publicationTables,
} from './publication-schema.ts';
import type { SqlValue } from './sql.ts';

/** Writes the tables of a new publication. Adapter: `lambdas/sqlite/publication-file.ts`. */
export interface PublicationWriter {
  /** Runs statements without values. */
  run(statements: string): void;
  /** Appends a row; rows of a table come together. */
  insert(table: string, row: readonly SqlValue[]): void;
}

export interface BuildOptions {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly builtAt: number;
  /** The publication that this one follows. */
  readonly previous?:
    | { readonly id: string; readonly resources: Readonly<Record<string, number>> }
    | undefined;
  /** Share of a type's resources that may be fewer than before, 0 to 1; more stops the build. */
  readonly mostLoss: number;
}

export type BuildResult =
  | { readonly kind: 'built'; readonly resources: Readonly<Record<DirectoryType, number>> }
  /** Nothing is published; the last publication stays. */
  | { readonly kind: 'refusal'; readonly reasons: readonly BuildRefusal[] };

export interface BuildRefusal {
  readonly code: 'duplicate' | 'dangling' | 'loss' | 'network_lost' | 'empty' | 'malformed';
  /** In words, with the first resources concerned. */
  readonly message: string;
}

/** Serialized resources of a type, in the order in which they are published. */
export type ResourceSource = (type: DirectoryType) => AsyncIterable<string> | Iterable<string>;

/** Resources named in a refusal. */
const mostSamples = 5;

export async function buildPublication(
  writer: PublicationWriter,
  source: ResourceSource,
  options: BuildOptions,
): Promise<BuildResult> {
  writer.run(publicationTables);
  const build = new Build(writer);
  for (const type of directoryTypes) await build.addType(type, source(type));
  build.writeLinks();
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

/** Values of one type's parameters, each with its number and how many resources have it. */
interface CountedValue {
  readonly vid: number;
  readonly param: number;
  readonly folded: string;
  readonly exact: string;
  readonly system: string;
  resources: number;
  /** The last resource counted: a resource may have a value twice. */
  lastRid: number;
}

/** The distinct values of one type. */
class CountedValues {
  readonly #byParameter = new Map<number, Map<string, CountedValue>>();
  readonly #number: () => number;

  constructor(number: () => number) {
    this.#number = number;
  }

  of(param: number, exact: string, system: string, folding: (text: string) => string): CountedValue {
    let byText = this.#byParameter.get(param);
    if (byText === undefined) {
      byText = new Map();
      this.#byParameter.set(param, byText);
    }
    const key = system === '' ? exact : `${exact}\n${system}`;
    let counted = byText.get(key);
    if (counted === undefined) {
      counted = {
        vid: this.#number(),
        param,
        folded: folding(exact),
        exact,
        system,
        resources: 0,
        lastRid: 0,
      };
      byText.set(key, counted);
    }
    return counted;
  }

  *all(): Generator<CountedValue> {
    for (const byText of this.#byParameter.values()) yield* byText.values();
  }
}

const lowerCase = (text: string) => text.toLowerCase();

class Build {
  readonly resources = Object.fromEntries(directoryTypes.map((type) => [type, 0])) as Record<
    DirectoryType,
    number
  >;
  readonly #writer: PublicationWriter;
  /** Number of each `Type/id` that is named or published; the resource's place in `#rids`. */
  readonly #names = new Map<string, number>();
  /** Resource number by the number of its name; 0 where it is not published. */
  readonly #rids: number[] = [];
  readonly #links = new Map<number, Pairs>();
  readonly #problems: BuildRefusal[] = [];
  #rid = 0;
  #vid = 0;

  constructor(writer: PublicationWriter) {
    this.#writer = writer;
  }

  async addType(type: DirectoryType, texts: AsyncIterable<string> | Iterable<string>): Promise<void> {
    const first = this.#rid + 1;
    const values = new CountedValues(() => {
      this.#vid += 1;
      return this.#vid;
    });
    const postings = new Pairs();
    if (Symbol.iterator in texts) {
      for (const text of texts) this.#addResource(type, text, values, postings);
    } else {
      for await (const text of texts) this.#addResource(type, text, values, postings);
    }
    for (const { vid, param, folded, exact, system, resources } of values.all()) {
      this.#writer.insert('value', [vid, param, folded, exact, system, resources]);
    }
    for (const [vid, rid] of postings.sorted()) this.#writer.insert('posting', [vid, rid]);
    this.#writer.insert('type', [type, first, this.#rid]);
    this.resources[type] = this.#rid - first + 1;
  }

  #addResource(type: DirectoryType, text: string, values: CountedValues, postings: Pairs): void {
    const resource = JSON.parse(text) as {
      readonly id?: unknown;
      readonly resourceType?: unknown;
      readonly meta?: { readonly versionId?: unknown; readonly lastUpdated?: unknown };
    };
    const updated = dateRange(resource.meta?.lastUpdated);
    const { id } = resource;
    if (resource.resourceType !== type || typeof id !== 'string' || updated === undefined) {
      this.#refuse('malformed', `${type}/${String(id)} is no ${type} with an id and meta.lastUpdated.`);
      return;
    }
    const name = this.#nameOf(`${type}/${id}`);
    if (this.#rids[name] !== 0) {
      this.#refuse('duplicate', `${type}/${id} is there twice.`);
      return;
    }
    this.#rid += 1;
    const rid = this.#rid;
    this.#rids[name] = rid;
    const indexed = indexValues(type, resource);
    let present = 0;
    const numbers = numbersOf(type);
    for (const [place, value] of indexed.values) {
      const of = numbers[place];
      if (of === undefined) continue;
      present |= of.bit;
      this.#addValue(of, rid, value, values, postings);
    }
    const version = String(resource.meta?.versionId ?? '1');
    this.#writer.insert('resource', [rid, type, id, version, startOf(updated), present, indexed.sortName]);
    this.#writer.insert('body', [rid, text]);
    if (!indexed.isListed) this.#writer.insert('unlisted', [rid]);
  }

  #addValue(
    numbers: ParameterNumbers,
    rid: number,
    value: IndexValue,
    values: CountedValues,
    postings: Pairs,
  ): void {
    const count = (param: number, exact: string, system: string, folding: (text: string) => string) => {
      const counted = values.of(param, exact, system, folding);
      if (counted.folded === '' || counted.lastRid === rid) return;
      counted.lastRid = rid;
      counted.resources += 1;
      postings.add(counted.vid, rid);
    };
    switch (value.kind) {
      case 'token':
        if (value.code !== '') count(numbers.values, value.code, value.system, lowerCase);
        for (const text of value.texts) count(numbers.texts, text, '', fold);
        return;
      case 'string':
        count(numbers.values, value.text, '', fold);
        return;
      case 'reference': {
        let links = this.#links.get(numbers.values);
        if (links === undefined) {
          links = new Pairs();
          this.#links.set(numbers.values, links);
        }
        links.add(rid, this.#nameOf(value.target));
        return;
      }
      case 'date':
        this.#writer.insert('span', [numbers.values, rid, value.range[0], value.range[1]]);
        return;
      case 'position':
        this.#writer.insert('position', [rid, value.latitude, value.longitude]);
        this.#writer.insert('area', [rid, value.latitude, value.latitude, value.longitude, value.longitude]);
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

  /** Writes the references both ways; those that lead nowhere are refused. */
  writeLinks(): void {
    for (const type of directoryTypes) {
      const numbers = numbersOf(type);
      directoryResource(type).parameters.forEach((parameter, place) => {
        if (parameter.type === 'reference') this.#writeLinksOf(type, parameter, numbers[place]?.values ?? 0);
      });
    }
  }

  #writeLinksOf(type: DirectoryType, { name }: DirectoryParameter, param: number): void {
    const links = this.#links.get(param);
    if (links === undefined) return;
    const reversed = new Pairs();
    const dangling = new Set<number>();
    for (const [rid, number] of links.sorted()) {
      const target = this.#rids[number] ?? 0;
      if (target === 0) dangling.add(number);
      else reversed.add(target, rid);
    }
    if (dangling.size > 0) this.#refuseDangling(`${type}.${name}`, dangling);
    const forward = new Pairs();
    let targets = 0;
    let before = 0;
    for (const [target, rid] of reversed.sorted()) {
      this.#writer.insert('link', [param, target, rid]);
      forward.add(rid, target);
      if (target !== before) targets += 1;
      before = target;
    }
    for (const [rid, target] of forward.sorted()) this.#writer.insert('link_of', [param, rid, target]);
    this.#writer.insert('statistic', [param, forward.length, targets]);
  }

  /** @param targets numbers of names. */
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
