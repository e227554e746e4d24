/** Brings a client's API keys in API Gateway to the state of its registration. */

import type { Client } from './client.ts';
import type { ProvisioningServices } from './provisioning-ports.ts';
import { isLive } from './rotation.ts';

/** Maximum number of attempts, while other acts change the same client. */
const mostRounds = 5;

/**
 * Brings API Gateway's keys to the state of the client in the table: enabled for an active client, disabled for a suspended one, deleted
 * for a revoked one; expired keys are deleted. The table is written first and decides which keys grant access; API Gateway then refuses the
 * others too. May be repeated at any time, and is repeated after an act that failed half-way.
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
      // A key can't be in two usage plans of the same stage, so it is removed from the others first.
      for (const tier of tiers) if (tier !== client.tier) await keys.detach(apiKeyId, tier);
      await keys.attach(apiKeyId, client.tier);
    }
    await keys.enable(apiKeyId, client.state === 'active');
  }
}

/**
 * The client's subscription keys and metering key, and whether each has ended.
 *
 * @param now milliseconds since 1970
 */
function gatewayKeys({ subscriptionKeys, meteringKey }: Client, now: number) {
  const keys = subscriptionKeys.map((key) => ({ apiKeyId: key.apiKeyId, ended: !isLive(key, now) }));
  return meteringKey === undefined ? keys : [...keys, { apiKeyId: meteringKey.apiKeyId, ended: false }];
}
