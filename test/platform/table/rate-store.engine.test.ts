import { describe, expect, it } from 'vitest';
import { type LockoutRule, signInLockout } from '../../../lambdas/platform/kernel/rates.ts';
import { digests } from '../../../lambdas/platform/runtime/digests.ts';
import { createIssuerLimits } from '../../../lambdas/platform/table/rate-store.ts';
import type { Table } from '../../../lambdas/platform/table/table.ts';
import { createEmptyTable } from '../../support/empty-table.ts';

const table = await createEmptyTable();

const startMs = Date.UTC(2026, 10, 20, 12, 0, 0);

/** An instance of a function, with its own memory and the shared table. */
function instance(of: Table = table, clock = { ms: startMs }) {
  return { ...createIssuerLimits(of, 'DSNP', () => clock.ms), clock };
}

describe('attempts in a window', () => {
  it.each([
    { limit: 10, instances: 1, each: 100 },
    { limit: 10, instances: 10, each: 10 },
    { limit: 400, instances: 5, each: 100 },
  ])('are never more than $limit in $instances instances with $each at once', async ({
    limit,
    instances,
    each,
  }) => {
    const rule = { name: `burst-${instances}-${limit}`, limit, periodSeconds: 60 };
    const all = Array.from({ length: instances }, () => instance());
    const verdicts = await Promise.all(
      all.flatMap(({ rates }) => Array.from({ length: each }, () => rates.attempt(rule, 'app'))),
    );
    const allowed = verdicts.filter((verdict) => verdict.kind === 'allowed').length;
    expect(allowed).toBe(Math.min(limit, instances * each));
  });

  it('begin anew with the next window, and a refusal tells when that is', async () => {
    const { rates, clock } = instance(table, { ms: startMs + 17_400 });
    const rule = { name: 'anew', limit: 1, periodSeconds: 60 };
    expect(await rates.attempt(rule, 'app')).toEqual({ kind: 'allowed' });
    expect(await rates.attempt(rule, 'app')).toEqual({ kind: 'limited', retryAfterSeconds: 43 });
    clock.ms = startMs + 60_000;
    expect(await rates.attempt(rule, 'app')).toEqual({ kind: 'allowed' });
  });

  it('are counted apart for each subject and each rule', async () => {
    const { rates } = instance();
    const rule = { name: 'apart', limit: 1, periodSeconds: 60 };
    expect(await rates.attempt(rule, 'one')).toEqual({ kind: 'allowed' });
    expect(await rates.attempt(rule, 'two')).toEqual({ kind: 'allowed' });
    expect(await rates.attempt({ ...rule, name: 'other' }, 'one')).toEqual({ kind: 'allowed' });
  });

  it('cost one write in a hundredth of the limit, or in as many as the rule says, and none once the limit is reached', async () => {
    let updates = 0;
    const counted: Table = {
      ...table,
      update: async (update) => {
        updates += 1;
        return await table.update(update);
      },
    };
    const { rates } = instance(counted);
    const rule = { name: 'cost', limit: 1_000, periodSeconds: 60 };
    for (let each = 0; each < 1_200; each += 1) await rates.attempt(rule, 'app');
    expect(updates).toBe(101);
    updates = 0;
    for (let each = 0; each < 25; each += 1) {
      await rates.attempt({ ...rule, name: 'fewer', attemptsInLease: 10 }, 'app');
    }
    expect(updates).toBe(3);
  });

  it('keep no subject in the table, and are cleared away', async () => {
    const { rates } = instance();
    const rule = { name: 'kept', limit: 5, periodSeconds: 60 };
    await rates.attempt(rule, 'member@example.org');
    const digest = digests.sha256Hex('member@example.org');
    const { items } = await table.query({ pk: `DSNP#RATE#kept#${digest}` });
    expect(items).toEqual([
      expect.objectContaining({ sk: String(startMs / 1000), used: 1, ttl: startMs / 1000 + 120 }),
    ]);
    expect(JSON.stringify(items)).not.toContain('member@');
  });
});

describe('attempts after failures', () => {
  const rule: LockoutRule = signInLockout;

  it('are let through five times, then with growing delays', async () => {
    const { lockouts, clock } = instance();
    const begin = () => lockouts.begin(rule, 'locked');
    for (let failures = 0; failures < 5; failures += 1)
      expect(await begin()).toEqual({ kind: 'allowed', failures });
    expect(await begin()).toEqual({ kind: 'limited', retryAfterSeconds: 1 });
    clock.ms += 1_000;
    expect(await begin()).toEqual({ kind: 'allowed', failures: 5 });
    clock.ms += 1_000;
    expect(await begin()).toEqual({ kind: 'limited', retryAfterSeconds: 1 });
  });

  it('are forgotten after one that succeeded, and after a day', async () => {
    for (const forget of [
      async ({ lockouts }: ReturnType<typeof instance>, who: string) => await lockouts.succeeded(rule, who),
      async ({ clock }: ReturnType<typeof instance>) => {
        clock.ms += (rule.forgottenAfterSeconds + 2) * 1_000;
      },
    ]) {
      const one = instance();
      const who = crypto.randomUUID();
      for (let failures = 0; failures < 5; failures += 1) await one.lockouts.begin(rule, who);
      await forget(one, who);
      for (let failures = 0; failures < 4; failures += 1) {
        expect(await one.lockouts.begin(rule, who)).toEqual({ kind: 'allowed', failures });
      }
    }
  });

  it('are the same after an attempt that is taken back, and none below none', async () => {
    const one = instance();
    for (let failures = 0; failures < 4; failures += 1) await one.lockouts.begin(rule, 'beside');
    await one.lockouts.removeAttempt(rule, 'beside');
    expect(await one.lockouts.begin(rule, 'beside')).toEqual({ kind: 'allowed', failures: 3 });
    await one.lockouts.removeAttempt(rule, 'untried');
    expect(await one.lockouts.begin(rule, 'untried')).toEqual({ kind: 'allowed', failures: 0 });
  });

  it('are no more than five of 100 at once', async () => {
    const many = Array.from({ length: 100 }, () => instance());
    const verdicts = await Promise.all(many.map(({ lockouts }) => lockouts.begin(rule, 'stormed')));
    const allowed = verdicts.filter((verdict) => verdict.kind === 'allowed').length;
    expect(allowed).toBeGreaterThan(0);
    expect(allowed).toBeLessThanOrEqual(5);
  });
});
