/**
 * Port to the grants of matched payers, and the rule that decides whether a grant still gives access. Called by reads, exports and
 * downloads of matched members' data; the adapter `payer-access/store/payer-grants.ts` reads grants and adds audit events.
 */

import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import { inactiveGrantReason } from '../../fhir/disclosure/access-check.ts';
import type { AccessGrant } from '../../fhir/values/patient-compartment.ts';
import { jsonMember } from '../../platform/kernel/json-members.ts';
import type { ConsentPolicy } from './judge-consent.ts';
import type { PayerCall } from './member-match-port.ts';
import type { MatchedMember } from './payer-group-port.ts';
import { judgePermission, type PermissionEnds } from './payer-permission.ts';

/** The grant of a match, with the member's Consent. */
export interface PayerGrant extends AccessGrant {
  readonly scope: string;
  readonly policy: ConsentPolicy;
  /** The Consent, serialized. */
  readonly consent: string;
  /** Times at which the member ended payers' permissions. */
  readonly ends: PermissionEnds;
}

/** A grant with its ID. */
export interface GrantedMatch extends PayerGrant {
  readonly grantId: string;
}

/** A member with their resources in a file. */
export interface MemberInFile extends MatchedMember {
  /** Names of the resources: `Coverage/<id>`. */
  readonly resources: readonly string[];
}

export interface PayerGrants {
  /**
   * The grants of members, in the same order, strongly consistent.
   *
   * @throws StoreUnavailable
   */
  find(members: readonly MatchedMember[]): Promise<readonly (PayerGrant | undefined)[]>;
  /**
   * The grants of an application for one patient, newest first, strongly consistent.
   *
   * @throws StoreUnavailable
   */
  ofPatient(patientId: string, clientId: string): Promise<readonly GrantedMatch[]>;
  /** Records the disclosure of each member's resources. @throws StoreUnavailable */
  recordDisclosures(call: PayerCall, members: readonly MemberInFile[]): Promise<void>;
}

/**
 * The reason, for the audit, why a grant gives no access; undefined for an active grant. The member's permission is judged by the same
 * rules as at the match.
 */
export function endedGrantReason(
  grant: PayerGrant | undefined,
  clientId: string,
  organization: readonly OrganizationIdentifier[],
  now: number,
): string | undefined {
  const inactive = inactiveGrantReason(grant, clientId, now / 1000);
  if (inactive !== undefined || grant === undefined) return inactive;
  const consent: unknown = JSON.parse(grant.consent);
  const reference = String(jsonMember(jsonMember(consent, 'patient'), 'reference'));
  const memberPatientId = reference.split('/').at(-1);
  const { ends } = grant;
  const verdict = judgePermission(consent, { memberPatientId, organization, now, clientId, ends });
  return verdict.kind === 'refused' ? verdict.reason : undefined;
}
