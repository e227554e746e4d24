/** Rate limits and lockouts counted in DynamoDB. */

import type { Clock } from '../kernel/clock.ts';
import type { Sha256 } from '../kernel/digests.ts';
import {
  countAttempt,
  type FailureRates,
  type Failures,
  type Lockouts,
  type RateRule,
  type Reservations,
} from '../kernel/rates.ts';
import type { Key } from './key.ts';
import { ConditionFailed, type Table } from './table.ts';

/**
 * Number of reservations that use up a limit: a hundredth of it is reserved at once, so that one request in as many waits for the counter.
 */
const leasesInLimit = 100;
const mostRemembered = 10_000;
/** Maximum attempts to write an account's counter while other requests change it; after these, the caller has to retry. */
const mostTries = 8;

interface Options {
  readonly table: Table;
  /** Key of the counter of a rule and a subject (SHA-256, hex) in a period. */
  readonly keyOf: (rule: string, sha256: string, period: string) => Key;
  readonly now: Clock;
  readonly sha256: Sha256;
}

interface Lease {
  readonly periodStart: number;
  /** Attempts that are counted in the table and not made yet. */
  left: number;
  /** Whether the table had no attempts left. */
  spent: boolean;
  taking: Promise<void> | undefined;
}

/**
 * Counts attempts in fixed periods in the table. A function instance reserves some attempts at a time, and counts them down in memory
 * (docs/decisions/0007), so that most requests do not wait for the counter and all instances together stay within the limit. Reserved
 * attempts that are not used are lost until the next period.
 */
export function createRates({ table, keyOf, now, sha256 }: Options): FailureRates {
  const leases = new Map<string, Lease>();

  function leaseOf(name: string, periodStart: number): Lease {
    const known = leases.get(name);
    if (known?.periodStart === periodStart) return known;
    const lease: Lease = { periodStart, left: 0, spent: false, taking: undefined };
    leases.delete(name);
    leases.set(name, lease);
    const [oldest] = leases.size > mostRemembered ? leases.keys() : [];
    if (oldest !== undefined) leases.delete(oldest);
    return lease;
  }

  return {
    async attempt(rule, subject) {
      const seconds = Math.floor(now() / 1000);
      const periodStart = seconds - (seconds % rule.periodSeconds);
      const digest = sha256(subject);
      const key = keyOf(rule.name, digest, String(periodStart));
      const permits = rule.attemptsInLease ?? Math.max(1, Math.floor(rule.limit / leasesInLimit));
      const take = async (lease: Lease) => {
        if (await count(table, key, rule, periodStart, permits)) lease.left += permits;
        else lease.spent = true;
      };
      const lease = leaseOf(`${rule.name} ${digest}`, periodStart);
      while (lease.left === 0) {
        if (lease.spent) {
          return { kind: 'limited', retryAfterSeconds: periodStart + rule.periodSeconds - seconds };
        }
        if (permits === 1) await take(lease);
        else {
          // Concurrent requests share one reservation; otherwise each would make its own.
          lease.taking ??= take(lease).finally(() => {
            lease.taking = undefined;
          });
          await lease.taking;
        }
      }
      lease.left -= 1;
      return { kind: 'allowed' };
    },
    known(rule, subject) {
      const seconds = Math.floor(now() / 1000);
      const periodStart = seconds - (seconds % rule.periodSeconds);
      const lease = leases.get(`${rule.name} ${sha256(subject)}`);
      return lease?.periodStart === periodStart && lease.spent && lease.left === 0
        ? { kind: 'limited', retryAfterSeconds: periodStart + rule.periodSeconds - seconds }
        : { kind: 'allowed' };
    },
    async removeAttempt(rule, subject) {
      const seconds = Math.floor(now() / 1000);
      const periodStart = seconds - (seconds % rule.periodSeconds);
      const digest = sha256(subject);
      const key = keyOf(rule.name, digest, String(periodStart));
      leaseOf(`${rule.name} ${digest}`, periodStart).spent = false;
      // The condition fails if nothing is counted in the current period.
      await holds(
        table.update({
          key,
          expression: 'ADD used :back',
          condition: 'used > :none',
          values: { ':back': -1, ':none': 0 },
        }),
      );
    },
  };
}

