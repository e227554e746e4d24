/** Cognito accounts that the function `activation` creates for members: user, enabled state, password. */

import {
  AdminCreateUserCommand,
  AdminGetUserCommand,
  AdminSetUserPasswordCommand,
  type AttributeType,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { available } from '../../platform/aws/cognito-failure.ts';
import { normalizedPassword } from '../../platform/aws/password-spelling.ts';
import type { ActivatedAccounts } from '../activation/activation-services.ts';

/**
 * Creates accounts in the user pool for members who activate them. A user has no attributes: contacts stay in the plan's data, and e-mail
 * addresses are not aliases, so that several members may share one.
 *
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminCreateUser.html
 */
export function createActivatedAccounts(
  client: CognitoIdentityProviderClient,
  UserPoolId: string,
): ActivatedAccounts {
  return {
    async ensure(username) {
      const Username = username;
      // Cognito refuses user names that look like an e-mail address or are too long.
      if (!/^[^\s@]{1,128}$/.test(username)) return { kind: 'unusable' };
      try {
        const command = new AdminCreateUserCommand({ UserPoolId, Username, MessageAction: 'SUPPRESS' });
        const { User } = await available(() => client.send(command));
        return {
          kind: 'account',
          sub: subjectOf(User?.Attributes),
          enabled: true,
          hasPassword: false,
        };
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'UsernameExistsException') throw error;
      }
      const user = await available(() => client.send(new AdminGetUserCommand({ UserPoolId, Username })));
      // A user who was found by an alias is another member.
      if (user.Username?.toUpperCase() !== username.toUpperCase()) return { kind: 'unusable' };
      return {
        kind: 'account',
        sub: subjectOf(user.UserAttributes),
        enabled: user.Enabled === true,
        hasPassword: user.UserStatus !== 'FORCE_CHANGE_PASSWORD',
      };
    },
    async setPassword(username, typed) {
      const Password = normalizedPassword(typed);
      const command = new AdminSetUserPasswordCommand({
        UserPoolId,
        Username: username,
        Password,
        Permanent: true,
      });
      await available(() => client.send(command));
    },
  };
}

function subjectOf(attributes: readonly AttributeType[] | undefined): string {
  const sub = attributes?.find(({ Name }) => Name === 'sub')?.Value;
  if (sub === undefined) throw new Error('Cognito returned a user without a subject');
  return sub;
}
