import {
  AdminGetUserCommand,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import type { MemberLinks } from '../members/sign-in.ts';
import type { AccountStands } from '../oauth/ports.ts';
import { attemptTimeoutMs, meaningOf } from './cognito-member-directory.ts';

/** Members' accounts as the environment's user pool has them now. The user name is the member id. */
export function createAccountStands(
  client: CognitoIdentityProviderClient,
  userPoolId: string,
  links: MemberLinks,
): AccountStands {
  return async (lob, { sub, patientId }) => {
    const link = await links.find(lob, sub);
    if (link?.patientId !== patientId) return false;
    try {
      const command = new AdminGetUserCommand({ UserPoolId: userPoolId, Username: link.memberId });
      const abortSignal = AbortSignal.timeout(attemptTimeoutMs);
      const { Enabled, UserStatus, UserAttributes = [] } = await client.send(command, { abortSignal });
      const own = UserAttributes.some(({ Name, Value }) => Name === 'sub' && Value === sub);
      // Any other status is a password that must be set or was reset: it opens nothing.
      return own && Enabled === true && UserStatus === 'CONFIRMED';
    } catch (error) {
      meaningOf(error);
      return false;
    }
  };
}
