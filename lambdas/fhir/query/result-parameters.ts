/** Parses `_summary`, `_elements`, `_sort`, `_count` and `_total`. */

import { pageSizes, searchBounds } from '../../catalog/fhir/fhir-resources.ts';
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

/** Values of `_summary` (R4, search.html#summary). `count` returns no resources. */
export const summaries = ['true', 'text', 'data', 'count', 'false'] as const;
export type Summary = (typeof summaries)[number];

/** The elements of resources that are sent, by `_summary` and `_elements`. */
export interface Selection {
  readonly summary: Summary;
  /** Element names, of the searched type or with a type: `status`, `Patient.name`. Undefined for all elements. */
  readonly elements?: readonly string[];
}

export interface SortKey {
  /** One of the names that `_sort` takes for the type. */
  readonly name: string;
  readonly descending: boolean;
  /** Sorts resources with this code in the token parameter `name` before all others. Used in usual orders only; no query can ask for it. */
  readonly first?: string;
}

/**
 * Parses `_count`.
 *
 * @returns the results on a page, limited to `most`; 0 for the total alone (R4, search.html#count).
 */
export function parseCount(value: string, most: number = pageSizes.most): ParameterReading<number> {
  return /^\d+$/.test(value)
    ? understood(Math.min(Number(value), most))
    : rejected(invalid(`_count must be a whole number from 0 to ${most}, not ${printable(value)}.`));
}

export function parseSummary(value: string): ParameterReading<Summary> {
  const known = summaries.find((summary) => summary === value);
  return known === undefined
    ? rejected(invalid(`_summary must be one of ${summaries.join(', ')}, not ${printable(value)}.`))
    : understood(known);
}

const totals = ['none', 'estimate', 'accurate'] as const;
/** `_total` (R4, search.html#total). */
export type Total = (typeof totals)[number];

export function parseTotal(value: string): ParameterReading<Total> {
  const known = totals.find((total) => total === value);
  return known === undefined
    ? rejected(invalid(`_total must be one of ${totals.join(', ')}, not ${printable(value)}.`))
    : understood(known);
}

export function parseElements(value: string): ParameterReading<readonly string[]> {
  const names = commaSeparated(value);
  const wrong = names.find((name) => !/^(?:[A-Z][A-Za-z]{1,63}\.)?[A-Za-z][A-Za-z0-9]{0,63}$/.test(name));
  return wrong === undefined
    ? understood(names)
    : rejected(
        invalid(
          `_elements must have names of elements such as status,billablePeriod, not ${printable(wrong)}.`,
        ),
      );
}

/** R4, search.html#elements allows only one of the two. */
export const summaryBesideElements = invalid('_summary and _elements can’t be used together.');

/**
 * Parses `_summary` and `_elements` of a read (R4, http.html#read), which may return part of the resource.
 *
 * @param parameters decoded; other parameters are ignored. Each may be sent once; an empty value is treated as not sent.
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

/**
 * Parses `_sort`.
 *
 * @param names that `_sort` takes for the type.
 */
export function parseSort(names: readonly string[], value: string): ParameterReading<readonly SortKey[]> {
  const keys = commaSeparated(value).map((text) => ({
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

/** The elements of one resource in a Bundle that are sent. An element name without a type applies to matches only. */
export function selectionOf(
  { summary, elements }: Selection,
  type: string,
  mode: 'match' | 'include',
): Selection {
  const named = elements?.flatMap((name) => {
    const [first = '', second] = name.split('.');
    if (second === undefined) return mode === 'match' ? [first] : [];
    return first === type ? [second] : [];
  });
  return named === undefined || named.length === 0 ? { summary } : { summary, elements: named };
}

function commaSeparated(value: string): readonly string[] {
  return value
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}
