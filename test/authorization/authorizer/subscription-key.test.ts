import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createSubscriptionKeys,
  type SubscriptionKeyItem,
  verifySubscriptionKey,
} from '../../../lambdas/authorization/authorizer/subscription-key.ts';
import type { Key } from '../../../lambdas/platform/table/key.ts';
import type { Table } from '../../../lambdas/platform/table/table.ts';

const item: SubscriptionKeyItem = {
  clientId: 'client-1',
  products: ['patient-access'],
  apiKeyId: 'k1',
  state: 'active',
};
const value = 'a-subscription-key-of-forty-characters-x';

function createLookup(stored: Record<string, unknown>) {
  const asked: Key[] = [];
  const table = {
    get: async (key: Key) => {
      asked.push(key);
      return stored[key.pk];
    },
  } as unknown as Table;
  const lookup = createSubscriptionKeys({ table, issuer: 'DSNP', now: () => 1_000_000 });
  return { lookup, asked };
}

describe('the verdict on a subscription key', () => {
  it('lets an active key in, with its client, its products and what it is metered by', () => {
    const known = { kind: 'active', clientId: 'client-1', products: ['patient-access'], apiKeyId: 'k1' };
    expect(verifySubscriptionKey(item, 1_000)).toEqual(known);
    const metered = { ...known, meteringKey: 'of-the-application' };
    expect(verifySubscriptionKey({ ...item, meteringKey: 'of-the-application' }, 1_000)).toEqual(metered);
  });

  it.each([
    ['unknown', undefined, 'key_unknown'],
    ['suspended', { ...item, state: 'suspended' as const }, 'key_suspended'],
    ['revoked', { ...item, state: 'revoked' as const }, 'key_revoked'],
    ['expired this second', { ...item, expiresAt: 1_000 }, 'key_expired'],
  ])('refuses a key that is %s', (_what, known, reason) => {
    expect(verifySubscriptionKey(known, 1_000)).toEqual({ kind: 'refusal', reason });
  });

  it('lets a key in until its last second', () => {
    expect(verifySubscriptionKey({ ...item, expiresAt: 1_001 }, 1_000).kind).toBe('active');
  });

  it('looks a key up by its SHA-256, never by its value', async () => {
    const sha256 = createHash('sha256').update(value).digest('hex');
    const { lookup, asked } = createLookup({ [`DSNP#KEY#${sha256}`]: item });
    expect((await lookup(value)).kind).toBe('active');
    expect(JSON.stringify(asked)).not.toContain(value);
  });

  it('sees a suspension at the very next lookup', async () => {
    const sha256 = createHash('sha256').update(value).digest('hex');
    const stored: Record<string, unknown> = { [`DSNP#KEY#${sha256}`]: item };
    const { lookup } = createLookup(stored);
    expect((await lookup(value)).kind).toBe('active');
    stored[`DSNP#KEY#${sha256}`] = { ...item, state: 'suspended' };
    expect(await lookup(value)).toEqual({ kind: 'refusal', reason: 'key_suspended' });
  });

  it.each([
    '',
    'short',
    `${'x'.repeat(129)}`,
    `${value} `,
    `${value}\u00e9`,
  ])('does not read the store for %j, which no key can be', async (text) => {
    const { lookup, asked } = createLookup({});
    expect(await lookup(text)).toEqual({ kind: 'refusal', reason: 'key_unknown' });
    expect(asked).toEqual([]);
  });
});
