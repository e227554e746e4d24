/** Generates client secrets and obtains the API keys of a client. */

import type { ClientSecret, SubscriptionKey } from './client.ts';
import type { GatewayKey, ProvisioningServices } from './provisioning-ports.ts';

/** 256 bits: RFC 6749 section 10.10 asks for at least 128. */
const secretBytes = 32;
/** 40 characters; API Gateway takes 30 to 128. */
const keyBytes = 30;

/** A new client secret and what is kept of it. */
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
 * The subscription key of a request: the one an attempt that ended half-way already made (found by the
 * request's id), or a new one. Until the table knows it, the authorizer refuses it.
 */
export async function obtainKey(
  { keys, random }: ProvisioningServices,
  requestId: string,
  clientId: string,
): Promise<GatewayKey> {
  const found = await keys.find(requestId);
  return found ?? (await keys.create({ requestId, clientId, value: random.token(keyBytes) }));
}

/** The metering key of a registration, made as its subscription key is: what an attempt left is taken up by the repeat. */
export async function obtainMeteringKey(
  provisioning: ProvisioningServices,
  requestId: string,
  clientId: string,
): Promise<GatewayKey> {
  return await obtainKey(provisioning, meteringRequest(requestId), clientId);
}

/** A request's id has no slash behind it, so that neither key is found in the other's place. */
function meteringRequest(requestId: string): string {
  return `${requestId}/metering`;
}

export function keptKey({ now, sha256 }: ProvisioningServices, key: GatewayKey): SubscriptionKey {
  return { apiKeyId: key.apiKeyId, sha256: sha256(key.value), createdAt: new Date(now()).toISOString() };
}

/** Deletes the key of an attempt that lost; never the key of the attempt that won. */
export async function discardKey(
  { keys, registry }: ProvisioningServices,
  requestId: string,
  key: GatewayKey,
): Promise<void> {
  const winner = await registry.request(requestId);
  if (winner?.apiKeyId !== key.apiKeyId) await keys.delete(key.apiKeyId);
}

/** The same for a metering key: the winner's is the one its client holds. */
export async function discardMeteringKey(
  { keys, registry }: ProvisioningServices,
  requestId: string,
  key: GatewayKey,
): Promise<void> {
  const winner = await registry.request(requestId);
  const client = winner === undefined ? undefined : await registry.client(winner.clientId);
  if (client?.meteringKey?.apiKeyId !== key.apiKeyId) await keys.delete(key.apiKeyId);
}
