/** Filters resources by search parameters without an index, as the reference for searches by the index. */

import { type SearchParameter, servedResource } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { searchTexts, valuesAt } from '../../support/search-texts.ts';
import type { Resource } from './world.ts';

type Json = Readonly<Record<string, unknown>>;
/** Milliseconds since 1970: the first, and the first that no longer belongs to the range. */
type Range = readonly [number, number];

/** Conditions of the date prefixes in the words of R4 (search.html#prefix). */
const prefixes = {
  eq: ([from, to]: Range, [start, end]: Range) => from <= start && end <= to,
  ne: (asked: Range, value: Range) => !prefixes.eq(asked, value),
  gt: ([, to]: Range, [, end]: Range) => end > to,
  lt: ([from]: Range, [start]: Range) => start < from,
  ge: (asked: Range, value: Range) => prefixes.gt(asked, value) || prefixes.eq(asked, value),
  le: (asked: Range, value: Range) => prefixes.lt(asked, value) || prefixes.eq(asked, value),
  sa: ([, to]: Range, [start]: Range) => start >= to,
  eb: ([from]: Range, [, end]: Range) => end <= from,
} as const;
export type Prefix = keyof typeof prefixes;
export const datePrefixNames = Object.keys(prefixes) as readonly Prefix[];

/** The values of a resource by which a search for the parameter finds it, as texts. */
export function textsOf(resource: Resource, parameter: SearchParameter): readonly string[] {
  if (parameter.name === '_id') return [resource.id];
  if (parameter.name === '_lastUpdated') return [String((resource.meta as Json).lastUpdated)];
  return searchTexts(resource, parameter).filter((text) => text !== '');
}

/** Whether a resource has a value of a parameter. Dates are compared by `isDated`. */
export function isFound(
  all: readonly Resource[],
  resource: Resource,
  parameter: SearchParameter,
  asked: string,
): boolean {
  const values = textsOf(resource, parameter);
  const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  if (parameter.name === '_id') return resource.id === asked;
  if (parameter.chainedBy !== undefined) return chainOf(all, resource, parameter).has(asked.toLowerCase());
  if (parameter.type === 'string') return values.some((value) => folded(value).startsWith(folded(asked)));
  if (parameter.type === 'token') return values.some((value) => value.toLowerCase() === asked.toLowerCase());
  if (parameter.type === 'reference') return values.includes(asked);
  return values.some((value) => value === asked || value.startsWith(`${asked}|`));
}

/**
 * Whether a date of the resource matches a prefix and a day.
 *
 * @param day `YYYY-MM-DD`
 */
export function isDated(
  resource: Resource,
  parameter: SearchParameter,
  prefix: Prefix,
  day: string,
): boolean {
  return rangesOf(resource, parameter).some((range) => prefixes[prefix](rangeOf(day), range));
}

export function rangesOf(resource: Resource, parameter: SearchParameter): readonly Range[] {
  const periods = parameter.sources
    .filter(({ as }) => as === 'Period')
    .flatMap(({ path }) => valuesAt(resource, path.split('.')) as readonly Json[])
    .filter(({ start, end }) => start !== undefined || end !== undefined)
    .map(
      ({ start, end }): Range => [
        start === undefined ? Number.NEGATIVE_INFINITY : rangeOf(String(start))[0],
        end === undefined ? Number.POSITIVE_INFINITY : rangeOf(String(end))[1],
      ],
    );
  return [...textsOf(resource, parameter).map(rangeOf), ...periods];
}

/** The range of a date or dateTime, by its precision. `00` is an unknown month or day. */
function rangeOf(text: string): Range {
  if (text.includes('T')) {
    const instant = Date.parse(text);
    return [instant, instant + (/\.\d/.test(text) ? 1 : 1000)];
  }
  const [year, month = 0, day = 0] = text.split('-').map(Number) as [number, number?, number?];
  if (month === 0) return [Date.UTC(year, 0), Date.UTC(year + 1, 0)];
  if (day === 0) return [Date.UTC(year, month - 1), Date.UTC(year, month)];
  return [Date.UTC(year, month - 1, day), Date.UTC(year, month - 1, day + 1)];
}

const chains = new WeakMap<Resource, ReadonlySet<string>>();

/** All texts of the chain of claims that a resource belongs to, found by following links until none is new. */
function chainOf(all: readonly Resource[], resource: Resource, parameter: SearchParameter) {
  const known = chains.get(resource);
  if (known !== undefined) return known;
  const linkedBy = servedResource('ExplanationOfBenefit').searchParameters.find(
    ({ name }) => name === parameter.chainedBy,
  );
  const own = (each: Resource) =>
    [parameter, ...(linkedBy ? [linkedBy] : [])]
      .flatMap((of) => searchTexts(each, of))
      .map((text) => text.toLowerCase());
  const chain = new Set(own(resource));
  for (let size = 0; size < chain.size; ) {
    size = chain.size;
    for (const texts of all.filter(({ resourceType }) => resourceType === resource.resourceType).map(own)) {
      if (texts.some((text) => text.includes('|') && chain.has(text)))
        for (const text of texts) chain.add(text);
    }
  }
  chains.set(resource, chain);
  return chain;
}
