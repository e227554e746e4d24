/** Reads the current values of secrets from Secrets Manager, for functions that sign tokens. */

import type { SigningKeyOwner } from '../../catalog/oauth/token-issuer.ts';
import {
  CallFailed,
  callWithRetries,
  type Send,
  systemRetryTiming,
} from '../../platform/table/dynamodb-call.ts';
import type { JsonService } from '../../platform/table/request-signature.ts';
import { createSignedCalls, serviceAccess } from '../../platform/table/signed-calls.ts';

const secretsManager: JsonService = {
  signingName: 'secretsmanager',
  version: '1.1',
  target: 'secretsmanager',
};

/** The call to Secrets Manager of a function that only reads. */
export function secretCalls(): Send<'GetSecretValue'> {
  const access = serviceAccess(secretsManager, 'AWS_ENDPOINT_URL_SECRETS_MANAGER', process.env);
  return createSignedCalls(secretsManager, access);
}

/**
 * Reads the current value of an issuer's signing secret.
 *
 * @param secrets token issuer → ARN, from the function's environment variable.
 */
export function createIssuerSecrets(
  secrets: Readonly<Record<string, string>>,
  send: Send<'GetSecretValue'> = secretCalls(),
) {
  return async (issuer: SigningKeyOwner): Promise<string | undefined> => {
    const secretId = secrets[issuer];
    if (secretId === undefined) throw new Error(`no signing secret is configured for ${issuer}`);
    return await readCurrentSecret(send, secretId);
  };
}

/**
 * Reads a secret's current value.
 *
 * @returns undefined if the secret has none.
 * @throws StoreUnavailable if Secrets Manager does not answer; `CallFailed` for another refusal.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 */
export async function readCurrentSecret(
  send: Send<'GetSecretValue'>,
  secretId: string,
): Promise<string | undefined> {
  const asked = { SecretId: secretId, VersionStage: 'AWSCURRENT' };
  try {
    const call = () => send('GetSecretValue', asked);
    const { SecretString } = await callWithRetries(call, { ...systemRetryTiming, repeatable: true });
    return typeof SecretString === 'string' ? SecretString : undefined;
  } catch (error) {
    if (error instanceof CallFailed && error.code === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}
