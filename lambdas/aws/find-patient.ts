/** Finds a member's Patient for an operator, by member ID or Patient ID. */

import {
  AdminGetUserCommand,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import type { PatientRecords } from '../audit/audit-ports.ts';
import type { MemberLinks } from '../members/sign-in.ts';
import type { FindPatient } from '../oauth/connected-apps/operator-grants.ts';
import { StoreUnavailable } from '../table/table.ts';
import { cognitoTimeoutMs, meaningOf } from './cognito-member-directory.ts';

/** Smallest text: every `lastUpdated` compares greater. */
const beforeAnyTime = '0';

/**
 * Finds a patient: by a member id, the account of that user name and the patient it was loaded as; it may be disabled. By a Patient's id, the
 * record of the load that every patient has: nothing of the member's data is read.
 *
 * @throws StoreUnavailable where Cognito doesn't answer.
 */
export function createFindPatient(
  client: CognitoIdentityProviderClient,
  userPoolId: string,
  links: MemberLinks,
  records: PatientRecords,
): FindPatient {
  return async (lob, member) => {
    const { patientId, memberId }: { readonly patientId?: string; readonly memberId?: string } = member;
    if (patientId !== undefined) {
      const { events } = await records.about(lob, patientId, beforeAnyTime, 1);
      return events.length === 0 ? undefined : patientId;
    }
    const sub = await subjectOf(client, { UserPoolId: userPoolId, Username: memberId });
    const link = sub === undefined ? undefined : await links.find(lob, sub);
    return link?.memberId === memberId ? link?.patientId : undefined;
  };
}

async function subjectOf(
  client: CognitoIdentityProviderClient,
  user: { readonly UserPoolId: string; readonly Username: string | undefined },
): Promise<string | undefined> {
  try {
    const abortSignal = AbortSignal.timeout(cognitoTimeoutMs);
    const { UserAttributes = [] } = await client.send(new AdminGetUserCommand(user), { abortSignal });
    return UserAttributes.find(({ Name }) => Name === 'sub')?.Value;
  } catch (error) {
    if (meaningOf(error) === 'refused') return undefined;
    throw new StoreUnavailable(error);
  }
}
