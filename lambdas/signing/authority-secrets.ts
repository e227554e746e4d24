import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { TokenAuthority } from '../catalog/token-authority.ts';
import { createSigningSecret } from './signing-secret.ts';

/**
 * Reads the current value of an authority's signing secret.
 *
 * @param secrets token authority → ARN, as the function's environment has it.
 */
export function createAuthoritySecrets(
  client: SecretsManagerClient,
  secrets: Readonly<Record<string, string>>,
) {
  return async (authority: TokenAuthority): Promise<string | undefined> => {
    const secretId = secrets[authority];
    if (secretId === undefined) throw new Error(`no signing secret is configured for ${authority}`);
    return await createSigningSecret(client, secretId).read({ stage: 'AWSCURRENT' });
  };
}
