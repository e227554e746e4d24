/** Handler of `key-rotation`, invoked by Secrets Manager and the operator's CLI: rotates, lists and removes signing keys. */

import { randomUUID } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  keyAuditIssuer,
  keyService,
  type SigningKeyOwner,
  signingAlgorithm,
  signingKeyOwners,
} from '../catalog/oauth/token-issuer.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { listKeys, removeKey } from './signing/key-operations.ts';
import { type KeyOperation, keyOperation } from './signing/key-operations-contract.ts';
import { makeSigningKeys } from './signing/key-pair.ts';
import { type KeyRotation, rotateSigningKey, rotationEvent } from './signing/key-rotation.ts';
import { createSigningSecret } from './signing/signing-secret.ts';
import { createJwksStore } from './store/jwks-store.ts';

const { environment, tableName, signingSecrets, memberAccessTokenSeconds, clientAccessTokenSeconds } =
  readEnvironment([
    'environment',
    'tableName',
    'signingSecrets',
    'memberAccessTokenSeconds',
    'clientAccessTokenSeconds',
  ]);
/**
 * Seconds added to the time that a retired key stays published: a function may still sign with a cached key (`secret-signing-keys.ts`), and
 * clocks differ.
 */
const marginSeconds = 60 * 60;
const client = new SecretsManagerClient({ retryStrategy: sdkRetries });
const jwks = createJwksStore(createSignedTable({ tableName }));

/**
 * Rotates an issuer's signing keys for Secrets Manager, one step per invocation; lists and removes keys for the operator's CLI. The only
 * function that writes signing secrets and published keys.
 */
export async function handler(event: unknown): Promise<unknown> {
  const step = rotationEvent.safeParse(event);
  return step.success ? await carryOut(step.data) : await operate(event);
}

async function carryOut({
  SecretId,
  ClientRequestToken,
  Step,
}: ReturnType<typeof rotationEvent.parse>): Promise<void> {
  const issuer = issuerOf(SecretId);
  const rotation = keyRotation(issuer, SecretId, {
    action: 'signing-key.rotate',
    actor: 'key-rotation',
  });
  try {
    await rotateSigningKey(rotation, Step, ClientRequestToken);
    consoleLog('info', `key_rotation_${Step}`, { lob: issuer });
  } catch (error) {
    const errorName = error instanceof Error ? error.name : 'Error';
    consoleLog('error', `key_rotation_${Step}_failed`, { lob: issuer, errorName });
    throw error;
  }
}

const operate = guardInvocation('key-rotation', async (payload) => {
  const operation: KeyOperation = keyOperation.parse(payload);
  const { issuer } = operation;
  const secretId = signingSecrets[issuer];
  if (secretId === undefined) throw new Error('the issuer has no secret here');
  const removed = operation.action === 'remove' ? { resource: `SigningKey/${operation.kid}` } : {};
  const operations = {
    ...keyRotation(issuer, secretId, { action: 'signing-key.remove', actor: 'operator', ...removed }),
    secretId,
    newVersion: randomUUID,
  };
  if (operation.action === 'list') return await listKeys(operations);
  const answer = await removeKey(operations, operation.kid);
  consoleLog('warn', answer.kind === 'keys' ? 'signing_key_removed' : 'signing_key_unknown', { lob: issuer });
  return answer;
});

/**
 * Creates the rotation of an issuer's keys.
 *
 * @param act action and actor in the audit event of a published key set
 */
function keyRotation(
  issuer: SigningKeyOwner,
  secretId: string,
  act: {
    readonly action: 'signing-key.rotate' | 'signing-key.remove';
    readonly actor: string;
    readonly resource?: string;
  },
): KeyRotation {
  return {
    secret: createSigningSecret(client, secretId),
    published: {
      read: () => jwks.read(issuer),
      publish: (set, time, version) =>
        jwks.publishVersion(issuer, {
          jwks: set,
          version,
          audit: {
            ...act,
            eventId: randomUUID(),
            time,
            environment,
            lob: keyAuditIssuer(issuer),
            outcome: 'succeeded',
            service: keyService(issuer),
            requestId: version,
          },
        }),
    },
    retiredSeconds: Math.max(memberAccessTokenSeconds, clientAccessTokenSeconds) + marginSeconds,
    makeKeys: (count) => makeSigningKeys(count, signingAlgorithm(issuer)),
    now: systemClock,
  };
}

/**
 * The issuer of a secret.
 *
 * @throws Error for a secret that the stack does not list, so that no other is ever rotated.
 */
function issuerOf(secretId: string): SigningKeyOwner {
  const issuer = signingKeyOwners.find((name) => signingSecrets[name] === secretId);
  if (issuer === undefined) throw new Error('the secret belongs to no token issuer');
  return issuer;
}
