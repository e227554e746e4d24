/** Checks members' user names and passwords with Cognito. */

import {
  AdminGetUserCommand,
  AdminInitiateAuthCommand,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { decodeJwt } from 'jose';
import { cognitoTimeoutMs, meaningOf } from '../../platform/aws/cognito-failure.ts';
import { rememberedSecret, secretHash } from '../../platform/aws/cognito-secret.ts';
import { tryPassword } from '../../platform/aws/password-spelling.ts';
import type { MemberDirectory, PasswordVerdict } from '../accounts/sign-in.ts';

/** Finds members' accounts in the environment's user pool and verifies their passwords, through an app client with a secret. */
export function createCognitoMemberDirectory(
  client: CognitoIdentityProviderClient,
  pool: { readonly userPoolId: string; readonly clientId: string },
): MemberDirectory {
  const secretOf = rememberedSecret(client, pool.userPoolId, pool.clientId);
  const signIn = async (username: string, password: string): Promise<PasswordVerdict> => {
    try {
      const secret = await secretOf();
      const SECRET_HASH = secretHash(secret, username, pool.clientId);
      const { AuthenticationResult } = await client.send(
        new AdminInitiateAuthCommand({
          UserPoolId: pool.userPoolId,
          ClientId: pool.clientId,
          AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
          AuthParameters: { USERNAME: username, PASSWORD: password, SECRET_HASH },
        }),
        { abortSignal: AbortSignal.timeout(cognitoTimeoutMs) },
      );
      return AuthenticationResult?.IdToken === undefined
        ? { kind: 'refused' }
        : { kind: 'verified', sub: subjectOf(AuthenticationResult.IdToken) };
    } catch (error) {
      return { kind: meaningOf(error) };
    }
  };
  return {
    async find(username) {
      try {
        // AdminGetUser accepts an alias, such as an e-mail address, for the user name.
        const command = new AdminGetUserCommand({ UserPoolId: pool.userPoolId, Username: username });
        const abortSignal = AbortSignal.timeout(cognitoTimeoutMs);
        const { UserAttributes = [] } = await client.send(command, { abortSignal });
        const sub = UserAttributes.find(({ Name }) => Name === 'sub')?.Value;
        return sub === undefined ? { kind: 'unknown' } : { kind: 'found', sub };
      } catch (error) {
        return { kind: meaningOf(error) === 'unavailable' ? 'unavailable' : 'unknown' };
      }
    },
    async signIn(username, typed) {
      return await tryPassword(typed, async (password) => await signIn(username, password));
    },
  };
}

/** The token came from Cognito over TLS and is not passed on, so its signature is not verified. */
function subjectOf(idToken: string): string {
  const { sub } = decodeJwt(idToken);
  if (sub === undefined) throw new Error('Cognito returned an id_token without a subject');
  return sub;
}
