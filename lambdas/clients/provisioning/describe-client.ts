/** Describes a client to an operator: its registration and its usage. */

import type { Client } from './client.ts';
import type { ProvisioningAnswer, ProvisioningRequest } from './provisioning-contract.ts';
import type { DailyUsage, ProvisioningServices } from './provisioning-ports.ts';

const notFound: ProvisioningAnswer = { kind: 'refusal', refusal: { code: 'client_not_found' } };

/** Describes a client to an operator, without secrets, their hashes, or key values. */
export async function describeClient(
  { registry }: ProvisioningServices,
  clientId: string,
): Promise<ProvisioningAnswer> {
  const client = await registry.client(clientId);
  return client === undefined ? notFound : { kind: 'client', client: withoutSecrets(client) };
}

function withoutSecrets(client: Client) {
  const { secrets, subscriptionKeys, meteringKey: _, ...shown } = client;
  return {
    ...shown,
    secrets: secrets.map(({ secretId, createdAt, expiresAt }) => ({ secretId, createdAt, expiresAt })),
    subscriptionKeys: subscriptionKeys.map(({ apiKeyId, createdAt, expiresAt }) => ({
      apiKeyId,
      createdAt,
      expiresAt,
    })),
  };
}

/**
 * Counts the requests of each day against the client's quota. Usage of the metering key and of subscription keys (which metered calls
 * before metering keys existed) is added up. `remaining` is the quota minus all of it.
 */
export async function clientUsage(
  { registry, keys }: ProvisioningServices,
  { clientId, from, to }: Extract<ProvisioningRequest, { readonly action: 'usage' }>,
): Promise<ProvisioningAnswer> {
  if (from > to) {
    const issues = [{ path: 'from', message: 'not later than `to`' }];
    return { kind: 'refusal', refusal: { code: 'invalid_request', issues } };
  }
  const client = await registry.client(clientId);
  if (client === undefined) return notFound;
  const days = new Map<string, DailyUsage>();
  const metering = client.meteringKey === undefined ? [] : [client.meteringKey];
  for (const { apiKeyId } of [...metering, ...client.subscriptionKeys]) {
    for (const day of await keys.usage(apiKeyId, client.tier, from, to)) {
      const known = days.get(day.date);
      const used = day.used + (known?.used ?? 0);
      // Each key of the usage plan has the whole quota: its used plus its remaining requests.
      days.set(day.date, { ...day, used, remaining: Math.max(0, day.remaining - (known?.used ?? 0)) });
    }
  }
  return { kind: 'usage', usage: [...days.values()].sort((a, b) => a.date.localeCompare(b.date)) };
}
