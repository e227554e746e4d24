/** Secret of a user pool's app client: reads it, and computes the hash that goes with each request. */

import { createHmac } from 'node:crypto';
import {
  type CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { cognitoTimeoutMs } from './cognito-failure.ts';

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
