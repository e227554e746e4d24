/** Creates, enables and deletes subscription keys as API Gateway API keys in the usage plans of the tiers. */

import {
  type APIGatewayClient,
  type ApiKey,
  ConflictException,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  DeleteUsagePlanKeyCommand,
  GetApiKeyCommand,
  GetApiKeysCommand,
  GetUsageCommand,
  NotFoundException,
  UpdateApiKeyCommand,
} from '@aws-sdk/client-api-gateway';
import { type Environment, stageTag } from '../../catalog/environments.ts';
import type { DailyUsage, GatewayKey, SubscriptionKeyService } from '../provisioning/provisioning-ports.ts';

/**
 * Manages subscription keys as API Gateway API keys in the environment's usage plans.
 *
 * @param usagePlans tier → usage plan ID.
 * @param environment tags each key: the function's role is denied the keys of another environment.
 * @see https://docs.aws.amazon.com/apigateway/latest/api/API_CreateApiKey.html
 */
export function createGatewayKeys(
  client: APIGatewayClient,
  usagePlans: Readonly<Record<string, string>>,
  environment: Environment,
): SubscriptionKeyService {
  const plan = (tier: string): string => {
    const id = usagePlans[tier];
    if (id === undefined) throw new Error('a tier without a usage plan');
    return id;
  };
  return {
    find: (requestId) => findKey(client, requestId),
    async create({ requestId, clientId, value }) {
      const name = keyName(requestId, clientId);
      const tags = { [stageTag]: environment };
      const made = await client.send(new CreateApiKeyCommand({ name, value, enabled: true, tags }));
      return gatewayKey(made, clientId);
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
      await changeKey(client, apiKey, client.send(new UpdateApiKeyCommand({ apiKey, patchOperations })));
    },
    async delete(apiKey) {
      await changeKey(client, apiKey, client.send(new DeleteApiKeyCommand({ apiKey })));
    },
    async value(apiKey) {
      const answer = await harmless(
        client.send(new GetApiKeyCommand({ apiKey, includeValue: true })),
        NotFoundException,
      );
      return answer?.value;
    },
    usage: (keyId, tier, from, to) => keyUsage(client, { usagePlanId: plan(tier), keyId, from, to }),
  };
}

/**
 * Changes a key, or does nothing if the key is gone. The role may change only keys with its stage's tag. A missing key has no tag, so
 * access is denied: then the key is looked up before the error is thrown.
 */
async function changeKey(client: APIGatewayClient, apiKey: string, change: Promise<unknown>): Promise<void> {
  try {
    await harmless(change, NotFoundException);
  } catch (error) {
    if ((error as Error).name !== 'AccessDeniedException') throw error;
    const found = await harmless(client.send(new GetApiKeyCommand({ apiKey })), NotFoundException);
    if (found !== undefined) throw error;
  }
}

/**
 * Name of an API key: the request and the client that it was made for. `nameQuery` matches the start of names. (The field `customerId` is
 * for AWS Marketplace.)
 */
function keyName(requestId: string, clientId: string): string {
  return `${requestId}/${clientId}`;
}

async function findKey(client: APIGatewayClient, requestId: string): Promise<GatewayKey | undefined> {
  const beginning = keyName(requestId, '');
  let position: string | undefined;
  do {
    const page = await client.send(
      new GetApiKeysCommand({
        nameQuery: beginning,
        includeValues: true,
        ...(position === undefined ? {} : { position }),
      }),
    );
    for (const key of page.items ?? []) {
      const clientId = key.name?.slice(beginning.length);
      // Without the slash, a request ID would match another one that starts with it. A client ID has no slash.
      if (clientId !== undefined && !clientId.includes('/')) return gatewayKey(key, clientId);
    }
    position = page.position;
  } while (position !== undefined);
  return undefined;
}

/**
 * Reads a key's usage by day. In the response each element of `items` is a list of [used, remaining], one for each day from `startDate`.
 */
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

function gatewayKey({ id, value }: ApiKey, clientId: string): GatewayKey {
  if (id === undefined || value === undefined)
    throw new Error('API Gateway returned a key without id or value');
  return { apiKeyId: id, value, clientId };
}

/**
 * Awaits a call.
 *
 * @returns undefined if it fails with the error that means that the change was made already.
 */
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
