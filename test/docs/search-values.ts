/** Values of search parameters that find something in the sandbox, for the API reference. */

import {
  type DirectoryParameter,
  directoryResource,
} from '../../lambdas/catalog/fhir/directory-resources.ts';
import { type DirectoryType, directoryTypes } from '../../lambdas/catalog/fhir/directory-types.ts';
import {
  patientAccessTypes,
  recordSearchParameters,
  type SearchParameter,
  servedResource,
} from '../../lambdas/catalog/fhir/fhir-resources.ts';
import type { MemberLoad } from '../../lambdas/loads/ingest/ingest-contract.ts';
import { type IndexValue, indexValues } from '../../lambdas/provider-directory/build/index-values.ts';
import { parameterElements } from '../../lambdas/provider-directory/publication/publication-schema.ts';
import { searchTexts, valuesAt } from '../support/search-texts.ts';

/** Values by resource type and parameter; the ID of a resource that they find as `_id`. */
export type SearchValues = Readonly<Record<string, Readonly<Record<string, string>>>>;

type Resource = Readonly<Record<string, unknown>> & { readonly id: string };

/** A value that needs no escape in a query (R4, search.html#escaping) and is short enough for a table. */
const isPlain = (text: string) => /^[^,|$\\]{1,80}$/.test(text);

/** The value that most resources have; of several the first. */
function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}

/** All that is not before the year of the latest date. */
function sinceLatest(dates: readonly string[]): string | undefined {
  const latest = [...dates].sort().at(-1);
  return latest && `ge${latest.slice(0, 4)}-01-01`;
}

function withoutGaps(entries: readonly (readonly [string, string | undefined])[]): Record<string, string> {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, string>;
}

/** The values of a member's record. @param months the record as it is loaded in two months: what is in both lasts */
export function recordValues(months: readonly [MemberLoad, MemberLoad]): SearchValues {
  const [resources, later] = months.map((member) => member.resources);
  const lasting = new Set(later?.map(({ json }) => json));
  return Object.fromEntries(
    patientAccessTypes.map((type) => {
      const found = (resources ?? [])
        .filter(({ resourceType, json }) => resourceType === type && lasting.has(json))
        .map(({ json }) => JSON.parse(json) as Resource);
      const parameters = [...recordSearchParameters, ...servedResource(type).searchParameters];
      const isSearched = servedResource(type).interactions.some((each) => each === 'search-type');
      const own = isSearched ? parameters.map((each) => [each.name, foundValue(found, each)] as const) : [];
      return [type, withoutGaps([...own, ['_id', found[0]?.id]])];
    }),
  );
}

function foundValue(found: readonly Resource[], parameter: SearchParameter): string | undefined {
  if (parameter.name === '_lastUpdated') {
    return sinceLatest(found.flatMap((each) => valuesAt(each, ['meta', 'lastUpdated'])).map(String));
  }
  const texts = found.flatMap((each) => [...new Set(searchTexts(each, parameter))]).filter(isPlain);
  if (parameter.type !== 'date') return mostFrequent(texts);
  const starts = parameter.sources
    .filter(({ as }) => as === 'Period')
    .flatMap(({ path }) => found.flatMap((each) => valuesAt(each, [...path.split('.'), 'start'])));
  return sinceLatest([...texts, ...starts.map(String)]);
}

/** The values of a directory. @param of the active resources of a type */
export function directoryValues(of: (type: DirectoryType) => readonly Resource[]): SearchValues {
  return Object.fromEntries(
    directoryTypes.map((type) => {
      const resources = of(type);
      const indexed = resources.flatMap((each) => indexValues(type, each).values);
      const values = directoryResource(type).parameters.map((parameter: DirectoryParameter) => {
        const { numbers } = parameterElements(type, parameter.name);
        const own = indexed.flatMap(([element, value]) => (numbers.includes(element.number) ? [value] : []));
        return [parameter.name, directoryValue(own)] as const;
      });
      const lastUpdated = resources.flatMap((each) => valuesAt(each, ['meta', 'lastUpdated'])).map(String);
      return [
        type,
        withoutGaps([...values, ['_lastUpdated', sinceLatest(lastUpdated)], ['_id', resources[0]?.id]]),
      ];
    }),
  );
}

function directoryValue(values: readonly IndexValue[]): string | undefined {
  const [first] = values;
  if (first?.kind === 'position') return `${first.latitude}|${first.longitude}|10|[mi_us]`;
  if (first?.kind === 'date') return undefined;
  const texts = values.flatMap((value) =>
    value.kind === 'token'
      ? [value.code]
      : value.kind === 'string'
        ? [value.text]
        : value.kind === 'reference'
          ? [value.target]
          : [],
  );
  return mostFrequent(texts.filter((text) => text !== '' && isPlain(text)));
}
