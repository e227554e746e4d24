/**
 * Port of the grants of matched payers, and the judgment whether one still gives access. Called by reads, exports and downloads of matched
 * members; the adapter `payer-access/store/payer-grants.ts` reads grants and adds audit events.
 */

import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import { inactiveGrantReason } from '../../fhir/disclosure/access-check.ts';
import type { AccessGrant } from '../../fhir/values/patient-compartment.ts';
import { jsonMember } from '../../platform/kernel/json-members.ts';
import type { ConsentPolicy } from './judge-consent.ts';
import type { MatchAttempt } from './member-match-port.ts';
import type { MatchedMember } from './payer-group-port.ts';
import { judgePermission, type PermissionEnds } from './payer-permission.ts';

/** The grant of a match, with the member's Consent. */
export interface PayerGrant extends AccessGrant {
  readonly scope: string;
  readonly policy: ConsentPolicy;
  /** The Consent, serialized. */
  readonly consent: string;
  /** Permissions of payers that the member has ended. */
  readonly ends: PermissionEnds;
}

/** A grant with its ID. */
export interface GrantedMatch extends PayerGrant {
  readonly grantId: string;
}

/** A member with the resources of theirs that a file has. */
export interface MemberInFile extends MatchedMember {
  /** `Coverage/<id>`. */
  readonly resources: readonly string[];
}

export interface PayerGrants {
  /** Grants in the order of the members, strongly consistent. @throws StoreUnavailable */
  find(members: readonly MatchedMember[]): Promise<readonly (PayerGrant | undefined)[]>;
  /** An application's grants for one patient, the newest first, strongly consistent. @throws StoreUnavailable */
  ofPatient(patientId: string, clientId: string): Promise<readonly GrantedMatch[]>;
  /** Records the disclosure of each member's resources. @throws StoreUnavailable */
  recordDisclosures(attempt: MatchAttempt, members: readonly MemberInFile[]): Promise<void>;
}

/** Names the reason, as the audit has it, for which a grant gives its payer nothing; undefined for an active grant. The permission is judged as at the match. */
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
