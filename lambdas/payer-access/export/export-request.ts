/** Parses the parameters of `Group/{id}/$davinci-data-export` and `Group/{id}/$export` (Bulk Data Access IG 2.0.0). */

import { isFhirInstant } from '../../catalog/fhir/fhir-instant.ts';
import { patientAccessTypes, searchBounds } from '../../catalog/fhir/fhir-resources.ts';
import { type ExportParameter, payerToPayer } from '../../catalog/payer/export-parameters.ts';
import type { CriterionContext } from '../../fhir/query/criteria.ts';
import { printable, type SearchIssue } from '../../fhir/query/search-issue.ts';
import { issuesInAnswer } from '../match/match-request.ts';
import { readTypeFilters } from './type-filters.ts';

export interface ExportParameters {
  /** IDs of the Patients to export; empty for all Patients of the group. */
  readonly patients: readonly string[];
  readonly types?: readonly string[] | undefined;
  /** Earliest `meta.lastUpdated`, milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Values of `_typeFilter`, as sent. */
  readonly typeFilters?: readonly string[] | undefined;
}

export type ExportReading =
  | { readonly kind: 'request'; readonly parameters: ExportParameters }
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] };

/** Names of NDJSON that a client may send. */
const outputFormats = ['application/fhir+ndjson', 'application/ndjson', 'ndjson'];

type Faults = readonly string[];
type Checker = (values: readonly string[]) => Faults;

const once: Checker = (values) => (values.length > 1 ? ['was sent more than once. Send it once.'] : []);
const instant: Checker = (values) =>
  values.some((value) => !isFhirInstant(value)) ? ['must be an instant such as 2026-03-31T08:00:00Z.'] : [];

/** The supported parameters, each with a function that lists the issues of its values. Any other parameter is refused. */
const checkers: Readonly<Record<ExportParameter, Checker>> = {
  exportType: (values) =>
    values.some((value) => value !== payerToPayer) ? [`must be ${payerToPayer}.`] : [],
  patient: (values) =>
    values.some((value) => !/^Patient\/[A-Za-z0-9.-]{1,64}$/.test(value))
      ? ['must be a reference such as Patient/123.']
      : [],
  _since: (values) => [...once(values), ...instant(values)],
  _until: (values) => [...once(values), ...instant(values)],
  _type: (values) =>
    typeNames(values)
      .filter((value) => !patientAccessTypes.some((type) => type === value))
      .map((value) => `names ${printable(value)}, which is not a type that is exported.`),
  // Only the total length is checked here; `typeFilterIssues` parses the filters.
  _typeFilter: (values) =>
    values.join().length > searchBounds.characters
      ? [`has more than ${searchBounds.characters} characters in all.`]
      : [],
  _outputFormat: (values) =>
    values.some((value) => !outputFormats.includes(value.replaceAll(' ', '+')))
      ? [`must be ${outputFormats[0]}.`]
      : [],
};

/**
 * Parses the parameters.
 *
 * @param context the FHIR base URL and the time. A reference to a Patient at another base is refused.
 * @param needsType whether `exportType` is required.
 */
export function readExportParameters(
  pairs: readonly (readonly [name: string, value: string])[],
  context: CriterionContext,
  needsType: boolean,
): ExportReading {
  const sent = Map.groupBy(pairs, ([name]) => name);
  const values = (name: string) =>
    (sent.get(name) ?? []).map(([, value]) => value.replace(`${context.base}/Patient/`, 'Patient/'));
  const issues = [...sent.keys()].flatMap((name): readonly SearchIssue[] => {
    const check = Object.hasOwn(checkers, name) ? checkers[name as ExportParameter] : undefined;
    if (check === undefined) {
      return [{ code: 'not-supported', diagnostics: `An export has no parameter ${printable(name)}.` }];
    }
    return check(values(name)).map((fault) => ({ code: 'invalid', diagnostics: `${name} ${fault}` }));
  });
  if (needsType && values('exportType').length === 0) {
    issues.push({ code: 'required', diagnostics: 'The parameter exportType is missing.' });
  }
  const [since, until] = ['_since', '_until'].map((name) => {
    const [value] = values(name);
    return value === undefined ? undefined : Date.parse(value);
  });
  if (since !== undefined && until !== undefined && until < since) {
    issues.push({ code: 'invalid', diagnostics: '_until is before _since.' });
  }
  const types = [...new Set(typeNames(values('_type')))];
  const typeFilters = values('_typeFilter');
  issues.push(...typeFilterIssues(typeFilters, types, context));
  if (issues.length > 0) return { kind: 'invalid', issues: issues.slice(0, issuesInAnswer) };
  return {
    kind: 'request',
    parameters: {
      patients: values('patient').map((value) => value.split('/').at(-1) ?? ''),
      ...(types.length > 0 && { types }),
      ...(typeFilters.length > 0 && { typeFilters }),
      since,
      until,
    },
  };
}

/** The issues of filters. A filter for a type that `_type` leaves out is refused, because it would have no effect. */
function typeFilterIssues(
  typeFilters: readonly string[],
  types: readonly string[],
  context: CriterionContext,
): readonly SearchIssue[] {
  const reading = readTypeFilters(typeFilters, context);
  if (reading.kind === 'invalid') return reading.issues;
  return reading.filters
    .filter(({ type }) => types.length > 0 && !types.includes(type))
    .map(({ type }) => ({
      code: 'invalid',
      diagnostics: `_typeFilter is of ${type}, which _type does not name.`,
    }));
}

function typeNames(values: readonly string[]): readonly string[] {
  return values.flatMap((value) => value.split(',')).filter((value) => value !== '');
}
