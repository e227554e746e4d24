/** `Patient/$member-match` of Payer Access (HRex 1.0.0): finds the member another payer asks for, by the member's consent. */

import type { BackendContext } from '../../catalog/authorizer-context.ts';
import type { OrganizationIdentifier } from '../../catalog/organization-identifiers.ts';
import { allowsSystemRead } from '../../catalog/system-scopes.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import type { Sha256 } from '../../kernel/digests.ts';
import { jsonEntries, jsonMember } from '../../kernel/json-members.ts';
import type { SearchIssue } from '../search/search-issue.ts';
import { type ConsentVerdict, judgeConsent } from './consent-rules.ts';
import { type MatchRequest, readMatchRequest } from './match-request.ts';
import { comparedPerson, isSameMember, type SubmittedMember, submittedMember } from './match-rules.ts';
import type { CandidatePatient, MatchAttempt, MatchLimits, MatchStore } from './member-match-port.ts';

export interface MemberMatchDependencies {
  readonly store: MatchStore;
  readonly limits: MatchLimits;
  readonly sha256: Sha256;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface MemberMatchRequest extends MatchAttempt {
  readonly context: BackendContext;
  /** The body, a Parameters resource. */
  readonly text: string;
}

export type MemberMatchRefusal =
  | 'invalid-token'
  | 'product-missing'
  | 'insufficient-scope'
  | 'organization-unverified'
  | 'member-not-matched';

export type MemberMatchAnswer =
  /** A Parameters resource, serialized. */
  | { readonly kind: 'matched'; readonly body: string }
  | { readonly kind: 'refusal'; readonly refusal: MemberMatchRefusal }
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }
  /** 400 with one issue each. */
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] };

/** A matched payer reads the member for this long at most; the next match prolongs it. */
const longestAccessSeconds = 90 * 24 * 60 * 60;

const refusalReasons = {
  'invalid-token': 'token_expired',
  'product-missing': 'product_missing',
  'insufficient-scope': 'scope_insufficient',
  'organization-unverified': 'organization_unverified',
} as const;

/**
 * Matches a member. Where none or several match, and where the Consent can't be honored, the answer, its steps and so its time are
 * the same: nobody learns from it who is a member. Each attempt is in the audit before the answer.
 *
 * @throws what the ports throw when the store is unavailable; nothing is disclosed then.
 */
export async function matchMember(
  dependencies: MemberMatchDependencies,
  request: MemberMatchRequest,
): Promise<MemberMatchAnswer> {
  const { store, limits, now } = dependencies;
  const attempt = attemptOf(request);
  const organization = await admit(dependencies, request);
  if (typeof organization === 'string') {
    await store.recordRefusal(attempt, refusalReasons[organization]);
    return { kind: 'refusal', refusal: organization };
  }
  const reading = readMatchRequest(request.text);
  if (reading.kind === 'invalid') return reading;
  const { memberPatient, coverageToMatch, consent } = reading.request;
  const submitted = submittedMember(memberPatient, coverageToMatch);
  const { clientId } = request.context;
  const verdict = await limits.begin(clientId, submitted.identifiers);
  if (!verdict.allowed) {
    await store.recordRefusal(attempt, 'rate_exceeded');
    return { kind: 'throttled', retryAfterSeconds: verdict.retryAfterSeconds };
  }
  const found = await store.patients(submitted.identifiers);
  const same = found.filter(({ json }) => isSameMember(submitted, comparedPerson(JSON.parse(json))));
  const memberPatientId = jsonMember(memberPatient, 'id');
  const judged = judgeConsent(consent, { memberPatientId, organization, now: now() });
  const reason = refusalReason(found, same, judged);
  const [patient] = same;
  if (reason === undefined && patient !== undefined && judged.kind === 'honored') {
    if (await save(dependencies, request, reading.request, patient, judged)) {
      await limits.succeeded(clientId, submitted.identifiers);
      return { kind: 'matched', body: JSON.stringify(matchedParameters(patient, submitted)) };
    }
  }
  await store.recordRefusal(attempt, reason ?? 'consent_revoked');
  return { kind: 'refusal', refusal: 'member-not-matched' };
}

function attemptOf({ context, requestId, clientRequestId }: MemberMatchRequest): MatchAttempt {
  return { clientId: context.clientId, requestId, ...(clientRequestId !== undefined && { clientRequestId }) };
}

/** The verified identifiers of the organization, or the reason why the application may not match: 401 before 403. */
async function admit(
  { store, now }: MemberMatchDependencies,
  { context }: MemberMatchRequest,
): Promise<readonly OrganizationIdentifier[] | keyof typeof refusalReasons> {
  if (!(context.tokenExpiresAt > now() / 1000)) return 'invalid-token';
  if (!context.products.includes('payer-access')) return 'product-missing';
  if (!allowsSystemRead(context.scope, 'Patient')) return 'insufficient-scope';
  const organization = await store.organization(context.clientId);
  return organization === undefined || organization.length === 0 ? 'organization-unverified' : organization;
}

/** The reason as the audit has it; undefined for a match. */
function refusalReason(
  found: readonly CandidatePatient[],
  same: readonly CandidatePatient[],
  judged: ConsentVerdict,
): string | undefined {
  if (found.length === 0) return 'member_unknown';
  if (same.length === 0) return 'member_different';
  if (same.length > 1) return 'member_ambiguous';
  return judged.kind === 'refused' ? judged.reason : undefined;
}

async function save(
  { store, sha256, now }: MemberMatchDependencies,
  request: MemberMatchRequest,
  { consent }: MatchRequest,
  { patientId }: CandidatePatient,
  { policy, until }: Extract<ConsentVerdict, { readonly kind: 'honored' }>,
): Promise<boolean> {
  const text = canonicalJson(consent);
  const { clientId, scope } = request.context;
  const seconds = Math.floor(now() / 1000);
  return await store.saveMatch({
    ...attemptOf(request),
    patientId,
    grantId: sha256(JSON.stringify([clientId, patientId, text])).slice(0, 32),
    scope: patientScope(scope),
    policy,
    consent: text,
    expiresAt: Math.min(Math.floor(until / 1000), seconds + longestAccessSeconds),
  });
}

/** The scopes of a system as those of one patient: what the payer may read of this member. */
function patientScope(scope: string): string {
  return scope
    .split(' ')
    .filter((each) => each.startsWith('system/'))
    .map((each) => each.replace('system/', 'patient/'))
    .join(' ');
}

/** Output of the operation: the plan's identifier of the member, and the Patient to read. */
function matchedParameters({ patientId, json }: CandidatePatient, { identifiers }: SubmittedMember) {
  const own = jsonEntries(jsonMember(JSON.parse(json), 'identifier')).find(
    (identifier) =>
      isMemberNumber(identifier) && identifiers.some((sent) => sent === jsonMember(identifier, 'value')),
  );
  const identifier = own ?? { type: { coding: [memberNumber] }, value: identifiers[0] };
  return {
    resourceType: 'Parameters',
    parameter: [
      { name: 'MemberIdentifier', valueIdentifier: identifier },
      { name: 'MemberId', valueReference: { reference: `Patient/${patientId}` } },
    ],
  };
}

const memberNumber = { system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MB' } as const;

function isMemberNumber(identifier: unknown): boolean {
  return jsonEntries(jsonMember(jsonMember(identifier, 'type'), 'coding')).some(
    (coding) => jsonMember(coding, 'code') === memberNumber.code,
  );
}
