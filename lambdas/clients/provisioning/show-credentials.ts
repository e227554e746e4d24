/** Shows a client's live credentials, after the audit event has been stored. */

import { callLogDays } from '../../catalog/call-log.ts';
import type { Client } from './client.ts';
import type { ProvisioningAnswer, ProvisioningRequest, ShownCredential } from './provisioning-contract.ts';
import type { ProvisioningServices } from './provisioning-ports.ts';
import { isLive } from './rotation.ts';

/** Milliseconds of the log of calls that are searched for the last use of a credential: the same days as in the portal's list. */
const searchedMs = callLogDays * 24 * 60 * 60 * 1000;

/**
 * Shows a client's live secrets (decrypted) and keys (read from API Gateway), for View Credentials. The audit event is stored before
 * anything is decrypted.
 */
export async function showCredentials(
  provisioning: ProvisioningServices,
  { clientId, requestId }: Extract<ProvisioningRequest, { readonly action: 'credentials' }>,
): Promise<ProvisioningAnswer> {
  const { registry, cipher, keys, now, random, resourceId } = provisioning;
  const client = await registry.client(clientId);
  if (client === undefined) return { kind: 'refusal', refusal: { code: 'client_not_found' } };
  const time = now();
  await registry.auditView({
    clientId,
    requestId,
    eventId: random.uuid(),
    time: new Date(time).toISOString(),
  });
  const uses = await lastUses(provisioning, client, time);
  const secrets = await Promise.all(
    client.secrets
      .filter((secret) => isLive(secret, time))
      .map(async (secret) =>
        shown(
          await cipher.decrypt(secret.encrypted, clientId),
          secret,
          uses.logged?.get(secret.secretId) ?? uses.days.get(secret.sha256),
        ),
      ),
  );
  const subscriptionKeys = await Promise.all(
    client.subscriptionKeys
      .filter((key) => isLive(key, time))
      .map(async (key) => shown(await keys.value(key.apiKeyId), key, uses.logged?.get(key.apiKeyId))),
  );
  return {
    kind: 'shown',
    shown: {
      clientId,
      state: client.state,
      secrets: secrets.flat(),
      subscriptionKeys: subscriptionKeys.flat(),
      ...(uses.logged === undefined ? { keyUsesUnknown: true as const } : {}),
      ...(client.grantTypes.includes('client_credentials') ? { machineScope: `${resourceId}/.default` } : {}),
    },
  };
}

/** A credential for display; empty if its key is no longer in API Gateway, such as a revoked client's. */
function shown(
  value: string | undefined,
  { createdAt, expiresAt }: Omit<ShownCredential, 'value'>,
  lastUsed: string | number | undefined,
): readonly ShownCredential[] {
  if (value === undefined) return [];
  return [
    {
      value,
      createdAt,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(lastUsed === undefined ? {} : { lastUsedAt: new Date(lastUsed).toISOString() }),
    },
  ];
}

/**
 * Finds the last use of each live credential: by the log of calls, under its ID, if the log answers; of a secret also the day, under its
 * SHA-256, because the log keeps calls for some days only.
 */
async function lastUses({ registry, callLog }: ProvisioningServices, client: Client, time: number) {
  const apiKeyIds = client.subscriptionKeys.filter((key) => isLive(key, time)).map((key) => key.apiKeyId);
  const secretIds = client.secrets.filter((secret) => isLive(secret, time)).map((secret) => secret.secretId);
  const [days, logged] = await Promise.all([
    registry.secretDays(client),
    callLog.lastCalls({ apiKeyIds, secretIds, from: time - searchedMs, to: time + 1 }),
  ]);
  return { days, logged };
}
