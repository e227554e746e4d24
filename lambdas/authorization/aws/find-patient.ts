/** Finds a member's Patient for an operator, by member ID or Patient ID. */

import {
  AdminGetUserCommand,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { cognitoTimeoutMs, meaningOf } from '../../platform/aws/cognito-failure.ts';
import { StoreUnavailable } from '../../platform/table/table.ts';
import type { MemberLinks } from '../accounts/sign-in.ts';
import type { FindPatient } from '../connected-apps/operator-grants.ts';

/** Whether a Patient was ever loaded into a LOB. */
export type IsLoaded = (lob: LineOfBusiness, patientId: string) => Promise<boolean>;

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
  isLoaded: IsLoaded,
): FindPatient {
  return async (lob, member) => {
    const { patientId, memberId }: { readonly patientId?: string; readonly memberId?: string } = member;
    if (patientId !== undefined) {
      return (await isLoaded(lob, patientId)) ? patientId : undefined;
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
