import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { auditWrite } from '../../../lambdas/audit/store/audit-events-contract.ts';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { ExchangeState } from '../../../lambdas/catalog/payer/exchange-states.ts';
import {
  carryOutExchangeOperation,
  sweepExchanges,
} from '../../../lambdas/payer-exchange/exchange/exchange-operations.ts';
import type { MemberExchange } from '../../../lambdas/payer-exchange/exchange/member-exchange.ts';
import { createMemberExchanges } from '../../../lambdas/payer-exchange/store/member-exchanges-contract.ts';
import { queryAll } from '../../../lambdas/platform/table/query-all.ts';
import { patientAuditPartition } from '../../../lambdas/platform/table/table-keys.ts';
import { createEmptyTable } from '../../support/empty-table.ts';

const table = await createEmptyTable();
const day = 86_400_000;
let now = 0;
let reports: unknown[] = [];
const exchangesOf = (lob: LineOfBusiness) =>
  createMemberExchanges(table, { lob, now: () => now, auditWrite });
const deps = {
  exchangesOf,
  environment: 'sandbox',
  now: () => now,
  uuid: randomUUID,
  report: (code: string, fields: object) => reports.push([code, fields]),
} as const;

async function begin(state: ExchangeState, more: Partial<MemberExchange> = {}): Promise<MemberExchange> {
  const exchange = {
    lob: 'DSNP',
    patientId: randomUUID(),
    exchangeId: randomUUID(),
    state,
    plan: { name: 'Former Plan' },
    isConcurrent: false,
    ...more,
  } as const;
  await exchangesOf('DSNP').begin(exchange);
  return (await current(exchange)) as MemberExchange;
}

const current = async (exchange: Pick<MemberExchange, 'patientId' | 'exchangeId'>) =>
  (await exchangesOf('DSNP').find([exchange]))[0];

beforeEach(() => {
  now = Date.parse('2027-01-04T08:00:00.000Z');
  reports = [];
});

describe('the sweep of exchanges', () => {
  it('has a concurrent payer asked again before the quarter ends, with the due date that the rule sets', async () => {
    const merged = await begin('merged', { isConcurrent: true });
    now += 82 * day;
    await sweepExchanges(deps);
    expect((await current(merged))?.state).toBe('merged');
    now += day;
    await sweepExchanges(deps);
    expect(await current(merged)).toMatchObject({ state: 'due-again', dueAt: merged.dueAt });
  });

  it('has those asked again whose run was lost, and says why', async () => {
    const lost = await begin('export-sent');
    now += day;
    await sweepExchanges(deps);
    expect(await current(lost)).toMatchObject({ state: 'due-again', because: 'run_lost' });
  });

  it('ends an exchange with its permission, and records that', async () => {
    const until = new Date(now + 3 * day).toISOString();
    const permission = {
      givenAt: new Date(now).toISOString(),
      by: { kind: 'member', id: 'sub-1' },
      policy: 'regular',
      until,
    } as const;
    const exchange = await begin('payer-known', { permission });
    await sweepExchanges(deps);
    expect((await current(exchange))?.state).toBe('payer-known');
    now += 3 * day;
    await sweepExchanges(deps);
    expect(await current(exchange)).toMatchObject({ state: 'revoked', because: 'permission_ended' });
    const events = await queryAll(table, patientAuditPartition('DSNP', exchange.patientId));
    expect(events).toMatchObject([{ action: 'payer-exchange.end', reason: 'permission_ended' }]);
  });

  it('reports what is past its due date, and counts it', async () => {
    const { dueAt = '' } = await begin('opted-in');
    now = Date.parse(dueAt);
    const { overdue } = await sweepExchanges(deps);
    expect(overdue).toBeGreaterThan(0);
    expect(reports).toEqual([['exchange_overdue', { lob: 'DSNP', count: overdue }]]);
    const status = await carryOutExchangeOperation(deps, { action: 'exchange-status', lob: 'DSNP' });
    expect(status).toMatchObject({ kind: 'exchange-status', overdue });
  });

  it('shows the exchanges of a member without the card', async () => {
    const exchange = await begin('opted-in', { plan: { name: 'Former Plan', memberNumber: 'SECRET-1' } });
    const answer = await carryOutExchangeOperation(deps, {
      action: 'exchange-explain',
      lob: 'DSNP',
      patientId: exchange.patientId,
    });
    expect(answer).toMatchObject({ exchanges: [{ state: 'opted-in', planName: 'Former Plan' }] });
    expect(JSON.stringify(answer)).not.toContain('SECRET-1');
  });
});
