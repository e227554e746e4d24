/** Expands the value sets of FHIR packages to lists of codes, for `bin/fhir-definitions.ts`. */

/** A resource in a packed FHIR package. */
export interface PackedResource {
  readonly resourceType: string;
  readonly url: string;
  readonly version?: string;
  readonly pkg: string;
  readonly [name: string]: unknown;
}

interface Packages {
  readonly find: (type: string, canonical: string, pkg: string) => PackedResource | undefined;
  readonly all: (type: string, url: string) => readonly PackedResource[];
}

type Concepts = readonly (string | readonly [string, Concepts])[];

interface Filter {
  readonly property: string;
  readonly op: string;
  readonly value: string;
}

interface Part {
  readonly system?: string;
  readonly concept?: readonly string[];
  readonly filter?: readonly Filter[];
  readonly valueSet?: readonly string[];
}

/** Codes by code system. A value set with more codes than `mostCodes` is left out. */
type Codes = ReadonlyMap<string, ReadonlySet<string>>;
const mostCodes = 3000;

/** Makes the function that expands value sets and gives each a short name. */
export function createValueSetNames({ find, all }: Packages) {
  const named = new Map<string, { readonly url: string; readonly codes: Codes }>();

  function expanded(canonical: string, pkg: string, open: ReadonlySet<string>): Codes | undefined {
    const set = find('ValueSet', canonical, pkg);
    if (set === undefined || open.has(set.url)) return undefined;
    const within = new Set([...open, set.url]);
    if (Array.isArray(set.codes)) {
      const pairs = set.codes as readonly (readonly [string, string])[];
      return pairs.length === 0 ? undefined : grouped(pairs);
    }
    let codes: Codes = new Map();
    for (const part of (set.include ?? []) as readonly Part[]) {
      const of = partCodes(part, set.pkg, within);
      if (of === undefined) return undefined;
      codes = united(codes, of);
    }
    for (const part of (set.exclude ?? []) as readonly Part[]) {
      const of = partCodes(part, set.pkg, within);
      if (of === undefined) return undefined;
      codes = new Map([...codes].map(([system, each]) => [system, without(each, of.get(system))]));
    }
    return codes.size === 0 ? undefined : codes;
  }

  function partCodes(part: Part, pkg: string, open: ReadonlySet<string>): Codes | undefined {
    const { system, valueSet = [] } = part;
    let codes = system === undefined ? undefined : systemCodes(system.split('|')[0] ?? '', part);
    if (system !== undefined && codes === undefined) return undefined;
    for (const url of valueSet) {
      const of = expanded(url, pkg, open);
      if (of === undefined) return undefined;
      codes =
        codes === undefined ? of : new Map([...codes].map(([key, each]) => [key, inBoth(each, of.get(key))]));
    }
    return codes;
  }

  function systemCodes(url: string, { concept, filter = [] }: Part): Codes | undefined {
    if (concept !== undefined) return new Map([[url, new Set(concept)]]);
    const concepts = conceptsOf(url);
    if (concepts.length === 0) return undefined;
    let codes: ReadonlySet<string> = new Set(flat(concepts));
    for (const { property, op, value } of filter) {
      const below =
        property === 'concept' || property === 'code' ? conceptsBelow(concepts, value) : undefined;
      if (below === undefined) return undefined;
      if (op === 'is-a') codes = inBoth(codes, new Set([value, ...flat(below)]));
      else if (op === 'descendent-of') codes = inBoth(codes, new Set(flat(below)));
      else if (op === 'is-not-a') codes = without(codes, new Set([value, ...flat(below)]));
      else return undefined;
    }
    return new Map([[url, codes]]);
  }

  /** Collects the concepts of a code system from every package that contains it, because one may have a newer version. */
  function conceptsOf(url: string): Concepts {
    return all('CodeSystem', url)
      .filter(({ content }) => content === 'complete')
      .flatMap(({ concept }) => concept as Concepts);
  }

  return {
    /** The short name of a value set; undefined where the packages do not contain all its codes, or it has too many. */
    nameOf(canonical: string, pkg: string): string | undefined {
      const set = find('ValueSet', canonical, pkg);
      const codes = set === undefined ? undefined : expanded(canonical, pkg, new Set());
      if (set === undefined || codes === undefined) return undefined;
      if ([...codes.values()].reduce((sum, { size }) => sum + size, 0) > mostCodes) return undefined;
      const base = set.url.slice(set.url.lastIndexOf('/') + 1);
      for (let at = 1; ; at += 1) {
        const name = at === 1 ? base : `${base}-${at}`;
        const known = named.get(name);
        if (known === undefined) named.set(name, { url: set.url, codes });
        if (known === undefined || isSame(known.codes, codes)) return name;
      }
    },
    codes: () =>
      Object.fromEntries(
        [...named].map(([name, { codes }]) => [
          name,
          Object.fromEntries([...codes].map(([system, each]) => [system, [...each].sort()])),
        ]),
      ),
  };
}

function flat(concepts: Concepts): readonly string[] {
  return concepts.flatMap((each) => (typeof each === 'string' ? [each] : [each[0], ...flat(each[1])]));
}

/** The concepts below a code. */
function conceptsBelow(concepts: Concepts, code: string): Concepts | undefined {
  for (const each of concepts) {
    if (each === code) return [];
    if (typeof each === 'string') continue;
    const found = each[0] === code ? each[1] : conceptsBelow(each[1], code);
    if (found !== undefined) return found;
  }
  return undefined;
}

function grouped(pairs: readonly (readonly [string, string])[]): Codes {
  return new Map(
    [...Map.groupBy(pairs, ([system]) => system)].map(([system, each]) => [
      system,
      new Set(each.map(([, code]) => code)),
    ]),
  );
}

function united(a: Codes, b: Codes): Codes {
  const systems = new Set([...a.keys(), ...b.keys()]);
  return new Map(
    [...systems].map((system) => [system, new Set([...(a.get(system) ?? []), ...(b.get(system) ?? [])])]),
  );
}

function inBoth(a: ReadonlySet<string>, b: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  return new Set([...a].filter((code) => b.has(code)));
}

function without(a: ReadonlySet<string>, b: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  return new Set([...a].filter((code) => !b.has(code)));
}

function isSame(a: Codes, b: Codes): boolean {
  return (
    a.size === b.size &&
    [...a].every(([system, codes]) => {
      const other = b.get(system);
      return other !== undefined && other.size === codes.size && without(codes, other).size === 0;
    })
  );
}
