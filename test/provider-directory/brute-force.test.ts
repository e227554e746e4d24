import { afterAll, expect, it } from 'vitest';
import {
  type DirectoryParameter,
  directoryResource,
} from '../../lambdas/catalog/fhir/directory-resources.ts';
import {
  type DirectoryType,
  directoryTypes,
  isDirectoryType,
} from '../../lambdas/catalog/fhir/directory-types.ts';
import { parseCriterion } from '../../lambdas/fhir/query/criterion.ts';
import { dateMatches } from '../../lambdas/fhir/values/date-comparison.ts';
import { fold } from '../../lambdas/fhir/values/fold.ts';
import { type IndexValue, indexValues } from '../../lambdas/provider-directory/build/index-values.ts';
import { parameterElements } from '../../lambdas/provider-directory/publication/publication-schema.ts';
import type { DirectoryCriterion } from '../../lambdas/provider-directory/search/directory-criterion.ts';
import { directorySearch } from '../../lambdas/provider-directory/search/directory-searches.ts';
import fc from '../support/property.ts';
import { allPages, base, now, published, removeFolder, syntheticDirectory } from './world.ts';

/** Number of queries that are compared; `DIRECTORY_QUERIES=5000` sets another. */
const queries = Number(process.env.DIRECTORY_QUERIES ?? 400);

const texts = syntheticDirectory(160, 7);

interface Row {
  readonly type: DirectoryType;
  readonly id: string;
  readonly name: string;
  readonly updated: number;
  readonly values: ReadonlyMap<string, readonly IndexValue[]>;
}

const rows: readonly Row[] = directoryTypes.flatMap((type) =>
  (texts.get(type) ?? []).map((text): Row => {
    const resource = JSON.parse(text);
    const found = indexValues(type, resource).values;
    const values = new Map(
      directoryResource(type).parameters.flatMap(({ name }): [string, readonly IndexValue[]][] => {
        const { numbers } = parameterElements(type, name);
        const own = found.flatMap(([element, value]) => (numbers.includes(element.number) ? [value] : []));
        return own.length === 0 ? [] : [[name, own]];
      }),
    );
    return {
      type,
      id: resource.id,
      name: `${type}/${resource.id}`,
      updated: Date.parse(resource.meta.lastUpdated),
      values,
    };
  }),
);
const byName = new Map(rows.map((row) => [row.name, row]));

/** Whether a resource satisfies a criterion by the rules of R4's search. */
function satisfies(row: Row, criterion: DirectoryCriterion): boolean {
  const of = (name: string) => row.values.get(name) ?? [];
  switch (criterion.kind) {
    case 'id':
      return criterion.anyOf.includes(row.id) !== criterion.negated;
    case 'token':
      return (
        of(criterion.name).some(
          (value) =>
            value.kind === 'token' &&
            value.code !== '' &&
            criterion.anyOf.some(
              ({ system, code }) =>
                (system === undefined || system === value.system) &&
                (code === undefined || code.toLowerCase() === value.code.toLowerCase()),
            ),
        ) !== criterion.negated
      );
    case 'text':
      return of(criterion.name).some(
        (value) =>
          value.kind === 'token' &&
          value.texts.some((text) =>
            criterion.anyOf.some((asked) => textMatches('starts-with', text, asked)),
          ),
      );
    case 'string':
      return of(criterion.name).some(
        (value) =>
          value.kind === 'string' &&
          criterion.anyOf.some((asked) => textMatches(criterion.comparison, value.text, asked)),
      );
    case 'date': {
      const ranges =
        criterion.name === '_lastUpdated'
          ? [[row.updated, row.updated + 1] as const]
          : of(criterion.name).flatMap((value) => (value.kind === 'date' ? [value.range] : []));
      return ranges.some((range) => criterion.anyOf.some((asked) => dateMatches(asked, range)));
    }
    case 'reference':
      return targets(row, criterion.name).some((target) =>
        criterion.anyOf.some((asked) => asked !== '' && (asked === target || asked === target.split('/')[1])),
      );
    case 'near':
      return of('near').some(
        (value) =>
          value.kind === 'position' &&
          criterion.anyOf.some((circle) => meters(value, circle) <= circle.meters),
      );
    case 'missing':
      return (of(criterion.name).length === 0) === criterion.missing;
    case 'chain':
      return targets(row, criterion.name)
        .flatMap((name) => byName.get(name) ?? [])
        .some((target) =>
          criterion.anyOf.some((each) => each.type === target.type && satisfies(target, each.criterion)),
        );
    case 'has':
      return rows.some(
        (other) =>
          other.type === criterion.type &&
          targets(other, criterion.name).includes(row.name) &&
          satisfies(other, criterion.criterion),
      );
  }
}

function targets(row: Row, parameter: string): readonly string[] {
  return (row.values.get(parameter) ?? []).flatMap((value) =>
    value.kind === 'reference' ? [value.target] : [],
  );
}

function textMatches(comparison: 'starts-with' | 'exact' | 'contains', text: string, asked: string): boolean {
  if (comparison === 'exact') return text === asked;
  const [whole, part] = [fold(text), fold(asked)];
  return part !== '' && (comparison === 'contains' ? whole.includes(part) : whole.startsWith(part));
}

/** The great-circle distance of two positions in meters, computed from the chord between them. */
function meters(
  a: { readonly latitude: number; readonly longitude: number },
  b: { readonly latitude: number; readonly longitude: number },
): number {
  const point = ({ latitude, longitude }: typeof a) => {
    const [north, east] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)] as const;
  };
  const [p, q] = [point(a), point(b)];
  const chord = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
  return 2 * 6_371_008.8 * Math.asin(Math.min(1, chord / 2));
}

