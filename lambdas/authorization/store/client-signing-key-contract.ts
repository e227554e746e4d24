/** Reads the private key by which this environment signs assertions as a client of others. */

import type { SigningKeyOwner } from '../../catalog/oauth/token-issuer.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { createIssuerSecrets } from '../signing/issuer-secrets.ts';
import { createSecretSigningKeys } from '../signing/secret-signing-keys.ts';

/**
 * Creates the reader of an owner's current key, which is cached for a minute.
 *
 * @param secrets owner → ARN of its secret
 */
export function createClientSigningKey(
  secrets: Readonly<Record<string, string>>,
  owner: Extract<SigningKeyOwner, 'PAYERS'>,
  now: Clock,
) {
  const keys = createSecretSigningKeys({ readSecret: createIssuerSecrets(secrets), now });
  return async () => await keys.current(owner);
}
