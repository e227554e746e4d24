/** Parses the parameters of `$docref`. */

import { pageSizes, servedResource } from '../catalog/fhir/fhir-resources.ts';
import type { Criterion, CriterionContext } from '../fhir/query/criteria.ts';
import { parseCriterion } from '../fhir/query/criterion.ts';
import { memberSearch } from '../fhir/query/member-searches.ts';
import { readSentParameters } from '../fhir/query/parameters.ts';
import type { ParsedQuery } from '../fhir/query/query.ts';
import { parseCount } from '../fhir/query/result-parameters.ts';
import {
  invalid,
  type Parameter,
  type ParameterReading,
  printable,
  rejected,
  type SearchIssue,
  understood,
} from '../fhir/query/search-issue.ts';
import { type DateRange, dateRange } from '../fhir/values/date-range.ts';
import { namedReference } from '../fhir/values/reference.ts';

/** The parsed parameters of `$docref`. */
export interface DocrefQuery {
  readonly patientId: string;
  /** First and last date of the documented care. */
  readonly start?: DateRange;
  readonly end?: DateRange;
  /** Criteria for the document's type. */
  readonly criteria: readonly Criterion[];
  /** Whether the request can be answered with stored documents in a profile that they have. */
  readonly stored: boolean;
  readonly count: number;
  readonly used: readonly Parameter[];
  readonly ignored: readonly string[];
}

interface Draft {
  patientId?: string;
  start?: DateRange;
  end?: DateRange;
  readonly types: string[];
  readonly profiles: string[];
  onDemand: boolean;
  count: number;
}

type Reader = (draft: Draft, value: string) => SearchIssue | undefined;

const readers: Readonly<Record<string, Reader>> = {
  patient(draft, value) {
    draft.patientId = namedReference(value)?.name.replace(/^Patient\//, '') ?? value;
    return undefined;
  },
  start: careDate('start'),
  end: careDate('end'),
  type(draft, value) {
    draft.types.push(value);
    return undefined;
  },
  'on-demand'(draft, value) {
    if (value !== 'true' && value !== 'false') {
      return invalid(`on-demand must be true or false, not ${printable(value)}.`);
    }
    draft.onDemand = value === 'true';
    return undefined;
  },
  profile(draft, value) {
    draft.profiles.push(value.split('|', 1)[0] ?? '');
    return undefined;
  },
  _count(draft, value) {
    const count = parseCount(value);
    if (count.kind === 'rejected') return count.issue;
    draft.count = count.value;
    return undefined;
  },
};

/** Parameters that may be repeated (OperationDefinition, 0..*). Any other must not be. */
const repeatable = ['type', 'profile'];

const supported = 'patient (required), start, end, type, on-demand and profile';

function careDate(name: 'start' | 'end'): Reader {
  return (draft, value) => {
    // URL decoding may have turned the `+` of an offset into a space.
    const range = dateRange(value.replace(' ', '+'));
    if (range === undefined)
      return invalid(`${name} must be a date such as 2026-03-31T08:00:00Z, not ${printable(value)}.`);
    draft[name] = range;
    return undefined;
  };
}

export function isDocrefParameter(name: string): boolean {
  return Object.hasOwn(readers, name);
}

/**
 * Parses the parameters of `$docref`.
 *
 * @param context as for a search.
 */
export function parseDocref(
  parameters: readonly Parameter[],
  context: CriterionContext & { readonly strict: boolean },
): { readonly kind: 'query'; readonly query: DocrefQuery } | Extract<ParsedQuery, { kind: 'invalid' }> {
  const draft: Draft = { types: [], profiles: [], onDemand: false, count: pageSizes.usual };
  const used: Parameter[] = [];
  const names = Object.keys(readers);
  const once = names.filter((name) => !repeatable.includes(name));
  const place = { place: '$docref', supported: names, once, strict: context.strict };
  const { issues, ignored } = readSentParameters(parameters, place, (name, value) => {
    const reader = isDocrefParameter(name) ? readers[name] : undefined;
    if (reader === undefined) return { kind: 'unknown' };
    used.push([name, value]);
    const issue = reader(draft, value);
    return issue === undefined ? understood(undefined) : rejected(issue);
  });
  if (draft.patientId === undefined) {
    issues.push({ code: 'required', diagnostics: `patient is missing. $docref takes ${supported}.` });
  }
  const criteria = typeCriteria(draft.types, context);
  if (criteria.kind === 'rejected') issues.push(criteria.issue);
  const { patientId, types: _types, profiles, onDemand, ...rest } = draft;
  if (issues.length > 0 || patientId === undefined || criteria.kind === 'rejected') {
    return { kind: 'invalid', issues };
  }
  const stored = !onDemand && (profiles.length === 0 || profiles.some(isServedProfile));
  const query = { ...rest, patientId, criteria: criteria.value, stored, used, ignored };
  return { kind: 'query', query };
}

/** Criteria for documents of any of the given types. */
function typeCriteria(
  types: readonly string[],
  context: CriterionContext,
): ParameterReading<readonly Criterion[]> {
  if (types.length === 0) return understood([]);
  const read = parseCriterion(memberSearch('DocumentReference'), 'type', types.join(','), context);
  if (read.kind === 'rejected') return read;
  return understood(read.kind === 'unknown' || read.value === undefined ? [] : [read.value]);
}

function isServedProfile(profile: string): boolean {
  return servedResource('DocumentReference').supportedProfiles.some(
    (each) => each.slice(0, each.lastIndexOf('|')) === profile,
  );
}
