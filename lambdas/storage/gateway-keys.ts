import {
  type APIGatewayClient,
  type ApiKey,
  ConflictException,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  DeleteUsagePlanKeyCommand,
  GetApiKeysCommand,
  GetUsageCommand,
  NotFoundException,
  UpdateApiKeyCommand,
} from '@aws-sdk/client-api-gateway';
import type { DailyUsage, GatewayKey, SubscriptionKeys } from '../applications/ports.ts';

/**
 * Subscription keys in API Gateway, with the environment's usage plans.
 *
 * @param usagePlans tier → usage plan id.
 * @see https://docs.aws.amazon.com/apigateway/latest/api/API_CreateApiKey.html
 */
export function createGatewayKeys(
  client: APIGatewayClient,
  usagePlans: Readonly<Record<string, string>>,
): SubscriptionKeys {
  const plan = (tier: string): string => {
    const id = usagePlans[tier];
    if (id === undefined) throw new Error('a tier without a usage plan');
    return id;
  };
  return {
    find: (name) => findKey(client, name),
    async create({ name, customerId, value }) {
      return gatewayKey(
        await client.send(new CreateApiKeyCommand({ name, customerId, value, enabled: true })),
      );
    },
    async attach(keyId, tier) {
      const command = new CreateUsagePlanKeyCommand({ usagePlanId: plan(tier), keyId, keyType: 'API_KEY' });
      await harmless(client.send(command), ConflictException);
    },
    async detach(keyId, tier) {
      const command = new DeleteUsagePlanKeyCommand({ usagePlanId: plan(tier), keyId });
      await harmless(client.send(command), NotFoundException);
    },
    async enable(apiKey, enabled) {
      const patchOperations = [{ op: 'replace' as const, path: '/enabled', value: String(enabled) }];
      await harmless(client.send(new UpdateApiKeyCommand({ apiKey, patchOperations })), NotFoundException);
    },
    async delete(apiKey) {
      await harmless(client.send(new DeleteApiKeyCommand({ apiKey })), NotFoundException);
    },
    usage: (keyId, tier, from, to) => keyUsage(client, { usagePlanId: plan(tier), keyId, from, to }),
  };
}

/** `nameQuery` matches the beginning of names; a request's own id may be another's beginning. */
async function findKey(client: APIGatewayClient, name: string): Promise<GatewayKey | undefined> {
  let position: string | undefined;
  do {
    const page = await client.send(
      new GetApiKeysCommand({
        nameQuery: name,
        includeValues: true,
        ...(position === undefined ? {} : { position }),
      }),
    );
    const found = page.items?.find((key) => key.name === name);
    if (found !== undefined) return gatewayKey(found);
    position = page.position;
  } while (position !== undefined);
  return undefined;
}

/** Each entry of `items` is a list of [used, remaining], one for each day from `startDate` on. */
async function keyUsage(
  client: APIGatewayClient,
  query: { readonly usagePlanId: string; readonly keyId: string; readonly from: string; readonly to: string },
): Promise<readonly DailyUsage[]> {
  const { usagePlanId, keyId, from, to } = query;
  const command = new GetUsageCommand({ usagePlanId, keyId, startDate: from, endDate: to });
  const answer = await harmless(client.send(command), NotFoundException);
  return (answer?.items?.[keyId] ?? []).map(([used = 0, remaining = 0], index) => ({
    date: new Date(Date.parse(`${from}T00:00:00Z`) + index * 86_400_000).toISOString().slice(0, 10),
    used,
    remaining,
  }));
}

function gatewayKey({ id, value, customerId }: ApiKey): GatewayKey {
  if (id === undefined || value === undefined || customerId === undefined) {
    throw new Error('API Gateway returned a key without id, value or customer');
  }
  return { apiKeyId: id, value, customerId };
}

/** What is already as it should be is no error: undefined then. */
async function harmless<Answer>(
  call: Promise<Answer>,
  already: typeof ConflictException | typeof NotFoundException,
): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof already) return undefined;
    throw error;
  }
}
