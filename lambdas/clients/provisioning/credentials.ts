/** Generates client secrets and obtains the API keys of a client. */

import type { ClientSecret, SubscriptionKey } from './client.ts';
import type { GatewayKey, ProvisioningServices } from './provisioning-ports.ts';

/** 256 bits: RFC 6749 section 10.10 asks for at least 128. */
const secretBytes = 32;
/** 40 characters; API Gateway takes 30 to 128. */
const keyBytes = 30;

/** Generates a client secret, and its stored form. */
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
 * The subscription key of a request: the key that an interrupted attempt made (found by the request ID), or a new one. The authorizer
 * refuses it until the table has it.
 */
export async function obtainKey(
  { keys, random }: ProvisioningServices,
  requestId: string,
  clientId: string,
): Promise<GatewayKey> {
  const found = await keys.find(requestId);
  return found ?? (await keys.create({ requestId, clientId, value: random.token(keyBytes) }));
}

/** The metering key of a registration; an interrupted attempt's is used again, as with subscription keys. */
export async function obtainMeteringKey(
  provisioning: ProvisioningServices,
  requestId: string,
  clientId: string,
): Promise<GatewayKey> {
  return await obtainKey(provisioning, meteringRequest(requestId), clientId);
}

/** The slash after the request ID tells the two keys' names apart. */
function meteringRequest(requestId: string): string {
  return `${requestId}/metering`;
}

export function keptKey({ now, sha256 }: ProvisioningServices, key: GatewayKey): SubscriptionKey {
  return { apiKeyId: key.apiKeyId, sha256: sha256(key.value), createdAt: new Date(now()).toISOString() };
}

/** Deletes the key of an attempt that lost the race, never the winner's. */
export async function discardKey(
  { keys, registry }: ProvisioningServices,
  requestId: string,
  key: GatewayKey,
): Promise<void> {
  const winner = await registry.request(requestId);
  if (winner?.apiKeyId !== key.apiKeyId) await keys.delete(key.apiKeyId);
}

/** The same for a metering key; the client holds the winner's. */
export async function discardMeteringKey(
  { keys, registry }: ProvisioningServices,
  requestId: string,
  key: GatewayKey,
): Promise<void> {
  const winner = await registry.request(requestId);
  const client = winner === undefined ? undefined : await registry.client(winner.clientId);
  if (client?.meteringKey?.apiKeyId !== key.apiKeyId) await keys.delete(key.apiKeyId);
}
