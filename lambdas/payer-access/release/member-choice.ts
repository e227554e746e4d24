/** Chooses, from the members that a payer matched, those that a request is about. */

import { isFhirId } from '../../catalog/fhir/fhir-id.ts';
import { isPatientAccessType, servedResource } from '../../catalog/fhir/fhir-resources.ts';
import { memberMatchLimits } from '../../catalog/payer/member-match-rules.ts';
import type { Parameter, SearchIssue } from '../../fhir/query/search-issue.ts';
import { patientParameters } from '../../fhir/values/values.ts';
import type { MatchStore } from '../permission/member-match-port.ts';
import type { MatchedPatients } from './matched-patients-port.ts';

export interface MemberChoiceDependencies {
  readonly store: Pick<MatchStore, 'patients'>;
  readonly matched: MatchedPatients;
}

export interface MemberQuestion {
  readonly clientId: string;
  readonly type: string;
  /** The ID in the path, as sent; undefined in a search. */
  readonly id: string | undefined;
  /** Parameters of a search. */
  readonly parameters: readonly Parameter[];
}

export type MemberChoice =
  /** The request names this member, who may not be matched. */
  | { readonly kind: 'named'; readonly patientId: string }
  /** The request searches these members; some may no longer be matched. */
  | { readonly kind: 'over'; readonly patientIds: readonly string[] }
  /** Status 400: the request would search too many members. */
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] };

/**
 * Chooses the members of a request: the member it names, or those of the application's matched members who may have the requested
 * resources. No other member's record is read.
 *
 * @throws StoreUnavailable
 */
export async function chooseMatchedMembers(
  { store, matched }: MemberChoiceDependencies,
  { clientId, type, id, parameters }: MemberQuestion,
): Promise<MemberChoice> {
  const { lookups, membersInSearch, identifiers } = memberMatchLimits;
  if (id !== undefined) {
    if (type === 'Patient') return { kind: 'named', patientId: id };
    const all = await matched.ofApplication(clientId);
    const ids = isFhirId(id) ? [id] : [];
    return over(await matched.holding(all.slice(0, lookups), type, ids));
  }
  const named = [
    ...new Set(
      valuesOf(memberNaming(type, parameters)).map((each) => each.replace(/^(?:.*\/)?Patient\//, '')),
    ),
  ];
  const [patientId] = named;
  if (patientId !== undefined && named.length === 1) return { kind: 'named', patientId };
  if (named.length > 0) return named.length > membersInSearch ? tooMany(type) : over(named);

  const all = await matched.ofApplication(clientId);
  if (all.length <= membersInSearch) return over(all);
  const values = valuesOf(
    parameters.filter(([name]) => name === (type === 'Patient' ? 'identifier' : '_id')),
  );
  if (type === 'Patient' && values.length > 0 && values.length <= identifiers) {
    const found = await store.patients(values.map((value) => value.slice(value.indexOf('|') + 1)));
    const own = new Set(all);
    return over(found.map((patient) => patient.patientId).filter((each) => own.has(each)));
  }
  const ids = values.map((value) => value.replace(`${type}/`, '')).filter(isFhirId);
  return type !== 'Patient' && ids.length > 0 && ids.length * all.length <= lookups
    ? over(await matched.holding(all, type, ids))
    : tooMany(type);
}

/** The search parameters that name members; the link to the next page repeats them. */
export function memberNaming(type: string, parameters: readonly Parameter[]): readonly Parameter[] {
  const own = isPatientAccessType(type) ? servedResource(type).searchParameters.map(({ name }) => name) : [];
  const names = type === 'Patient' ? ['_id'] : patientParameters.filter((name) => own.includes(name));
  return parameters.filter(([name]) => names.includes(name.split(':')[0] ?? ''));
}

/**
 * The search parameters that decide which members are searched: those that name members, or else IDs. The link to the next page repeats
 * them.
 */
export function narrowing(type: string, parameters: readonly Parameter[]): readonly Parameter[] {
  const naming = memberNaming(type, parameters);
  return naming.length > 0
    ? naming
    : parameters.filter(([name]) => name === (type === 'Patient' ? 'identifier' : '_id'));
}

function valuesOf(parameters: readonly Parameter[]): readonly string[] {
  return parameters.flatMap(([, value]) => value.split(',')).filter((value) => value !== '');
}

function over(patientIds: readonly string[]): MemberChoice {
  // Only the first members are searched. More can be found only for a resource that many records share, such as a practitioner, and it is
  // the same in each.
  return { kind: 'over', patientIds: patientIds.slice(0, memberMatchLimits.membersInSearch) };
}

function tooMany(type: string): MemberChoice {
  const { membersInSearch } = memberMatchLimits;
  const naming = type === 'Patient' ? '_id=123 or identifier=M123' : 'patient=Patient/123';
  const diagnostics = `A search goes over ${membersInSearch} matched members at most. Name the member: ${naming}.`;
  return { kind: 'invalid', issues: [{ code: 'too-costly', diagnostics }] };
}
