/** Access of a payer to a member that it matched: the grant and its Consent are judged with each request. */

import { isFhirId } from '../../catalog/fhir/fhir-id.ts';
import { isPatientAccessType } from '../../catalog/fhir/fhir-resources.ts';
import { nameOf } from '../../catalog/fhir/resource-name.ts';
import { everySensitiveScope } from '../../catalog/fhir/sensitive-categories.ts';
import type { BackendContext, MemberContext } from '../../catalog/oauth/authorizer-context.ts';
import type {
  AskedEntries,
  PatientCompartment,
  SearchEntry,
  StoredResource,
} from '../patient-compartment.ts';
import type { Parameter, SearchIssue } from '../search/search-issue.ts';
import { patientParameters, searchValues } from '../search/values.ts';
import { type MatchAttempt, type MatchStore, patientScope } from './member-match-port.ts';
import { type AdmissionRefusal, admissionReasons, admitPayer } from './payer-admission.ts';
import { endedGrantReason, type GrantedMatch, type PayerGrants } from './payer-grant-port.ts';
import { releasedResources } from './released-resources.ts';

export interface MatchedMemberDependencies {
  readonly store: Pick<MatchStore, 'organization' | 'recordRefusal'>;
  readonly grants: Pick<PayerGrants, 'ofPatient'>;
  readonly compartment: PatientCompartment;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface MatchedMemberRequest extends MatchAttempt {
  readonly context: BackendContext;
  /** Type that the scopes have to allow. */
  readonly type: string;
  /** The ID of the Patient, as it came; undefined where the request names none. */
  readonly patientId: string | undefined;
}

export type MatchedMemberAccess =
  | {
      readonly kind: 'access';
      /** The context of reads and searches of one patient. */
      readonly context: MemberContext;
      /** The member's resources as they are released. */
      readonly compartment: PatientCompartment;
    }
  | { readonly kind: 'refusal'; readonly refusal: AdmissionRefusal | 'not-found' }
  /** 400: the request names no member, or several. */
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] };

/**
 * Admits a payer to one member. A member that it never matched, another payer's, and one whose consent has ended or was revoked get the
 * same answer; the reason is in the audit.
 *
 * @throws StoreUnavailable
 */
export async function admitToMember(
  deps: MatchedMemberDependencies,
  { context, type, patientId, ...attempt }: MatchedMemberRequest,
): Promise<MatchedMemberAccess> {
  const { store, grants, now } = deps;
  const organization = await admitPayer(deps, context, type);
  if (typeof organization === 'string') {
    await store.recordRefusal(attempt, admissionReasons[organization]);
    return { kind: 'refusal', refusal: organization };
  }
  if (patientId === undefined) {
    const naming = type === 'Patient' ? '_id=123' : 'patient=Patient/123';
    const diagnostics = `A search of Payer Access is about one matched member. Name the member: ${naming}.`;
    return { kind: 'invalid', issues: [{ code: 'required', diagnostics }] };
  }
  // No patient has an empty ID.
  const found = await grants.ofPatient(isFhirId(patientId) ? patientId : '', context.clientId);
  const judged = found.map((grant) => ({
    grant,
    reason: endedGrantReason(grant, context.clientId, organization, now()),
  }));
  const living = judged.find(({ reason }) => reason === undefined)?.grant;
  if (living === undefined) {
    await store.recordRefusal(attempt, judged[0]?.reason ?? 'member_not_matched');
    return { kind: 'refusal', refusal: 'not-found' };
  }
  const { clientId, products, tokenExpiresAt, scope } = context;
  const member = { patientId, grantId: living.grantId };
  return {
    kind: 'access',
    context: {
      ...{ clientId, products, tokenExpiresAt, ...member },
      // The released compartment judges sensitive data by the Consent's policy.
      scope: `${patientScope(scope)} ${everySensitiveScope}`,
      tokenId: attempt.requestId,
    },
    compartment: releasedCompartment(deps, living, member),
  };
}

/** Whether an answer says that the payer has not matched the member: its time must not say whether another has. */
export function isNotMatchedMember(answer: MatchedMemberAccess): boolean {
  return answer.kind === 'refusal' && answer.refusal === 'not-found';
}

/** The parameters of a search that name its patient. */
export function patientNaming(type: string, parameters: readonly Parameter[]): readonly Parameter[] {
  const names = type === 'Patient' ? ['_id'] : patientParameters;
  return parameters.filter(([name]) => names.includes(name.split(':')[0] ?? ''));
}

/** The one patient that parameters name; undefined where they name none or several. */
export function namedPatient(naming: readonly Parameter[]): string | undefined {
  const ids = naming.flatMap(([, value]) =>
    value.split(',').map((each) => each.replace(/^(?:.*\/)?Patient\//, '')),
  );
  return new Set(ids).size === 1 ? ids[0] : undefined;
}

/** One patient's compartment as it is released. Each request has its own, and reads the record once. */
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
    for await (const released of releasedResources(compartment, member, { policy, scope }, now())) {
      const { json, ...version } = released;
      const values = searchValues(JSON.parse(json));
      const { versionId, lastUpdated } = version;
      found.set(nameOf(released), [
        { ...version, values },
        { json, versionId, lastUpdated },
      ]);
    }
    return found;
  }
  return {
    async read(_patientId, _grantId, resourceType, id) {
      const found = await record();
      return { grant: await grantNow(), resource: found.get(nameOf({ resourceType, id }))?.[1] };
    },
    async entries(_patientId, _grantId, { resourceType }: AskedEntries) {
      const found = [...(await record()).values()].map(([entry]) => entry);
      const entries = found.filter(
        (entry) => resourceType === undefined || entry.resourceType === resourceType,
      );
      return {
        grant: await grantNow(),
        entries: entries.filter((entry) => isPatientAccessType(entry.resourceType)),
      };
    },
    async resources(_patientId, names) {
      const found = await record();
      return names.map((name) => found.get(nameOf(name))?.[1]);
    },
  };
}
