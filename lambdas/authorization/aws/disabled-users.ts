/** Lists the disabled users of the members' pool in Cognito. */

import {
  AdminGetUserCommand,
  type AttributeType,
  type CognitoIdentityProviderClient,
  paginateListUsers,
} from '@aws-sdk/client-cognito-identity-provider';
import { available } from '../../platform/aws/cognito-failure.ts';
import type { MemberPoolUsers } from '../accounts/disabled-accounts.ts';

/**
 * Lists disabled users with ListUsers' filter, so that the number of requests grows with the disabled users and not with all members. Pages
 * of 60 are read one after the other, which stays below the quota of 30 requests a second.
 *
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ListUsers.html
 */
export function createDisabledUsers(
  client: CognitoIdentityProviderClient,
  UserPoolId: string,
): MemberPoolUsers {
  return {
    async *disabled() {
      const request = { UserPoolId, Filter: 'status = "Disabled"', AttributesToGet: ['sub'] };
      const pages = paginateListUsers({ client }, request)[Symbol.asyncIterator]();
      for (;;) {
        const page = await available(() => pages.next());
        if (page.done === true) return;
        for (const { Username, Attributes } of page.value.Users ?? []) {
          const sub = subjectOf(Attributes);
          if (Username !== undefined && sub !== undefined) yield { sub, username: Username };
        }
      }
    },
    async stateOf({ sub, username }) {
      try {
        const command = new AdminGetUserCommand({ UserPoolId, Username: username });
        const { Enabled, UserAttributes } = await available(() => client.send(command));
        // A user created again with the same user name is another account.
        if (subjectOf(UserAttributes) !== sub) return 'deleted';
        return Enabled === true ? 'enabled' : 'disabled';
      } catch (error) {
        if (error instanceof Error && error.name === 'UserNotFoundException') return 'deleted';
        throw error;
      }
    },
  };
}

function subjectOf(attributes: readonly AttributeType[] = []): string | undefined {
  return attributes.find(({ Name }) => Name === 'sub')?.Value;
}
