/** Parses `_typeFilter` of an export (Bulk Data Access IG 2.0.0, "Query Parameters"): searches that select the resources of a type. */

import { isPatientAccessType, type PatientAccessType } from '../../catalog/fhir/fhir-resources.ts';
import { nameOf } from '../../catalog/fhir/resource-name.ts';
import type { Criterion, CriterionContext } from '../../fhir/query/criteria.ts';
import { memberSearch } from '../../fhir/query/member-searches.ts';
import { parseQuery } from '../../fhir/query/query.ts';
import {
  invalid,
  notSupported,
  type Parameter,
  printable,
  type SearchIssue,
} from '../../fhir/query/search-issue.ts';
import { followChains, matchesCriteria } from '../../fhir/search/matching.ts';
import { searchValues } from '../../fhir/values/values.ts';
import type { ReleasedResource } from '../release/released-resources.ts';

/** A parsed search of one type. */
export interface TypeFilter {
  readonly type: PatientAccessType;
  readonly criteria: readonly Criterion[];
}

export type TypeFilterReading =
  | { readonly kind: 'filters'; readonly filters: readonly TypeFilter[] }
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] };

/** Parses filters such as `Encounter?date=ge2025-01-01`. A value may contain several, separated by commas. */
export function readTypeFilters(values: readonly string[], context: CriterionContext): TypeFilterReading {
  // A comma also separates alternatives within a search, so that only a comma before a type and `?` starts the next filter.
  const texts = values.flatMap((value) => value.split(/,(?=[A-Z][A-Za-z]*\?)/));
  const readings = texts.map((text) => readTypeFilter(text, context));
  const issues = readings.flatMap((reading) => (reading.kind === 'invalid' ? reading.issues : []));
  return issues.length > 0
    ? { kind: 'invalid', issues }
    : {
        kind: 'filters',
        filters: readings.flatMap((reading) => (reading.kind === 'filters' ? reading.filters : [])),
      };
}

function readTypeFilter(text: string, context: CriterionContext): TypeFilterReading {
  const [, type = '', search = ''] = /^([A-Z][A-Za-z]*)\?(.+)$/.exec(text) ?? [];
  if (!isPatientAccessType(type)) {
    const example = 'Encounter?date=ge2025-01-01';
    return refuse([
      invalid(
        `_typeFilter must be a search of a type that is exported, such as ${example}, not ${printable(text)}.`,
      ),
    ]);
  }
  const parameters: readonly Parameter[] = [...new URLSearchParams(search)];
  const parsed = parseQuery(memberSearch(type), parameters, { ...context, strict: false });
  if (parsed.kind === 'invalid') {
    return refuse(
      parsed.issues.map(({ code, diagnostics }) => ({
        code,
        diagnostics: `_typeFilter of ${type}: ${diagnostics}`,
      })),
    );
  }
  const { criteria } = parsed.query;
  // A filter is refused if any part of it would be ignored: an unknown name, an empty value, or a result parameter such as _count.
  if (criteria.length === parameters.length) return { kind: 'filters', filters: [{ type, criteria }] };
  const names = memberSearch(type).parameters.map(({ name }) => name);
  return refuse([
    notSupported(
      `_typeFilter of ${type} can have these search parameters, each with a value: ${names.join(', ')}. It was ${printable(text)}.`,
    ),
  ]);
}

function refuse(issues: readonly SearchIssue[]): TypeFilterReading {
  return { kind: 'invalid', issues };
}

/**
 * Streams the resources of one member that match a filter of their type, in the given order. Types without a filter are not limited.
 * Filters compare the released resources, so they find nothing by withheld elements.
 */
export async function* filteredResources(
  released: AsyncIterable<ReleasedResource>,
  filters: readonly TypeFilter[],
): AsyncIterable<ReleasedResource> {
  if (filters.length === 0) return yield* released;
  const resources: ReleasedResource[] = [];
  for await (const resource of released) resources.push(resource);
  const candidates = resources.map(({ json, ...version }) => {
    const values = searchValues(JSON.parse(json));
    return { entry: { ...version, values }, values };
  });
  const filtered = new Set<string>(filters.map(({ type }) => type));
  const found = new Set(
    filters.flatMap(({ type, criteria }) => {
      const ofType = candidates.filter(({ entry }) => entry.resourceType === type);
      const followed = followChains(ofType, criteria);
      return ofType
        .filter((candidate) => matchesCriteria(candidate, followed))
        .map(({ entry }) => nameOf(entry));
    }),
  );
  yield* resources.filter((each) => !filtered.has(each.resourceType) || found.has(nameOf(each)));
}
