/** Gives a payer access to members that it matched. The grant and its Consent are judged with each request. */

import { isFhirId } from '../../catalog/fhir/fhir-id.ts';
import { isPatientAccessType, type PatientAccessType } from '../../catalog/fhir/fhir-resources.ts';
import { nameOf } from '../../catalog/fhir/resource-name.ts';
import { everySensitiveScope } from '../../catalog/fhir/sensitive-categories.ts';
import type { BackendContext, MemberContext } from '../../catalog/oauth/authorizer-context.ts';
import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import type { DisclosureRecorder } from '../../fhir/disclosure/disclosure-recorder-port.ts';
import type { Parameter, SearchIssue } from '../../fhir/query/search-issue.ts';
import type {
  AskedEntries,
  PatientCompartment,
  SearchEntry,
  StoredResource,
} from '../../fhir/values/patient-compartment.ts';
import { searchValues } from '../../fhir/values/values.ts';
import { inGroupsOf } from '../../platform/kernel/in-groups-of.ts';
import { type MatchStore, type PayerCall, patientScope } from '../permission/member-match-port.ts';
import { type AdmissionRefusal, admitPayer } from '../permission/payer-admission.ts';
import { endedGrantReason, type GrantedMatch, type PayerGrants } from '../permission/payer-grant-port.ts';
import { joinedCompartment, type OwnedCompartment, released } from './joined-compartment.ts';
import type { MatchedPatients } from './matched-patients-port.ts';
import { chooseMatchedMembers } from './member-choice.ts';
import { releasedResources } from './released-resources.ts';

export interface MatchedMemberDependencies {
  readonly store: Pick<MatchStore, 'organization' | 'patients' | 'recordRefusal' | 'recordDisclosure'>;
  readonly grants: Pick<PayerGrants, 'ofPatient'>;
  readonly matched: MatchedPatients;
  readonly compartment: PatientCompartment;
  readonly audit: DisclosureRecorder;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface MatchedMemberRequest extends PayerCall {
  readonly context: BackendContext;
  /** Resource type that the payer's scopes must allow. */
  readonly type: PatientAccessType;
  /** The ID in the path, as sent; undefined in a search. */
  readonly id: string | undefined;
  readonly parameters: readonly Parameter[];
}

export type MatchedMemberAccess =
  | {
      readonly kind: 'access';
      /** The context of the read or search. For several members, patient and grant are empty. */
      readonly context: MemberContext;
      /** The released resources of the members. */
      readonly compartment: PatientCompartment;
      readonly audit: DisclosureRecorder;
      /** IDs of the Patients in the compartment. */
      readonly patients: readonly string[];
    }
  | { readonly kind: 'refusal'; readonly refusal: AdmissionRefusal | 'not-found' }
  /** Status 400: the request would search too many members. */
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] };

/**
 * Admits a payer to the members that a request is about. The response is the same for a member that the payer never matched, a member of
 * another payer, and a member whose consent has ended or was revoked; the reason is in the audit.
 *
 * @throws StoreUnavailable
 */
export async function admitToMembers(
  deps: MatchedMemberDependencies,
  request: MatchedMemberRequest,
): Promise<MatchedMemberAccess> {
  const { context, type, id, parameters, ...call } = request;
  const admission = await admitPayer(deps, context, call, type);
  if (admission.kind === 'refusal') return admission;
  const { clientId } = context;
  const choice = await chooseMatchedMembers(deps, { clientId, type, id, parameters });
  if (choice.kind === 'invalid') return choice;
  const patientIds = choice.kind === 'named' ? [choice.patientId] : choice.patientIds;
  const judged = await inGroupsOf(membersAtOnce, patientIds, async (patientId) =>
    judgedMatch(deps, context, admission.organization, patientId),
  );
  const members = judged.flatMap((each) => (each.kind === 'living' ? [each.member] : []));
  if (id === undefined && choice.kind === 'over') return overMembers(deps, call, context, members);
  const chosen =
    choice.kind === 'named' ? members[0] : ((await releasing(members, type, id ?? '')) ?? members[0]);
  if (chosen === undefined) {
    const [first] = judged;
    await deps.store.recordRefusal(call, first?.kind === 'ended' ? first.reason : 'member_not_matched');
    return { kind: 'refusal', refusal: 'not-found' };
  }
  const { patientId, grantId } = chosen;
  return {
    kind: 'access',
    context: memberContext(context, call, { patientId, grantId }),
    compartment: chosen.compartment,
    audit: deps.audit,
    patients: [patientId],
  };
}

/** Number of members whose grants and records are read at once. */
const membersAtOnce = 4;

