/** `Patient/$member-match` of Payer Access (HRex 1.0.0): finds the member that another payer asks for, with the member's consent. */

import type { BackendContext } from '../../catalog/oauth/authorizer-context.ts';
import { memberMatchLimits } from '../../catalog/payer/member-match-rules.ts';
import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import type { SearchIssue } from '../../fhir/query/search-issue.ts';
import { canonicalJson } from '../../platform/kernel/canonical-json.ts';
import type { Sha256 } from '../../platform/kernel/digests.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';
import { consentDiagnostics, judgeConsent } from '../permission/judge-consent.ts';
import {
  type CandidatePatient,
  type MatchLimits,
  type MatchStore,
  type MemberRefusal,
  type PayerCall,
  patientScope,
  type RequestFaults,
} from '../permission/member-match-port.ts';
import { type AdmissionRefusal, admitPayer } from '../permission/payer-admission.ts';
import { judgePermission, type PermissionVerdict } from '../permission/payer-permission.ts';
import { comparedPerson, isSameMember, type SubmittedMember, submittedMember } from './compared-person.ts';
import { memberFaults } from './match-faults.ts';
import { issuesInAnswer, type MatchRequest, readMatchRequest } from './match-request.ts';

export interface MemberMatchDependencies {
  readonly store: MatchStore;
  readonly limits: MatchLimits;
  readonly sha256: Sha256;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface MemberMatchRequest extends PayerCall {
  readonly context: BackendContext;
  /** The body, a Parameters resource. */
  readonly text: string;
  /**
   * Whether the response has only the member's identifier, as in HRex 1.0.0.
   *
   * @default false
   */
  readonly isMinimal?: boolean;
}

export type MemberMatchRefusal = AdmissionRefusal | 'member-not-matched';

export type MemberMatchAnswer =
  /** A Parameters resource, serialized. */
  | { readonly kind: 'matched'; readonly body: string }
  | { readonly kind: 'refusal'; readonly refusal: MemberMatchRefusal }
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }
  /** Status 400, with an OperationOutcome of these issues. */
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] }
  /** Status 422, with an OperationOutcome of these issues. */
  | RequestFaults;

/**
 * Matches a member. Faults of the request are reported before any member is looked up. If none or several members match, or the member has
 * ended the payer's permission, the response and the steps are the same, and the caller delays the response to a fixed step of time: nobody
 * learns from it who is a member. Each attempt is in the audit before the response.
 *
 * @throws the errors of the ports if the store is unavailable; nothing is disclosed then.
 */
export async function matchMember(
  dependencies: MemberMatchDependencies,
  request: MemberMatchRequest,
): Promise<MemberMatchAnswer> {
  const call = callOf(request);
  const admission = await admitPayer(dependencies, request.context, call, 'Patient');
  if (admission.kind === 'refusal') return admission;
  const reading = readMatchRequest(request.text);
  if (reading.kind === 'invalid') return reading;
  const payer = { call, scope: request.context.scope, organization: admission.organization };
  const outcome = await matchSubmitted(dependencies, payer, reading.request);
  switch (outcome.kind) {
    case 'throttled':
      return outcome;
    case 'faulty':
      return outcome;
    case 'matched':
      return {
        kind: 'matched',
        body: JSON.stringify(
          matchedParameters(outcome.patient, outcome.submitted, request.isMinimal ?? false),
        ),
      };
    default:
      return { kind: 'refusal', refusal: 'member-not-matched' };
  }
}

/** The admitted payer that asks for a match. */
export interface MatchingPayer {
  readonly call: PayerCall;
  /** Granted scopes of the payer's token. */
  readonly scope: string;
  /** Verified identifiers of the payer's organization. */
  readonly organization: readonly OrganizationIdentifier[];
}

export type MatchOutcome =
  | {
      readonly kind: 'matched';
      readonly patient: CandidatePatient;
      readonly grantId: string;
      readonly submitted: SubmittedMember;
    }
  | MemberRefusal;

/**
 * Matches a submitted member by all rules, and writes the grant of a match. Each attempt is in the audit before the function returns.
 *
 * @throws the errors of the ports if the store is unavailable.
 */
export async function matchSubmitted(
  dependencies: MemberMatchDependencies,
  payer: MatchingPayer,
  request: MatchRequest,
): Promise<MatchOutcome> {
  const { store, limits, now } = dependencies;
  const { call, organization } = payer;
  const { memberPatient, coverageToMatch, consent } = request;
  const submitted = submittedMember(memberPatient, coverageToMatch);
  const faulty = requestFaults(request, submitted, organization, now());
  if (faulty !== undefined) {
    await store.recordRefusal(call, faulty.reason, faulty.faults);
    return faulty.faults;
  }
  const verdict = await limits.begin(call.clientId, submitted.identifiers);
  if (verdict.kind === 'limited') {
    const { retryAfterSeconds } = verdict;
    const throttled = { kind: 'throttled', retryAfterSeconds } as const;
    await store.recordRefusal(call, 'rate_exceeded', throttled);
    return throttled;
  }
  const found = await store.patients(submitted.identifiers);
  const same = found.filter(({ json }) => isSameMember(submitted, comparedPerson(JSON.parse(json))));
  const [patient, ...others] = same;
  if (patient === undefined || others.length > 0) {
    const outcome = { kind: 'unmatched' } as const;
    await store.recordRefusal(call, unmatchedReason(found, same), outcome);
    return outcome;
  }
  const circumstances = { memberPatientId: jsonMember(memberPatient, 'id'), organization, now: now() };
  const { clientId } = call;
  const judged = judgePermission(consent, { ...circumstances, clientId, ends: patient.ends });
  const grantId =
    judged.kind === 'permitted' ? await save(dependencies, payer, request, patient, judged) : undefined;
  if (grantId === undefined) {
    const outcome = { kind: 'constrained' } as const;
    // The member may have ended the permission after it was judged and before the grant was written.
    await store.recordRefusal(call, judged.kind === 'refused' ? judged.reason : 'consent_ended', outcome);
    return outcome;
  }
  const unmatched = submitted.identifiers.filter((each) => !patient.identifiers.includes(each));
  await limits.succeeded(clientId, patient.identifiers, unmatched);
  return { kind: 'matched', patient, grantId, submitted };
}

