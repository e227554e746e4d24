/** Describes a client to an operator: its registration and its usage. */

import type { Client } from './client.ts';
import type { ProvisioningAnswer, ProvisioningRequest } from './provisioning-contract.ts';
import type { DailyUsage, ProvisioningServices } from './provisioning-ports.ts';

const notFound: ProvisioningAnswer = { kind: 'refusal', refusal: { code: 'client_not_found' } };

/** The client as an operator sees it: without secrets, their hashes, or key values. */
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
 * Requests of each day that count against the quota: those the gateway let in for the client, by the key it is metered by and by those that
 * metered themselves before. `remaining` is the quota less all of them.
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
      // Each key of the plan has the same quota: what it has used and what it has left.
      days.set(day.date, { ...day, used, remaining: Math.max(0, day.remaining - (known?.used ?? 0)) });
    }
  }
  return { kind: 'usage', usage: [...days.values()].sort((a, b) => a.date.localeCompare(b.date)) };
}