/** Counts many attempts by one write, in the same periods. */
export function createReservations({ table, keyOf, now, sha256 }: Options): Reservations {
  const startOf = ({ periodSeconds }: RateRule, at: number) => {
    const seconds = Math.floor(at / 1000);
    return seconds - (seconds % periodSeconds);
  };
  const keyAt = (rule: RateRule, subject: string, periodStart: number) =>
    keyOf(rule.name, sha256(subject), String(periodStart));
  return {
    async reserve(rule, subject, attempts) {
      const periodStart = startOf(rule, now());
      const key = keyAt(rule, subject, periodStart);
      const isCounted = attempts <= rule.limit && (await count(table, key, rule, periodStart, attempts));
      if (isCounted) return { kind: 'allowed' };
      const left = periodStart + rule.periodSeconds - Math.floor(now() / 1000);
      return { kind: 'limited', retryAfterSeconds: Math.max(1, left) };
    },
    async giveBack(rule, subject, attempts, at) {
      if (attempts === 0) return;
      await holds(
        table.update({
          key: keyAt(rule, subject, startOf(rule, at)),
          expression: 'ADD used :back',
          condition: 'used >= :attempts',
          values: { ':back': -attempts, ':attempts': attempts },
        }),
      );
    },
  };
}

/**
 * Adds attempts to a counter, if the limit allows. After a lost response they may be counted twice, which admits fewer attempts, never
 * more.
 */
async function count(
  table: Table,
  key: Key,
  { limit, periodSeconds }: RateRule,
  periodStart: number,
  permits: number,
): Promise<boolean> {
  return await holds(
    table.update({
      key,
      expression: 'SET #ttl = :ttl ADD used :permits',
      condition: 'attribute_not_exists(used) OR used <= :most',
      names: { '#ttl': 'ttl' },
      values: { ':ttl': periodStart + 2 * periodSeconds, ':permits': permits, ':most': limit - permits },
    }),
  );
}

/** Counts failures with growing delays: one read and one conditional write per attempt. */
export function createLockouts({ table, keyOf, now, sha256 }: Options): Lockouts {
  return {
    async begin(rule, subject) {
      const key = keyOf(rule.name, sha256(subject), 'LOCKOUT');
      for (let tries = 0; tries < mostTries; tries += 1) {
        const seconds = now() / 1000;
        const before = failuresOf(await table.get(key), seconds);
        const counted = countAttempt(rule, before, seconds);
        if (counted.kind === 'limited') return counted;
        const ttl = Math.ceil(counted.after.blockedUntil) + rule.forgottenAfterSeconds;
        const item = { ...key, ...counted.after, ttl };
        if (await holds(table.put(item, unchanged(before)))) {
          return { kind: 'allowed', failures: before?.count ?? 0 };
        }
      }
      return { kind: 'limited', retryAfterSeconds: 1 };
    },
    async succeeded(rule, subject) {
      const key = keyOf(rule.name, sha256(subject), 'LOCKOUT');
      // The item is reset, not deleted, so that an attempt between its read and its write notices the change.
      const ttl = Math.ceil(now() / 1000) + rule.forgottenAfterSeconds;
      await table.put({ ...key, count: 0, blockedUntil: 0, ttl });
    },
    async removeAttempt(rule, subject) {
      // The delay is not shortened, because another attempt may have caused it.
      await holds(
        table.update({
          key: keyOf(rule.name, sha256(subject), 'LOCKOUT'),
          expression: 'SET #count = #count - :one',
          condition: '#count >= :one',
          names: { '#count': 'count' },
          values: { ':one': 1 },
        }),
      );
    },
  };
}

/** The failures in an item. Expired ones are ignored, because DynamoDB removes expired items late. */
function failuresOf(item: Readonly<Record<string, unknown>> | undefined, seconds: number) {
  if (item === undefined) return undefined;
  const forgotten = Number(item.ttl) <= seconds;
  const stored = { count: Number(item.count), blockedUntil: Number(item.blockedUntil) };
  return { ...(forgotten ? { count: 0, blockedUntil: 0 } : stored), stored };
}

function unchanged(before: (Failures & { readonly stored: Failures }) | undefined) {
  if (before === undefined) return { expression: 'attribute_not_exists(pk)' };
  return {
    expression: '#count = :count AND blockedUntil = :blockedUntil',
    names: { '#count': 'count' },
    values: { ':count': before.stored.count, ':blockedUntil': before.stored.blockedUntil },
  };
}

async function holds(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
