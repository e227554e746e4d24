import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SigningKeyOwner } from '../catalog/oauth/token-issuer.ts';
import { createSigningSecret } from './signing-secret.ts';

/**
 * Reads the current value of an issuer's signing secret.
 *
 * @param secrets token issuer → ARN, as the function's environment has it.
 */
export function createIssuerSecrets(client: SecretsManagerClient, secrets: Readonly<Record<string, string>>) {
  return async (issuer: SigningKeyOwner): Promise<string | undefined> => {
    const secretId = secrets[issuer];
    if (secretId === undefined) throw new Error(`no signing secret is configured for ${issuer}`);
    return await createSigningSecret(client, secretId).read('AWSCURRENT');
  };
}
