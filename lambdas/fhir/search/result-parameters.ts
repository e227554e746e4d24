/** Parses `_summary`, `_elements`, `_include`, `_revinclude`, `_sort`, `_count` and `_total`. */

import {
  type PatientAccessType,
  pageSizes,
  searchBounds,
  servedResource,
} from '../../catalog/fhir/fhir-resources.ts';
import {
  invalid,
  notSupported,
  type Parameter,
  type ParameterReading,
  printable,
  rejected,
  type SearchIssue,
  understood,
} from './search-issue.ts';

/** `_summary` (R4, search.html#summary). `count`: no resource at all. */
export const summaries = ['true', 'text', 'data', 'count', 'false'] as const;
export type Summary = (typeof summaries)[number];

/** The parts of the resources that are sent. */
export interface Selection {
  readonly summary: Summary;
  /** Names of elements; undefined for all. */
  readonly elements?: readonly string[];
}

/** References of a match to be sent with it (R4, search.html#revinclude). */
export interface Include {
  /** One of the type's `includes`. */
  readonly parameter: string;
  /** Only resources of this type. */
  readonly target?: string;
}

/** Resources that refer to a match, to be sent with it: `Provenance:target`. */
export interface RevInclude {
  /** The type that refers, and its search parameter. */
  readonly source: string;
  readonly parameter: string;
}

export interface SortKey {
  /** `_id`, `_lastUpdated` or a date parameter of the type. */
  readonly name: string;
  readonly descending: boolean;
}

/** @returns results on a page: what is above the most is the most, 0 asks for the number alone (R4, search.html#count). */
export function parseCount(value: string): ParameterReading<number> {
  return /^\d+$/.test(value)
    ? understood(Math.min(Number(value), pageSizes.most))
    : rejected(
        invalid(`_count must be a whole number from 0 to ${pageSizes.most}, not ${printable(value)}.`),
      );
}

export function parseSummary(value: string): ParameterReading<Summary> {
  const known = summaries.find((summary) => summary === value);
  return known === undefined
    ? rejected(invalid(`_summary must be one of ${summaries.join(', ')}, not ${printable(value)}.`))
    : understood(known);
}

export function parseTotal(value: string): ParameterReading<'accurate'> {
  return ['none', 'estimate', 'accurate'].includes(value)
    ? understood('accurate')
    : rejected(invalid(`_total must be one of none, estimate, accurate, not ${printable(value)}.`));
}

export function parseElements(value: string): ParameterReading<readonly string[]> {
  const names = listed(value);
  const wrong = names.find((name) => !/^[A-Za-z][A-Za-z0-9]{0,63}$/.test(name));
  return wrong === undefined
    ? understood(names)
    : rejected(
        invalid(
          `_elements must have names of elements such as status,billablePeriod, not ${printable(wrong)}.`,
        ),
      );
}

/** R4, search.html#elements: of the two, one would be ignored. */
export const summaryBesideElements = invalid('_summary and _elements can’t be used together.');

/**
 * Reads `_summary` and `_elements` of a read (R4, http.html#read), which may send a part of the resource.
 *
 * @param parameters decoded; others are left alone. Each counts once; an empty value is as good as not sent.
 */
export function parseSelection(
  parameters: readonly Parameter[],
):
  | { readonly kind: 'selection'; readonly selection: Selection }
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] } {
  const valuesOf = (name: string) =>
    parameters.filter(([sent, value]) => sent === name && value.trim() !== '').map(([, value]) => value);
  const [summaries, lists] = [valuesOf('_summary'), valuesOf('_elements')];
  const summary = parseSummary(summaries[0] ?? 'false');
  const elements = parseElements(lists[0] ?? '');
  const issues = [summary, elements].flatMap((each) => (each.kind === 'rejected' ? [each.issue] : []));
  const whole = summary.kind === 'value' && summary.value === 'false';
  if (summaries.length > 1) issues.push(invalid('_summary was sent more than once. Send it once.'));
  if (lists.length > 1) issues.push(invalid('_elements was sent more than once. Send it once.'));
  if (summary.kind === 'value' && summary.value === 'count')
    issues.push(invalid('_summary=count is for searches only. A read returns one resource.'));
  if (lists.length > 0 && summaries.length > 0 && !whole) issues.push(summaryBesideElements);
  if (issues.length > 0 || summary.kind === 'rejected' || elements.kind === 'rejected') {
    return { kind: 'invalid', issues };
  }
  const chosen = elements.value.length > 0 && { elements: elements.value };
  return { kind: 'selection', selection: { summary: summary.value, ...chosen } };
}

/** `Type:parameter`, `Type:parameter:target`, `Type:*` or `*`. */
export function parseInclude(type: PatientAccessType, value: string): ParameterReading<readonly Include[]> {
  const { includes } = servedResource(type);
  const [source = '', parameter = '', target, ...more] = value === '*' ? [type, '*'] : value.split(':');
  const known = parameter === '*' ? target === undefined : includes.includes(parameter);
  if (source !== type || !known || target === '' || more.length > 0) {
    const values = includes.map((include) => `${type}:${include}`);
    return rejected(
      notSupported(
        `_include of ${type} must be one of ${[...values, `${type}:*`].join(', ')} or *, not ${printable(value)}.`,
      ),
    );
  }
  if (parameter === '*') return understood(includes.map((include) => ({ parameter: include })));
  return understood([target === undefined ? { parameter } : { parameter, target }]);
}

/** `Provenance:target`, or with the type that is searched behind it. */
export function parseRevInclude(type: PatientAccessType, value: string): ParameterReading<RevInclude> {
  const { revIncludes } = servedResource(type);
  const known = revIncludes.find((each) => value === each || value === `${each}:${type}`);
  if (known === undefined) {
    return rejected(
      notSupported(
        revIncludes.length === 0
          ? `_revinclude of ${type} is not supported. Send the search without it.`
          : `_revinclude of ${type} must be ${revIncludes.join(', ')}, not ${printable(value)}.`,
      ),
    );
  }
  const [source = '', parameter = ''] = known.split(':');
  return understood({ source, parameter });
}

export function parseSort(type: PatientAccessType, value: string): ParameterReading<readonly SortKey[]> {
  const names = sortable(type);
  const keys = listed(value).map((text) => ({
    name: text.replace(/^-/, ''),
    descending: text.startsWith('-'),
  }));
  const wrong = keys.find(({ name }) => !names.includes(name));
  if (wrong !== undefined) {
    return rejected(
      notSupported(
        `_sort must have names among ${names.join(', ')}, each with - for descending order, not ${printable(wrong.name)}.`,
      ),
    );
  }
  return keys.length > searchBounds.sortNames
    ? rejected(invalid(`_sort can have at most ${searchBounds.sortNames} names.`))
    : understood(keys);
}

export function sortable(type: PatientAccessType): readonly string[] {
  const dates = servedResource(type).searchParameters.filter((parameter) => parameter.type === 'date');
  return ['_id', '_lastUpdated', ...dates.map(({ name }) => name)];
}

/** Newest first, where a request doesn't say. */
export function usualSort(type: PatientAccessType): readonly SortKey[] {
  return [{ name: servedResource(type).newestBy ?? '_lastUpdated', descending: true }];
}

function listed(value: string): readonly string[] {
  return value
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}
