/** Checks members' user names and passwords with Cognito. */

import { createHmac } from 'node:crypto';
import {
  AdminGetUserCommand,
  AdminInitiateAuthCommand,
  type CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { decodeJwt } from 'jose';
import type { MemberDirectory, PasswordVerdict } from '../members/sign-in.ts';
import { isTransient } from './cognito-failure.ts';
import { tryPassword } from './password-spelling.ts';

/**
 * Cognito's refusals that must look alike to whoever signs in. A new-password or MFA challenge comes without a result and is
 * one of them: a password is set by activation, never by a challenge.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminInitiateAuth.html
 */
const refusals = new Set([
  'NotAuthorizedException',
  'UserNotFoundException',
  'UserNotConfirmedException',
  'PasswordResetRequiredException',
  'InvalidParameterException',
]);

/** A sign-in may take this long, so that the page can still answer within the function's time. */
export const cognitoTimeoutMs = 3_000;

/** Members' accounts in the environment's user pool, through its app client with a secret. */
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
        // An alias names the user too.
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

/** Cognito developer guide, "Computing secret hash values". */
export function secretHash(secret: string, username: string, clientId: string): string {
  return createHmac('sha256', secret)
    .update(username + clientId)
    .digest('base64');
}

/** The app client's secret lives in Cognito only; read once per function instance, again after a failure. */
export function rememberedSecret(
  client: CognitoIdentityProviderClient,
  UserPoolId: string,
  ClientId: string,
) {
  let secret: string | undefined;
  return async (): Promise<string> => {
    if (secret !== undefined) return secret;
    const { UserPoolClient } = await client.send(
      new DescribeUserPoolClientCommand({ UserPoolId, ClientId }),
      {
        abortSignal: AbortSignal.timeout(cognitoTimeoutMs),
      },
    );
    secret = UserPoolClient?.ClientSecret;
    if (secret === undefined) throw new Error('the pool client has no secret');
    return secret;
  };
}

/** The token came from Cognito itself over TLS and goes no further, so its signature is not looked at. */
function subjectOf(idToken: string): string {
  const { sub } = decodeJwt(idToken);
  if (sub === undefined) throw new Error('Cognito returned an id_token without a subject');
  return sub;
}

/** Maps Cognito's error of a sign-in. @throws a defect, as it came. */
export function meaningOf(error: unknown): 'refused' | 'unavailable' {
  if (error instanceof Error && refusals.has(error.name)) return 'refused';
  if (isTransient(error)) return 'unavailable';
  throw error;
}