type JudgedMatch =
  | { readonly kind: 'living'; readonly member: OwnedCompartment }
  | { readonly kind: 'ended'; readonly reason: string };

/** The released record of a member, by the newest match that still gives access; or the reason why no match does. */
async function judgedMatch(
  deps: MatchedMemberDependencies,
  { clientId }: BackendContext,
  organization: readonly OrganizationIdentifier[],
  patientId: string,
): Promise<JudgedMatch> {
  // An invalid ID is replaced by an empty one, which no patient has.
  const found = await deps.grants.ofPatient(isFhirId(patientId) ? patientId : '', clientId);
  const judged = found.map((grant) => ({
    grant,
    reason: endedGrantReason(grant, clientId, organization, deps.now()),
  }));
  const living = judged.find(({ reason }) => reason === undefined)?.grant;
  if (living === undefined) return { kind: 'ended', reason: judged[0]?.reason ?? 'member_not_matched' };
  const member = { patientId, grantId: living.grantId };
  return { kind: 'living', member: { ...member, compartment: releasedCompartment(deps, living, member) } };
}

/** The first member whose released record has the resource. */
async function releasing(
  members: readonly OwnedCompartment[],
  resourceType: string,
  id: string,
): Promise<OwnedCompartment | undefined> {
  for (const member of members) {
    const [found] = await member.compartment.resources(member.patientId, [{ resourceType, id }]);
    if (found !== undefined) return member;
  }
  return undefined;
}

/** Makes the access of a search to the records of several members. */
function overMembers(
  deps: MatchedMemberDependencies,
  call: PayerCall,
  context: BackendContext,
  members: readonly OwnedCompartment[],
): MatchedMemberAccess {
  return {
    kind: 'access',
    context: memberContext(context, call, { patientId: '', grantId: '' }),
    ...joinedCompartment(members, call, deps),
    patients: members.map(({ patientId }) => patientId),
  };
}

function memberContext(
  { clientId, products, tokenExpiresAt, scope }: BackendContext,
  { requestId }: PayerCall,
  member: { readonly patientId: string; readonly grantId: string },
): MemberContext {
  return {
    clientId,
    products,
    tokenExpiresAt,
    ...member,
    // The scopes share every sensitive category, because the released compartment withholds sensitive data by the Consent's policy.
    scope: `${patientScope(scope)} ${everySensitiveScope}`,
    tokenId: requestId,
  };
}

/**
 * Whether an answer is the refusal for a member that the payer has not matched. The response is delayed to a fixed step of time, so that it
 * doesn't reveal whether another payer has matched the member.
 */
export function isNotMatchedMember(answer: MatchedMemberAccess): boolean {
  return answer.kind === 'refusal' && answer.refusal === 'not-found';
}

/** One patient's compartment with only the released resources. Each request makes its own, and reads the record once. */
function releasedCompartment(
  { compartment, now }: MatchedMemberDependencies,
  { policy, scope }: GrantedMatch,
  member: { readonly patientId: string; readonly grantId: string },
): PatientCompartment {
  let reading: Promise<ReadonlyMap<string, readonly [SearchEntry, StoredResource]>> | undefined;
  const grantNow = async () => {
    const { grant } = await compartment.read(member.patientId, member.grantId, 'Patient', member.patientId);
    return grant;
  };
  const record = () => {
    reading ??= readRecord();
    return reading;
  };
  async function readRecord() {
    const found = new Map<string, readonly [SearchEntry, StoredResource]>();
    for await (const resource of releasedResources(compartment, member, { policy, scope }, now())) {
      const { json, ...version } = resource;
      const values = searchValues(JSON.parse(json));
      const { versionId, lastUpdated } = version;
      found.set(nameOf(resource), [
        { ...version, values },
        { json, versionId, lastUpdated },
      ]);
    }
    return found;
  }
  return {
    async read(_patientId, _grantId, resourceType, id) {
      const found = await record();
      const resource = found.get(nameOf({ resourceType, id }))?.[1];
      return { grant: await grantNow(), resource, labels: released };
    },
    async entries(_patientId, _grantId, { resourceType }: AskedEntries) {
      const found = [...(await record()).values()].map(([entry]) => entry);
      const entries = found.filter(
        (entry) => resourceType === undefined || entry.resourceType === resourceType,
      );
      return {
        grant: await grantNow(),
        entries: entries.filter((entry) => isPatientAccessType(entry.resourceType)),
        labels: released,
      };
    },
    async resources(_patientId, names) {
      const found = await record();
      return names.map((name) => found.get(nameOf(name))?.[1]);
    },
  };
}
