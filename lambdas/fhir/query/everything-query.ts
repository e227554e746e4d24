/** Parses the parameters of `$everything`. */

import { isPatientAccessType, type PatientAccessType, pageSizes } from '../../catalog/fhir/fhir-resources.ts';
import { type DateRange, dateRange, startOf } from '../values/date-range.ts';
import { readSentParameters } from './parameters.ts';
import type { ParsedQuery } from './query.ts';
import { parseCount } from './result-parameters.ts';
import {
  invalid,
  notSupported,
  type Parameter,
  printable,
  rejected,
  type SearchIssue,
  understood,
} from './search-issue.ts';

/** The parameters of `$everything` (R4, operation-patient-everything.html). */
export interface EverythingQuery {
  /** Undefined for all types. */
  readonly types?: readonly PatientAccessType[];
  /** Earliest `meta.lastUpdated`, milliseconds since 1970. */
  readonly since?: number;
  /** First and last date of the period in which care was given, both included. */
  readonly start?: DateRange;
  readonly end?: DateRange;
  /** Results on a page; 0 for the total alone. */
  readonly count: number;
  readonly used: readonly Parameter[];
  readonly ignored: readonly string[];
}

type Parsed =
  | { readonly kind: 'query'; readonly query: EverythingQuery }
  | Extract<ParsedQuery, { kind: 'invalid' }>;

interface Draft {
  types?: readonly PatientAccessType[];
  since?: number;
  start?: DateRange;
  end?: DateRange;
  count?: number;
  readonly used: Parameter[];
}

type Reader = (draft: Draft, value: string) => SearchIssue | undefined;

/** Parsers of the parameters. `_type` may be repeated (OperationDefinition/Patient-everything, 0..*); any other parameter must not be. */
const readers: Readonly<Record<string, Reader>> = {
  _type(draft, value) {
    const names = value.split(',').filter((name) => name !== '');
    // An unknown type is an error, as in an export: ignoring it would look like a record without such resources.
    const wrong = names.find((name) => !isPatientAccessType(name));
    if (wrong !== undefined)
      return notSupported(`_type names ${printable(wrong)}, which is not a type that is served.`);
    draft.types = [...(draft.types ?? []), ...names.filter(isPatientAccessType)];
    return undefined;
  },
  _since(draft, value) {
    const range = timeOf(value);
    if (range === undefined)
      return invalid(`_since must be an instant such as 2026-03-31T08:00:00Z, not ${printable(value)}.`);
    draft.since = startOf(range);
    return undefined;
  },
  start: careDate('start'),
  end: careDate('end'),
  _count(draft, value) {
    const count = parseCount(value, pageSizes.everything);
    if (count.kind === 'rejected') return count.issue;
    draft.count = count.value;
    return undefined;
  },
};

function careDate(name: 'start' | 'end'): Reader {
  return (draft, value) => {
    const range = timeOf(value);
    if (range === undefined)
      return invalid(`${name} must be a date such as 2026-03-31, not ${printable(value)}.`);
    draft[name] = range;
    return undefined;
  };
}

function timeOf(value: string): DateRange | undefined {
  // URL decoding may have turned the `+` of an offset into a space.
  return dateRange(value.replace(' ', '+'));
}

export function isEverythingParameter(name: string): boolean {
  return Object.hasOwn(readers, name);
}

/**
 * Parses the parameters of `$everything`.
 *
 * @param strict as for a search: an unknown parameter is an error.
 */
export function parseEverything(parameters: readonly Parameter[], strict: boolean): Parsed {
  const draft: Draft = { used: [] };
  const supported = Object.keys(readers);
  const once = supported.filter((name) => name !== '_type');
  const place = { place: '$everything', supported, once, strict };
  const { issues, ignored } = readSentParameters(parameters, place, (name, value) => {
    const reader = isEverythingParameter(name) ? readers[name] : undefined;
    if (reader === undefined) return { kind: 'unknown' };
    draft.used.push([name, value]);
    const issue = reader(draft, value);
    return issue === undefined ? understood(undefined) : rejected(issue);
  });
  if (issues.length > 0) return { kind: 'invalid', issues };
  const { count = pageSizes.everything, ...rest } = draft;
  return { kind: 'query', query: { ...rest, count, ignored } };
}
