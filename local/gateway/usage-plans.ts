/**
 * Local API Gateway: throttles and meters calls by usage plan. The control plane of usage plans is `local/aws/api-gateway/usage-plans.ts`.
 */

import type { Assembly, Resource } from '../assembly/resources.ts';
import { quota } from '../limits/quotas.ts';
import { createTokenBucket, type TokenBucket } from '../limits/token-bucket.ts';
import type { ApiKey, ApiKeys } from './api-keys.ts';
import type { MethodThrottle, Stage } from './hosts.ts';
import { type GatewayRefusal, gatewayRefusal } from './refusal.ts';
import type { Method } from './rest-api.ts';

interface Throttle {
  readonly ratePerSecond: number;
  readonly burst: number;
}

interface UsagePlan {
  readonly id: string;
  /** Throttles by `<api id>/<stage>`, then by `<path>/<METHOD>`. */
  readonly stages: ReadonlyMap<string, ReadonlyMap<string, Throttle>>;
  readonly throttle?: Throttle;
  readonly quota?: {
    readonly limit: number;
    readonly offset: number;
    readonly period: 'DAY' | 'WEEK' | 'MONTH';
  };
}

/** Meters calls: by a stage's throttles for all callers together, and by a key's usage plan. */
export interface Metering {
  throttled(stage: Stage, method: Method): GatewayRefusal | undefined;
  /** Finds the key and its usage plan for the stage, and counts the call. */
  admit(keyValue: string | undefined, stage: Stage, method: Method): ApiKey | GatewayRefusal;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-api-usage-plans.html */
export function createMetering(assembly: Assembly, keys: ApiKeys, now: () => number): Metering {
  const plans = new Map(
    assembly.ofType('AWS::ApiGateway::UsagePlan').map((one) => [one.physicalId, readPlan(one)]),
  );
  const buckets = new Map<string, TokenBucket>();
  const account = createTokenBucket(quota('apiCalls'), quota('apiBurst'), now());
  const quotas = quotaCounters(keys);

  function takes(name: string, { ratePerSecond, burst }: Throttle): boolean {
    const time = now();
    let bucket = buckets.get(name);
    if (bucket === undefined) {
      bucket = createTokenBucket(ratePerSecond, burst, time);
      buckets.set(name, bucket);
    }
    return bucket.take(time);
  }

  return {
    throttled(stage, method) {
      if (!account.take(now())) return gatewayRefusal('THROTTLED');
      const throttle = stageThrottle(stage.throttles, method);
      if (throttle === undefined) return undefined;
      const name = `${stage.api.id}/${stage.name}${method.resourcePath}/${method.httpMethod}`;
      return takes(name, throttle) ? undefined : gatewayRefusal('THROTTLED');
    },
    admit(keyValue, stage, method) {
      const key = keyValue === undefined ? undefined : keys.findByValue(keyValue);
      const stageId = `${stage.api.id}/${stage.name}`;
      const plan = key?.usagePlanIds.map((id) => plans.get(id)).find((one) => one?.stages.has(stageId));
      if (key === undefined || !key.enabled || plan === undefined) return gatewayRefusal('INVALID_API_KEY');
      const methodKey = `${method.resourcePath}/${method.httpMethod}`;
      const methodThrottle = plan.stages.get(stageId)?.get(methodKey);
      const methodName = `${plan.id}/${key.id}/${stageId}${methodKey}`;
      if (methodThrottle !== undefined && !takes(methodName, methodThrottle))
        return gatewayRefusal('THROTTLED');
      if (plan.throttle !== undefined && !takes(`${plan.id}/${key.id}`, plan.throttle))
        return gatewayRefusal('THROTTLED');
      return quotas.exceeded(plan, key.id, now()) ? gatewayRefusal('QUOTA_EXCEEDED') : key;
    },
  };
}

/** Counts calls against quotas; earlier calls of the period are read once. */
function quotaCounters(keys: ApiKeys) {
  const counters = new Map<string, { from: string; used: number }>();
  return {
    exceeded({ id, quota }: UsagePlan, keyId: string, time: number): boolean {
      const day = new Date(time).toISOString().slice(0, 10);
      if (quota === undefined) {
        keys.recordUse(id, keyId, day);
        return false;
      }
      const from = firstDay(time, quota.period);
      let counter = counters.get(`${id}/${keyId}`);
      if (counter === undefined || counter.from !== from) {
        counter = { from, used: keys.used(id, keyId, from, day) };
        counters.set(`${id}/${keyId}`, counter);
      }
      if (counter.used + quota.offset >= quota.limit) return true;
      counter.used += 1;
      keys.recordUse(id, keyId, day);
      return false;
    },
  };
}

/** First day of a quota's period in UTC: the day itself, the Sunday of its week, or the first of its month. */
function firstDay(time: number, period: 'DAY' | 'WEEK' | 'MONTH'): string {
  const date = new Date(time);
  if (period === 'WEEK') date.setUTCDate(date.getUTCDate() - date.getUTCDay());
  if (period === 'MONTH') date.setUTCDate(1);
  return date.toISOString().slice(0, 10);
}

/** The most specific throttle of a stage for a method: its own path and method before wildcards. */
function stageThrottle(throttles: readonly MethodThrottle[], method: Method): Throttle | undefined {
  const path = `/${method.resourcePath.slice(1).replaceAll('/', '~1')}`;
  const own = throttles.find((one) => one.resourcePath === path && one.httpMethod === method.httpMethod);
  return own ?? throttles.find((one) => one.resourcePath === '/*' && one.httpMethod === '*');
}

function readPlan({ physicalId, properties }: Resource): UsagePlan {
  const stages = (properties.ApiStages ?? []) as readonly Readonly<Record<string, unknown>>[];
  const throttle = readThrottle(properties.Throttle);
  const quota = properties.Quota as { Limit?: unknown; Offset?: unknown; Period?: unknown } | undefined;
  const period = quota?.Period === 'WEEK' || quota?.Period === 'MONTH' ? quota.Period : 'DAY';
  return {
    id: physicalId,
    stages: new Map(
      stages.map((one) => [`${String(one.ApiId)}/${String(one.Stage)}`, readMethodThrottles(one.Throttle)]),
    ),
    ...(throttle === undefined ? {} : { throttle }),
    ...(quota?.Limit === undefined
      ? {}
      : { quota: { limit: Number(quota.Limit), offset: Number(quota.Offset ?? 0), period } }),
  };
}

function readMethodThrottles(value: unknown): ReadonlyMap<string, Throttle> {
  const throttles = new Map<string, Throttle>();
  for (const [methodKey, settings] of Object.entries((value ?? {}) as object)) {
    const throttle = readThrottle(settings);
    if (throttle !== undefined) throttles.set(methodKey, throttle);
  }
  return throttles;
}

function readThrottle(value: unknown): Throttle | undefined {
  const settings = value as { RateLimit?: unknown; BurstLimit?: unknown } | undefined;
  if (settings?.RateLimit === undefined) return undefined;
  return {
    ratePerSecond: Number(settings.RateLimit),
    burst: Number(settings.BurstLimit ?? settings.RateLimit),
  };
}
