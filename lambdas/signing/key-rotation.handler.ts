import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type LineOfBusiness, lineOfBusinessCodes } from '../catalog/lines-of-business.ts';
import type { TokenAuthority } from '../catalog/token-authority.ts';
import { systemClock } from '../runtime/clock.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { consoleLog } from '../runtime/log.ts';
import { createJwksStore } from '../storage/jwks-store.ts';
import { createSignedTable } from '../storage/signed-table.ts';
import { makeSigningKeys } from './key-pair.ts';
import { rotate, rotationEvent } from './key-rotation.ts';
import { createSigningSecret } from './signing-secret.ts';

const { tableName, signingSecrets, memberAccessTokenSeconds, clientAccessTokenSeconds } = readEnvironment([
  'tableName',
  'signingSecrets',
  'memberAccessTokenSeconds',
  'clientAccessTokenSeconds',
]);
/** Longer than a function may sign with a key it remembers (`secret-signing-keys.ts`), and than clocks differ. */
const marginSeconds = 60 * 60;
const client = new SecretsManagerClient({});
const jwks = createJwksStore(createSignedTable({ tableName }));

/** Rotates one authority's signing keys, one step a call, when Secrets Manager asks for it. */
export async function handler(event: unknown): Promise<void> {
  const { SecretId, ClientRequestToken, Step } = rotationEvent.parse(event);
  const authority = authorityOf(SecretId);
  try {
    await rotate(
      {
        secret: createSigningSecret(client, SecretId),
        published: {
          read: () => jwks.read(authority),
          publish: (set, updatedAt) => jwks.publish(authority, set, updatedAt),
        },
        retiredSeconds: Math.max(memberAccessTokenSeconds, clientAccessTokenSeconds) + marginSeconds,
        makeKeys: makeSigningKeys,
        now: systemClock,
      },
      Step,
      ClientRequestToken,
    );
    consoleLog('info', `key_rotation_${Step}`, { lob: authority });
  } catch (error) {
    const errorName = error instanceof Error ? error.name : 'Error';
    consoleLog('error', `key_rotation_${Step}_failed`, { lob: authority, errorName });
    throw error;
  }
}

/** Only a secret the stack listed is rotated, whoever asks. */
function authorityOf(secretId: string): TokenAuthority {
  const authority = Object.keys(signingSecrets).find((name) => signingSecrets[name] === secretId);
  if (authority === 'M2M' || lineOfBusinessCodes.includes(authority as LineOfBusiness)) {
    return authority as TokenAuthority;
  }
  throw new Error('the secret belongs to no token authority');
}
