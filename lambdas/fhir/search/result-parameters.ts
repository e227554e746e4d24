import {
  type PatientAccessType,
  pageSizes,
  searchBounds,
  servedResource,
} from '../../catalog/fhir-resources.ts';
import { invalid, notSupported, type Parameter, printable, type SearchIssue } from './search-issue.ts';

/** `_summary` (R4, search.html#summary). `count`: no resource at all. */
export const summaries = ['true', 'text', 'data', 'count', 'false'] as const;
export type Summary = (typeof summaries)[number];

/** What of the resources is sent. */
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

export interface SortKey {
  /** `_id`, `_lastUpdated` or a date parameter of the type. */
  readonly name: string;
  readonly descending: boolean;
}

/** @returns results on a page: what is above the most is the most, 0 asks for the number alone (R4, search.html#count). */
export function parseCount(value: string): number | SearchIssue {
  return /^\d+$/.test(value)
    ? Math.min(Number(value), pageSizes.most)
    : invalid(`_count must be a whole number from 0 to ${pageSizes.most}, not ${printable(value)}.`);
}

export function parseSummary(value: string): Summary | SearchIssue {
  return (
    summaries.find((summary) => summary === value) ??
    invalid(`_summary must be one of ${summaries.join(', ')}, not ${printable(value)}.`)
  );
}

export function parseTotal(value: string): 'accurate' | SearchIssue {
  return ['none', 'estimate', 'accurate'].includes(value)
    ? 'accurate'
    : invalid(`_total must be one of none, estimate, accurate, not ${printable(value)}.`);
}

export function parseElements(value: string): readonly string[] | SearchIssue {
  const names = listed(value);
  const wrong = names.find((name) => !/^[A-Za-z][A-Za-z0-9]{0,63}$/.test(name));
  return wrong === undefined
    ? names
    : invalid(
        `_elements must have names of elements such as status,billablePeriod, not ${printable(wrong)}.`,
      );
}

/** R4, search.html#elements: of the two, one would be ignored. */
export const summaryBesideElements = invalid('_summary and _elements can’t be used together.');

/**
 * Reads `_summary` and `_elements` of a read (R4, http.html#read), which may send a part of the resource.
 *
 * @param parameters decoded; others are left alone. Each counts once; an empty value is as good as not sent.
 */
export function parseSelection(parameters: readonly Parameter[]): Selection | readonly SearchIssue[] {
  const valuesOf = (name: string) =>
    parameters.filter(([sent, value]) => sent === name && value.trim() !== '').map(([, value]) => value);
  const [summaries, lists] = [valuesOf('_summary'), valuesOf('_elements')];
  const summary = summaries[0] === undefined ? 'false' : parseSummary(summaries[0]);
  const elements = lists[0] === undefined ? [] : parseElements(lists[0]);
  const issues = [summary, elements].filter((read) => typeof read === 'object' && 'diagnostics' in read);
  if (summaries.length > 1) issues.push(invalid('_summary was sent more than once. Send it once.'));
  if (lists.length > 1) issues.push(invalid('_elements was sent more than once. Send it once.'));
  if (summary === 'count')
    issues.push(invalid('_summary=count is for searches only. A read returns one resource.'));
  if (lists.length > 0 && summaries.length > 0 && summary !== 'false') issues.push(summaryBesideElements);
  if (issues.length > 0) return issues;
  const chosen = elements as readonly string[];
  return { summary: summary as Summary, ...(chosen.length > 0 && { elements: chosen }) };
}

/** `Type:parameter`, `Type:parameter:target`, `Type:*` or `*`. */
export function parseInclude(type: PatientAccessType, value: string): readonly Include[] | SearchIssue {
  const { includes } = servedResource(type);
  const [source = '', parameter = '', target, ...more] = value === '*' ? [type, '*'] : value.split(':');
  const known = parameter === '*' ? target === undefined : includes.includes(parameter);
  if (source !== type || !known || target === '' || more.length > 0) {
    const values = includes.map((include) => `${type}:${include}`);
    return notSupported(
      `_include of ${type} must be one of ${[...values, `${type}:*`].join(', ')} or *, not ${printable(value)}.`,
    );
  }
  if (parameter === '*') return includes.map((include) => ({ parameter: include }));
  return [target === undefined ? { parameter } : { parameter, target }];
}

export function parseSort(type: PatientAccessType, value: string): readonly SortKey[] | SearchIssue {
  const names = sortable(type);
  const keys = listed(value).map((text) => ({
    name: text.replace(/^-/, ''),
    descending: text.startsWith('-'),
  }));
  const wrong = keys.find(({ name }) => !names.includes(name));
  if (wrong !== undefined) {
    return notSupported(
      `_sort must have names among ${names.join(', ')}, each with - for descending order, not ${printable(wrong.name)}.`,
    );
  }
  return keys.length > searchBounds.sortNames
    ? invalid(`_sort can have at most ${searchBounds.sortNames} names.`)
    : keys;
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
