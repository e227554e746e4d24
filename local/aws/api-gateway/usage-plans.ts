/** Local API Gateway: control plane operations on usage plans. Calls are metered in `local/gateway/usage-plans.ts`. */

import * as z from 'zod/mini';
import type { Assembly, Resource } from '../../assembly/resources.ts';
import { AwsError } from '../protocol/aws-error.ts';
import { operation, type ServiceOperation } from '../protocol/service.ts';
import type { ApiKeyStore, StoredApiKey } from './api-key-store.ts';

const invalid = 'BadRequestException';
const plan = z.string();
const day = z.iso.date();

/** Quota: "Usage plans per API key". */
const plansPerKey = 10;

/** Operations on the keys of the declared usage plans, and on how much of a plan's quota a key has used. */
export function usagePlanOperations(
  assembly: Assembly,
  keys: ApiKeyStore,
  arn: (path: string) => string,
): Record<string, ServiceOperation> {
  const find = (id: string): Resource => {
    const found = assembly.byPhysicalId(id, 'AWS::ApiGateway::UsagePlan');
    if (found === undefined) throw new AwsError('NotFoundException', 'Invalid Usage Plan ID specified', 404);
    return found;
  };
  return {
    CreateUsagePlanKey: operation(
      z.strictObject({ usagePlanId: plan, keyId: z.string(), keyType: z.literal('API_KEY') }),
      {
        action: 'apigateway:POST',
        resource: ({ usagePlanId }) => arn(`/usageplans/${usagePlanId}/keys`),
        run({ usagePlanId, keyId }) {
          const key = findKey(keys, keyId);
          admit(find(usagePlanId), key, find);
          keys.addToPlan(usagePlanId, keyId);
          return planKey(key);
        },
      },
      invalid,
    ),
    DeleteUsagePlanKey: operation(
      z.strictObject({ usagePlanId: plan, keyId: z.string() }),
      {
        action: 'apigateway:DELETE',
        resource: ({ usagePlanId, keyId }) => arn(`/usageplans/${usagePlanId}/keys/${keyId}`),
        run({ usagePlanId, keyId }) {
          if (keys.removeFromPlan(find(usagePlanId).physicalId, keyId)) return undefined;
          throw new AwsError('NotFoundException', 'Invalid API Key identifier specified', 404);
        },
      },
      invalid,
    ),
    GetUsage: operation(
      z.strictObject({ usagePlanId: plan, keyId: z.string(), startDate: day, endDate: day }),
      {
        action: 'apigateway:GET',
        resource: ({ usagePlanId }) => arn(`/usageplans/${usagePlanId}/usage`),
        run: ({ usagePlanId, keyId, startDate, endDate }) => ({
          usagePlanId,
          startDate,
          endDate,
          values: {
            [findKey(keys, keyId).id]: usageByDay(find(usagePlanId), keys, keyId, startDate, endDate),
          },
        }),
      },
      invalid,
    ),
  };
}

/**
 * Finds a key.
 *
 * @throws the service's 404.
 */
export function findKey(keys: ApiKeyStore, id: string): StoredApiKey {
  const key = keys.get(id);
  if (key === undefined) throw new AwsError('NotFoundException', 'Invalid API Key identifier specified', 404);
  return key;
}

/** Checks that a key may be added to a usage plan: it may be in ten plans at most, and in one only for each API stage. */
function admit(usagePlan: Resource, key: StoredApiKey, find: (id: string) => Resource): void {
  if (key.usagePlanIds.includes(usagePlan.physicalId)) {
    throw new AwsError('ConflictException', `Usage Plan Key already exists for ${key.id}`, 409);
  }
  if (key.usagePlanIds.length >= plansPerKey) {
    throw new AwsError('LimitExceededException', 'An API key can be in 10 usage plans', 429);
  }
  const stages = stagesOf(usagePlan);
  const taken = key.usagePlanIds.flatMap((id) => stagesOf(find(id)));
  if (stages.some((stage) => taken.includes(stage))) {
    throw new AwsError(
      'ConflictException',
      'The API key is in another usage plan of the same API stage',
      409,
    );
  }
}

function stagesOf({ properties }: Resource): readonly string[] {
  const stages = (properties.ApiStages ?? []) as readonly { ApiId?: string; Stage?: string }[];
  return stages.map(({ ApiId, Stage }) => `${ApiId}/${Stage}`);
}

function planKey({ id, name }: StoredApiKey): unknown {
  return { id, type: 'API_KEY', ...(name === null ? {} : { name }) };
}

const dayMs = 86_400_000;

/** A pair `[used, remaining]` for each day; `remaining` is 0 if the plan has no quota. */
function usageByDay(
  usagePlan: Resource,
  keys: ApiKeyStore,
  keyId: string,
  startDate: string,
  endDate: string,
): number[][] {
  const { Quota } = usagePlan.properties as { Quota?: { Limit?: number; Period?: string } };
  const days: number[][] = [];
  for (let time = Date.parse(startDate); time <= Date.parse(endDate); time += dayMs) {
    const date = new Date(time).toISOString().slice(0, 10);
    const used = keys.used(usagePlan.physicalId, keyId, date, date);
    const inPeriod = keys.used(usagePlan.physicalId, keyId, periodStart(date, Quota?.Period), date);
    days.push([used, Math.max(0, Number(Quota?.Limit ?? 0) - inPeriod)]);
    if (days.length > 90) throw new AwsError('BadRequestException', 'The range is at most 90 days');
  }
  return days;
}

/** First day of the quota period of a date: the day itself, the Sunday of its week, or the first of its month. */
export function periodStart(date: string, period = 'DAY'): string {
  if (period === 'MONTH') return `${date.slice(0, 8)}01`;
  if (period !== 'WEEK') return date;
  const time = Date.parse(date);
  return new Date(time - new Date(time).getUTCDay() * dayMs).toISOString().slice(0, 10);
}
