/** Generates client secrets and obtains the API keys of a client. */

import type { ClientSecret, SubscriptionKey } from './client.ts';
import type { GatewayKey, ProvisioningServices } from './provisioning-ports.ts';

/** Bytes of a client secret: 256 bits, where RFC 6749 section 10.10 requires at least 128. */
const secretBytes = 32;
/** Bytes of an API key: 40 characters in base64url, where API Gateway requires 30 to 128. */
const keyBytes = 30;

/**
 * Generates a client secret.
 *
 * @returns its value, and the form that is stored.
 */
export async function newSecret(
  { cipher, now, random, sha256 }: ProvisioningServices,
  clientId: string,
): Promise<{ readonly value: string; readonly kept: ClientSecret }> {
  const value = random.token(secretBytes);
  const kept = {
    secretId: random.uuid(),
    sha256: sha256(value),
    encrypted: await cipher.encrypt(value, clientId),
    createdAt: new Date(now()).toISOString(),
  };
  return { value, kept };
}

/**
 * Gets the subscription key of a request: the key that an interrupted attempt made (found by the request ID), or a new one. The authorizer
 * refuses the key until its lookup item is in the table.
 *
 * @param value of a new key. @default a random one
 */
export async function obtainKey(
  { keys, random }: ProvisioningServices,
  requestId: string,
  clientId: string,
  value = random.token(keyBytes),
): Promise<GatewayKey> {
  const found = await keys.find(requestId);
  return found ?? (await keys.create({ requestId, clientId, value }));
}

/** Gets the metering key of a registration: the key of an interrupted attempt, or a new one. */
export async function obtainMeteringKey(
  provisioning: ProvisioningServices,
  requestId: string,
  clientId: string,
): Promise<GatewayKey> {
  return await obtainKey(provisioning, meteringRequest(requestId), clientId);
}

/** Request ID under which a metering key is made. The slash distinguishes its name from that of the subscription key. */
function meteringRequest(requestId: string): string {
  return `${requestId}/metering`;
}

export function keptKey({ now, sha256 }: ProvisioningServices, key: GatewayKey): SubscriptionKey {
  return { apiKeyId: key.apiKeyId, sha256: sha256(key.value), createdAt: new Date(now()).toISOString() };
}

/** Deletes the subscription key of an attempt that lost a race, unless the winning attempt uses the same key. */
export async function discardKey(
  { keys, registry }: ProvisioningServices,
  requestId: string,
  key: GatewayKey,
): Promise<void> {
  const winner = await registry.request(requestId);
  if (winner?.apiKeyId !== key.apiKeyId) await keys.delete(key.apiKeyId);
}

/** Deletes the metering key of an attempt that lost a race, unless the registered client uses the same key. */
export async function discardMeteringKey(
  { keys, registry }: ProvisioningServices,
  requestId: string,
  key: GatewayKey,
): Promise<void> {
  const winner = await registry.request(requestId);
  const client = winner === undefined ? undefined : await registry.client(winner.clientId);
  if (client?.meteringKey?.apiKeyId !== key.apiKeyId) await keys.delete(key.apiKeyId);
}
