/** Brings a client's API keys in API Gateway to the state of its registration. */

import type { Client } from './client.ts';
import type { ProvisioningServices } from './provisioning-ports.ts';
import { isLive } from './rotation.ts';

/** Attempts to settle the keys: another act may change the client meanwhile, and more races in a row are a defect. */
const mostRounds = 5;

/**
 * Brings API Gateway to what the table says of a client: its keys enabled while it is active, disabled while it is
 * suspended, gone when it is revoked, ended
 * keys gone in any case. The table is written first and decides what is usable; this makes the
 * gateway refuse at once too. May be repeated at any time, and is, after an act that ended half-way.
 *
 * @param plans also moves the keys to the usage plan of the client's tier.
 */
export async function settleKeys(
  provisioning: ProvisioningServices,
  clientId: string,
  plans = false,
): Promise<Client | undefined> {
  let client = await provisioning.registry.client(clientId);
  for (let round = 0; client !== undefined && round < mostRounds; round += 1) {
    await settle(provisioning, client, plans);
    const after = await provisioning.registry.client(clientId);
    if (after === undefined || after.updatedAt === client.updatedAt) return after;
    client = after;
  }
  if (client === undefined) return undefined;
  throw new Error('a client changes faster than its keys can be settled');
}

async function settle(
  { keys, now, tiers }: ProvisioningServices,
  client: Client,
  plans: boolean,
): Promise<void> {
  for (const { apiKeyId, ended } of gatewayKeys(client, now())) {
    if (client.state === 'revoked' || ended) {
      await keys.delete(apiKeyId);
      continue;
    }
    if (plans) {
      // Two usage plans can't have one key for the same stage, so the key leaves the others first.
      for (const tier of tiers) if (tier !== client.tier) await keys.detach(apiKeyId, tier);
      await keys.attach(apiKeyId, client.tier);
    }
    await keys.enable(apiKeyId, client.state === 'active');
  }
}

/** The client's keys in API Gateway. @param now milliseconds since 1970 */
function gatewayKeys({ subscriptionKeys, meteringKey }: Client, now: number) {
  const keys = subscriptionKeys.map((key) => ({ apiKeyId: key.apiKeyId, ended: !isLive(key, now) }));
  return meteringKey === undefined ? keys : [...keys, { apiKeyId: meteringKey.apiKeyId, ended: false }];
}