/**
 * The faults of the request itself, independent of the members on file; undefined if the request can be compared.
 *
 * @returns also the reason for the audit: the first rule that the Consent breaks, or `member_incomplete`.
 */
function requestFaults(
  request: MatchRequest,
  submitted: SubmittedMember,
  organization: readonly OrganizationIdentifier[],
  now: number,
): { readonly reason: string; readonly faults: RequestFaults } | undefined {
  const { consent, memberPatient } = request;
  const ofMember = memberFaults(request, submitted);
  const memberPatientId = jsonMember(memberPatient, 'id');
  const verdict = judgeConsent(consent, { memberPatientId, organization, now });
  const rules = verdict.kind === 'refused' ? verdict.rules : [];
  const ofConsent = rules.map(
    (rule): SearchIssue => ({ code: 'processing', diagnostics: consentDiagnostics(consent, rule) }),
  );
  const issues = [...ofMember, ...ofConsent];
  if (issues.length === 0) return undefined;
  const isConstrained = ofMember.length === 0;
  return {
    reason: (isConstrained ? rules[0] : undefined) ?? 'member_incomplete',
    faults: { kind: 'faulty', isConstrained, issues: issues.slice(0, issuesInAnswer) },
  };
}

/** Whether a response is the refusal for a missing match. Its timing must not reveal the reason. */
export function isNotMatched(answer: MemberMatchAnswer): boolean {
  return answer.kind === 'refusal' && answer.refusal === 'member-not-matched';
}

function callOf({ context, requestId, clientRequestId }: MemberMatchRequest): PayerCall {
  return { clientId: context.clientId, requestId, ...(clientRequestId !== undefined && { clientRequestId }) };
}

/** The reason, for the audit, why no single member matched. */
function unmatchedReason(found: readonly CandidatePatient[], same: readonly CandidatePatient[]): string {
  if (found.length === 0) return 'member_unknown';
  return same.length === 0 ? 'member_different' : 'member_ambiguous';
}

/**
 * Writes the grant of a match.
 *
 * @returns its ID; undefined if the permission ended meanwhile.
 */
async function save(
  { store, sha256, now }: MemberMatchDependencies,
  { call, scope, organization }: MatchingPayer,
  { consent }: MatchRequest,
  { patientId, ends }: CandidatePatient,
  { policy, until }: Extract<PermissionVerdict, { readonly kind: 'permitted' }>,
): Promise<string | undefined> {
  const text = canonicalJson(consent);
  const seconds = Math.floor(now() / 1000);
  const grantId = sha256(JSON.stringify([call.clientId, patientId, text])).slice(0, 32);
  const isSaved = await store.saveMatch({
    ...call,
    patientId,
    grantId,
    scope: patientScope(scope),
    policy,
    organization,
    ends,
    consent: text,
    expiresAt: Math.min(Math.floor(until / 1000), seconds + memberMatchLimits.accessSeconds),
  });
  return isSaved ? grantId : undefined;
}

/**
 * Makes the output of the operation: the plan's identifier of the member, and the Patient to read.
 *
 * @param isMinimal whether to make the output of HRex 1.0.0, which has only the identifier.
 */
function matchedParameters(
  { patientId, json }: CandidatePatient,
  { identifiers }: SubmittedMember,
  isMinimal: boolean,
) {
  const own = jsonEntries(jsonMember(JSON.parse(json), 'identifier')).find(
    (identifier) =>
      isMemberNumber(identifier) && identifiers.some((sent) => sent === jsonMember(identifier, 'value')),
  );
  const identifier = { ...(own ?? { value: identifiers[0] }), type: { coding: memberNumbers } };
  return {
    resourceType: 'Parameters',
    parameter: [
      { name: 'MemberIdentifier', valueIdentifier: identifier },
      ...(isMinimal ? [] : [{ name: 'MemberId', valueReference: { reference: `Patient/${patientId}` } }]),
    ],
  };
}

/** Identifier types of the member: MB for HRex 1.0.0, UMB for HRex 1.2. */
const memberNumbers = (['MB', 'UMB'] as const).map((code) => ({
  system: 'http://terminology.hl7.org/CodeSystem/v2-0203',
  code,
}));

function isMemberNumber(identifier: unknown): identifier is object {
  return jsonEntries(jsonMember(jsonMember(identifier, 'type'), 'coding')).some(
    (coding) => jsonMember(coding, 'code') === 'MB',
  );
}
