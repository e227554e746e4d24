/** Local API Gateway: Lambda authorizers and their cache. */

import { type InvokePolicy, readPolicy } from './authorizer-policy.ts';
import { type Authorization, mappedValue, methodArn, type RoutedCall } from './call.ts';
import type { InvokeIntegration } from './integration.ts';
import { authorizerResultLimitBytes, methodArnLimitBytes, uriTooLong } from './limits.ts';
import type { InvokePermissions } from './permissions.ts';
import { authorizerEvent } from './proxy-event.ts';
import { type GatewayRefusal, gatewayRefusal } from './refusal.ts';
import type { Authorizer } from './rest-api.ts';

/** The parsed response of an authorizer's function. */
interface Judgement {
  readonly policy: InvokePolicy;
  readonly authorization: Omit<Authorization, 'latencyMs'>;
}

interface Cached {
  readonly judgement: Judgement;
  readonly since: number;
}

export type Authorize = (authorizer: Authorizer, call: RoutedCall) => Promise<Authorization | GatewayRefusal>;

/** Most cached results, of all authorizers together; the oldest are dropped first. */
const cacheEntries = 10_000;

/**
 * Runs Lambda authorizers as API Gateway does: a missing identity source is UNAUTHORIZED without a call of the function. A result is cached
 * by the values of the identity sources for the authorizer's TTL, and its policy is evaluated for each call.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-use-lambda-authorizer.html
 */
export function createAuthorize(
  invoke: InvokeIntegration,
  permitted: InvokePermissions,
  now: () => number,
): Authorize {
  const cache = new Map<string, Cached>();

  function remember(key: string, judgement: Judgement): void {
    cache.delete(key);
    cache.set(key, { judgement, since: now() });
    for (const oldest of cache.keys()) {
      if (cache.size <= cacheEntries) break;
      cache.delete(oldest);
    }
  }

  return async (authorizer, call) => {
    if (Buffer.byteLength(methodArn(call)) > methodArnLimitBytes) return uriTooLong();
    const identity = authorizer.identitySources.map((source) => mappedValue(source, call) ?? '');
    if (identity.includes('')) return gatewayRefusal('UNAUTHORIZED');
    const startedAt = now();
    const key = JSON.stringify([authorizer.id, call.stage.name, identity]);
    const cached = authorizer.ttlSeconds > 0 ? cache.get(key) : undefined;
    const age = cached === undefined ? Number.NaN : startedAt - cached.since;
    // The age may be negative if the clock was set back; the cached result must not live longer then.
    let judgement = age >= 0 && age < authorizer.ttlSeconds * 1000 ? cached?.judgement : undefined;
    if (judgement === undefined) {
      const fresh = await judge(invoke, permitted, authorizer, call);
      if ('errorType' in fresh) return fresh;
      judgement = fresh;
      if (authorizer.ttlSeconds > 0) remember(key, fresh);
    }
    const verdict = judgement.policy(methodArn(call));
    const authorization = { ...judgement.authorization, latencyMs: Math.max(0, now() - startedAt) };
    if (verdict === 'allowed') return authorization;
    const explicit =
      'User is not authorized to access this resource with an explicit deny in an identity-based policy';
    return gatewayRefusal('ACCESS_DENIED', {
      authorization,
      ...(verdict === 'denied' ? { message: explicit } : {}),
    });
  };
}

async function judge(
  invoke: InvokeIntegration,
  permitted: InvokePermissions,
  authorizer: Authorizer,
  call: RoutedCall,
): Promise<Judgement | GatewayRefusal> {
  const sourceArn = `${call.stage.api.arnPrefix}/authorizers/${authorizer.id}`;
  if (!permitted(authorizer.functionArn, sourceArn)) {
    const reason = `no AWS::Lambda::Permission lets API Gateway invoke the authorizer ${authorizer.functionArn}`;
    return gatewayRefusal('AUTHORIZER_CONFIGURATION_ERROR', { reason });
  }
  let outcome: Awaited<ReturnType<InvokeIntegration>>;
  try {
    outcome = await invoke(authorizer.functionArn, JSON.stringify(authorizerEvent(call)));
  } catch (error) {
    return gatewayRefusal('AUTHORIZER_FAILURE', {
      reason: `the authorizer can't be invoked: ${(error as Error).name}`,
    });
  }
  if (Buffer.byteLength(outcome.payload) > authorizerResultLimitBytes) {
    return gatewayRefusal('AUTHORIZER_CONFIGURATION_ERROR', {
      reason: 'the authorizer returned more than 8 KB',
    });
  }
  const answer: unknown = JSON.parse(outcome.payload);
  if (outcome.functionError !== undefined) {
    const { errorMessage, errorType } = answer as { errorMessage?: unknown; errorType?: unknown };
    // The only error with a meaning of its own is the thrown text "Unauthorized".
    if (errorMessage === 'Unauthorized') return gatewayRefusal('UNAUTHORIZED');
    const type = errorType === 'Sandbox.Timedout' ? 'AUTHORIZER_FAILURE' : 'AUTHORIZER_CONFIGURATION_ERROR';
    return gatewayRefusal(type, { reason: `the authorizer failed: ${String(errorType)}` });
  }
  return (
    readJudgement(answer) ??
    gatewayRefusal('AUTHORIZER_CONFIGURATION_ERROR', { reason: 'the authorizer returned no valid policy' })
  );
}

/** @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html */
function readJudgement(answer: unknown): Judgement | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { principalId, policyDocument, context = {}, usageIdentifierKey } = answer as Record<string, unknown>;
  const policy = readPolicy(policyDocument);
  if (typeof principalId !== 'string' || policy === undefined) return undefined;
  if (typeof context !== 'object' || context === null || Array.isArray(context)) return undefined;
  const entries = Object.entries(context);
  // "The context map must contain only strings, numbers or booleans"; integrations get them as text.
  if (entries.some(([, value]) => !['string', 'number', 'boolean'].includes(typeof value))) return undefined;
  const texts = Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
  const key =
    typeof usageIdentifierKey === 'string' && usageIdentifierKey !== '' ? { usageIdentifierKey } : {};
  return { policy, authorization: { principalId, context: texts, ...key } };
}
