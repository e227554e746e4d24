import {
  AdminGetUserCommand,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import type { MemberLinks } from '../members/sign-in.ts';
import type { IsAccountActive, IsAccountClosed } from '../oauth/member-account.ts';
import { StoreUnavailable } from '../table/table.ts';
import { cognitoTimeoutMs, meaningOf } from './cognito-member-directory.ts';

/** `waits`: open, with a password that must be set or was reset. `ended`: disabled, deleted, or another patient's. */
type AccountStatus = 'stands' | 'waits' | 'ended' | 'unavailable';

/** Members' accounts as the environment's user pool has them now. The user name is the member id. */
function createAccountStatus(client: CognitoIdentityProviderClient, userPoolId: string, links: MemberLinks) {
  return async (...[lob, { sub, patientId }]: Parameters<IsAccountClosed>): Promise<AccountStatus> => {
    const link = await links.find(lob, sub);
    if (link?.patientId !== patientId) return 'ended';
    try {
      const command = new AdminGetUserCommand({ UserPoolId: userPoolId, Username: link.memberId });
      const abortSignal = AbortSignal.timeout(cognitoTimeoutMs);
      const { Enabled, UserStatus, UserAttributes = [] } = await client.send(command, { abortSignal });
      const own = UserAttributes.some(({ Name, Value }) => Name === 'sub' && Value === sub);
      if (!own || Enabled !== true) return 'ended';
      return UserStatus === 'CONFIRMED' ? 'stands' : 'waits';
    } catch (error) {
      return meaningOf(error) === 'unavailable' ? 'unavailable' : 'ended';
    }
  };
}

export function createIsAccountActive(...pool: Parameters<typeof createAccountStatus>): IsAccountActive {
  const standing = createAccountStatus(...pool);
  return async (...member) => (await standing(...member)) === 'stands';
}

export function createIsAccountClosed(...pool: Parameters<typeof createAccountStatus>): IsAccountClosed {
  const standing = createAccountStatus(...pool);
  return async (...member) => {
    const found = await standing(...member);
    if (found === 'unavailable') throw new StoreUnavailable(new Error('the user pool did not answer'));
    return found === 'ended';
  };
}
