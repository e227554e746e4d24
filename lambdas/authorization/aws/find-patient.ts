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

/** Whether a Patient has ever been loaded into a LOB. */
export type IsLoaded = (lob: LineOfBusiness, patientId: string) => Promise<boolean>;

/**
 * Finds a member's patient. For a member ID: the patient that the account of this user name, which may be disabled, is linked to. For a
 * Patient ID: the record of its load. Reads no data of the member.
 *
 * @throws StoreUnavailable if Cognito does not answer.
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