/** Generates values of a parameter that some resources have, as a query writes them. */
function sampleValue(of: DirectoryType, { name, type }: DirectoryParameter): fc.Arbitrary<string> {
  const found = rows.filter((row) => row.type === of).flatMap((row) => row.values.get(name) ?? []);
  if (found.length === 0) return fc.constant(type === 'date' ? '2026' : 'nothing');
  return fc.tuple(fc.nat(), fc.nat(5)).map(([at, form]) => {
    const value = found[at % found.length];
    switch (value?.kind) {
      case 'token':
        return (
          [
            value.code,
            `${value.system}|${value.code}`,
            `|${value.code}`,
            value.system === '' ? value.code : `${value.system}|`,
            value.code.toUpperCase(),
            value.code,
          ][form] ?? value.code
        );
      case 'string':
        return (
          [
            value.text,
            value.text.slice(0, 3),
            value.text.toUpperCase(),
            value.text.slice(1, 5),
            fold(value.text),
            value.text.slice(0, 1),
          ][form] ?? value.text
        );
      case 'reference':
        return form % 2 === 0 ? value.target : (value.target.split('/')[1] ?? '');
      case 'date':
        return `${['', 'ge', 'lt', 'ne', 'sa', 'ap'][form]}${new Date(value.range[0] ?? 0).toISOString().slice(0, 10)}`;
      case 'position':
        return `${value.latitude}|${value.longitude}|${[1, 5, 10, 25, 60, 200][form]}|${form % 2 === 0 ? 'mi' : 'km'}`;
      default:
        return 'nothing';
    }
  });
}

function escaped(value: string, { type }: DirectoryParameter): string {
  return type === 'string' ? value.replace(/[\\,|$]/g, '\\$&') : value.replaceAll(',', '\\,');
}

/** Generates a parameter of a type with a value: plain, with a modifier, chained, or reverse chained. */
function parameterOf(type: DirectoryType, hops: number): fc.Arbitrary<readonly [string, string]> {
  const all = directoryResource(type).parameters;
  // Parameters that no resource has are drawn rarely.
  const known = all.filter(({ name }) => rows.some((row) => row.type === type && row.values.has(name)));
  const drawn = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...known) }, fc.constantFrom(...all));
  const plain = drawn.chain((parameter) => {
    const modifiers = {
      token: ['', ':not', ':missing', ':text'],
      string: ['', ':exact', ':contains', ':missing'],
    }[parameter.type as string] ?? ['', ':missing'];
    return fc
      .tuple(
        fc.constantFrom(...modifiers),
        fc.array(sampleValue(type, parameter), { minLength: 1, maxLength: 2 }),
        fc.boolean(),
      )
      .map(([modifier, values, flag]): readonly [string, string] => [
        `${parameter.name}${modifier}`,
        modifier === ':missing' ? String(flag) : values.map((value) => escaped(value, parameter)).join(','),
      ]);
  });
  if (hops === 0) return plain;
  const links = known.filter(({ targets: to = [] }) => to.some(isDirectoryType));
  const chained = links.map((parameter) => {
    const [target = 'Organization'] = parameter.targets ?? [];
    return parameterOf(target as DirectoryType, hops - 1).map(([name, value]): readonly [string, string] => [
      `${parameter.name}.${name}`,
      value,
    ]);
  });
  const reversed = directoryTypes.flatMap((source) =>
    directoryResource(source)
      .parameters.filter(({ name, targets: to = [] }) => {
        const isUsed = rows.some((row) => row.type === source && row.values.has(name));
        return isUsed && to.includes(type);
      })
      .map((parameter) =>
        parameterOf(source, hops - 1).map(([name, value]): readonly [string, string] => [
          `_has:${source}:${parameter.name}:${name}`,
          value,
        ]),
      ),
  );
  return fc.oneof({ weight: 5, arbitrary: plain }, ...chained, ...reversed);
}

const publication = await published(texts, { id: 'brute-force' });
afterAll(async () => {
  publication.close();
  await removeFolder();
});

it('finds what a look at each resource finds, whatever the parameters', async () => {
  const query = fc
    .constantFrom(...directoryTypes)
    .chain((type) =>
      fc.tuple(fc.constant(type), fc.array(parameterOf(type, 2), { minLength: 1, maxLength: 2 })),
    );
  let withMatches = 0;
  await fc.assert(
    fc.asyncProperty(query, async ([type, parameters]) => {
      const criteria = parameters.map(([name, value]) => {
        const read = parseCriterion(directorySearch(type), name, value, { base, now });
        if (read.kind !== 'value') throw new Error(`${name}=${value}: ${JSON.stringify(read)}`);
        return read.value;
      });
      const expected = rows
        .filter((row) => row.type === type)
        .filter((row) => criteria.every((criterion) => criterion === undefined || satisfies(row, criterion)))
        .map(({ name }) => name);
      if (expected.length > 0) withMatches += 1;
      const text = new URLSearchParams(
        parameters.map(([name, value]): [string, string] => [name, value]),
      ).toString();
      const { names } = await allPages(publication, type, `${text}&_sort=_id&_count=100`);
      expect([...names].sort()).toEqual([...expected].sort());
    }),
    { numRuns: queries },
  );
  // Enough queries must find something: two empty results prove little.
  expect(withMatches).toBeGreaterThan(queries / 4);
});
