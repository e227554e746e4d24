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
import type { OtherPayer } from '../../../lambdas/payer-exchange/payers/other-payer.ts';
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
const payers: OtherPayer[] = [];
const deps = {
  exchangesOf,
  payers: async () => payers,
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
  it('finds the payer by the name of the plan, where one active payer has it, and leaves the rest to an operator', async () => {
    const payer = (payerId: string, name: string): OtherPayer => ({
      ...{ payerId, name, state: 'active', identifiers: [], version: '2.2', revision: 1, source: 'operator' },
      ...{ fhirBase: '', tokenEndpoint: '', clientId: '', scopes: '', checks: [], changedAt: '' },
      linesOfBusiness: ['DSNP'],
    });
    payers.push(payer('north', 'North Health Plan'), payer('twin-1', 'Twin'), payer('twin-2', 'Twin'));
    const known = await begin('opted-in', { plan: { name: 'NORTH health-plan' } });
    const unclear = await begin('opted-in', { plan: { name: 'Twin' } });
    await sweepExchanges(deps);
    expect(await current(known)).toMatchObject({ state: 'payer-known', payerId: 'north' });
    expect((await current(unclear))?.state).toBe('opted-in');
    const { patientId, exchangeId } = unclear;
    const assign = (payerId: string) =>
      carryOutExchangeOperation(deps, {
        ...{ action: 'exchange-assign', lob: 'DSNP', patientId, exchangeId, payerId },
      });
    expect(await assign('nobody')).toEqual({ kind: 'refused', reason: 'no_such_payer' });
    expect(await assign('twin-2')).toMatchObject({
      exchanges: [{ state: 'payer-known', payerId: 'twin-2' }],
    });
    expect(await assign('twin-1')).toEqual({ kind: 'refused', reason: 'not_in_this_state' });
    payers.length = 0;
  });

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
    expect(reports).toEqual([['exchange_due', { lob: 'DSNP', soon: expect.any(Number), late: overdue }]]);
    const status = await carryOutExchangeOperation(deps, { action: 'exchange-status', lob: 'DSNP' });
    expect(status).toMatchObject({ kind: 'exchange-status', overdue });
  });

  it('warns two days before a due date, and of no offer', async () => {
    // Another due date than that of the exchanges of other tests.
    now += 3.5 * day;
    const { dueAt = '' } = await begin('payer-known');
    await begin('offered', { coverageStart: '2027-01-01' });
    const soonAt = async (ms: number) => {
      now = Date.parse(dueAt) + ms;
      reports = [];
      await sweepExchanges(deps);
      const [[, fields] = []] = reports as [string, { soon: number; late: number }][];
      return fields;
    };
    const before = await soonAt(-2 * day - 1);
    const near = await soonAt(-2 * day);
    expect(near?.soon).toBe((before?.soon ?? 0) + 1);
    const late = await soonAt(0);
    expect(late).toEqual({ lob: 'DSNP', soon: (near?.soon ?? 0) - 1, late: (near?.late ?? 0) + 1 });
  });

  it('counts the requests of a year by their due date', async () => {
    now = Date.parse('2031-12-20T00:00:00.000Z');
    const sent = [await begin('payer-known'), await begin('payer-known'), await begin('payer-known')];
    const exchanges = exchangesOf('DSNP');
    const [first, second, third] = sent;
    if (first === undefined || second === undefined || third === undefined) throw new Error('none');
    now = Date.parse(first.dueAt ?? '');
    await exchanges.act(first, 'send-match');
    expect(await exchanges.act(first, 'send-match')).toBeUndefined();
    now += 1;
    await exchanges.act(second, 'send-match');
    now = Date.parse('2032-01-01T00:00:00.000Z');
    await exchanges.act(third, 'send-match');
    const askedIn = async (year: number) =>
      await carryOutExchangeOperation(deps, { action: 'exchange-status', lob: 'DSNP', year });
    expect(await askedIn(2031)).toMatchObject({ asked: { inTime: 1, late: 1 } });
    expect(await askedIn(2032)).toMatchObject({ asked: { inTime: 0, late: 1 } });
    expect(await askedIn(2033)).toMatchObject({ asked: { inTime: 0, late: 0 } });
    // The sweep must not take the records of past requests for exchanges that are due.
    await sweepExchanges(deps);
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
