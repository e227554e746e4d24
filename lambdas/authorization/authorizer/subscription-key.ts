/** Verifies the subscription key of a call (`x-api-subscription-key`). */

import { createHash } from 'node:crypto';
import type { KeyRefusalReason } from '../../catalog/call-refusals.ts';
import { type Interface, interfaceNames } from '../../catalog/interface-families.ts';
import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';
import * as s from '../../platform/kernel/shapes.ts';
import type { Table } from '../../platform/table/table.ts';
import { subscriptionKeyKey } from '../../platform/table/table-keys.ts';

/** Item of a subscription key (docs/architecture.md, Items). */
const subscriptionKeyItem = s.object({
  clientId: s.text,
  products: s.arrayOf(s.oneOf(interfaceNames)),
  apiKeyId: s.text,
  state: s.oneOf(['active', 'suspended', 'revoked']),
  /** Seconds since 1970. */
  expiresAt: s.maybe(s.finite),
  /** Value of the API Gateway key that meters the application; absent on items written before metering keys existed. */
  meteringKey: s.maybe(s.text),
});

export type SubscriptionKeyItem = s.Shaped<typeof subscriptionKeyItem>;

/** Verdict on a subscription key. Every refusal is the same 403 to the caller; the reason is only logged. */
export type KeyVerdict =
  | {
      readonly kind: 'active';
      readonly clientId: string;
      readonly products: readonly Interface[];
      /** API Gateway's ID of the subscription key; absent if the call had none. */
      readonly apiKeyId?: string;
      /** Value of the API Gateway key that meters the call; if absent, the subscription key itself. */
      readonly meteringKey?: string;
    }
  | KeyVerdictRefusal;

interface KeyVerdictRefusal {
  readonly kind: 'refusal';
  readonly reason: KeyRefusalReason;
}

/**
 * The verdict on a subscription key from its stored item.
 *
 * @param nowSeconds seconds since 1970
 */
export function verifySubscriptionKey(
  item: (Omit<SubscriptionKeyItem, 'apiKeyId'> & { readonly apiKeyId?: string }) | undefined,
  nowSeconds: number,
): KeyVerdict {
  if (item === undefined) return { kind: 'refusal', reason: 'key_unknown' };
  if (item.state === 'suspended') return { kind: 'refusal', reason: 'key_suspended' };
  if (item.state === 'revoked') return { kind: 'refusal', reason: 'key_revoked' };
  if (item.expiresAt !== undefined && item.expiresAt <= nowSeconds) {
    return { kind: 'refusal', reason: 'key_expired' };
  }
  const { clientId, products, apiKeyId, meteringKey } = item;
  return {
    kind: 'active',
    clientId,
    products,
    ...(apiKeyId !== undefined && { apiKeyId }),
    ...(meteringKey !== undefined && { meteringKey }),
  };
}

/**
 * Looks a subscription key up by its SHA-256 and verifies it. The lookup is one strongly consistent read without a cache, so a change takes
 * effect after at most 30 s, API Gateway's policy cache. A key disabled in API Gateway itself is refused at once.
 */
export type SubscriptionKeyLookup = (key: string) => Promise<KeyVerdict>;

/** Form of a subscription key: API Gateway allows 30 to 128 characters. Other text is refused without a lookup. */
const keyPattern = /^[\x21-\x7e]{30,128}$/;

export function createSubscriptionKeys(options: {
  readonly table: Table;
  readonly issuer: TokenIssuer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}): SubscriptionKeyLookup {
  return async (key) => {
    if (!keyPattern.test(key)) return { kind: 'refusal', reason: 'key_unknown' };
    const item = await options.table.get(subscriptionKeyKey(options.issuer, sha256(key)));
    const known = item === undefined ? undefined : s.parse(subscriptionKeyItem, item);
    return verifySubscriptionKey(known, Math.floor(options.now() / 1000));
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
