/** Secret of a user pool's app client: reads it, and computes the hash that each request must have. */

import { createHmac } from 'node:crypto';
import {
  type CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { cognitoTimeoutMs } from './cognito-failure.ts';

/** The secret hash of a request (Cognito developer guide, "Computing secret hash values"). */
export function secretHash(secret: string, username: string, clientId: string): string {
  return createHmac('sha256', secret)
    .update(username + clientId)
    .digest('base64');
}

/** Reads the app client's secret from Cognito, where alone it is stored: once per function instance, and again after a failure. */
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
