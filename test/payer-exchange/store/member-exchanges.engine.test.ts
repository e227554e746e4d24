import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { auditWrite } from '../../../lambdas/audit/store/audit-events-contract.ts';
import {
  type ExchangeState,
  exchangeActs,
  exchangeStates,
  exchangeTransitions,
} from '../../../lambdas/catalog/payer/exchange-states.ts';
import type { MemberExchange } from '../../../lambdas/payer-exchange/exchange/member-exchange.ts';
import { createMemberExchanges } from '../../../lambdas/payer-exchange/store/member-exchanges-contract.ts';
import { exchangeKey } from '../../../lambdas/platform/table/table-keys.ts';
import { createEmptyTable } from '../../support/empty-table.ts';

const table = await createEmptyTable();
let now = 0;
const day = 86_400_000;
const exchanges = createMemberExchanges(table, { lob: 'DSNP', now: () => now, auditWrite });
const far = '2099-01-01T00:00:00.000Z';
const dueIds = async (until = far) => (await exchanges.due(until, 100)).map(({ exchangeId }) => exchangeId);

const offered = (state: ExchangeState = 'offered'): Omit<MemberExchange, 'version' | 'changedAt'> => ({
  lob: 'DSNP',
  patientId: 'patient-1',
  exchangeId: randomUUID(),
  state,
  plan: { name: 'Former Plan', memberNumber: 'F-1' },
  isConcurrent: false,
});

async function begun(state: ExchangeState): Promise<MemberExchange> {
  const fresh = offered(state);
  expect(await exchanges.begin(fresh)).toBe(true);
  const [found] = await exchanges.find([fresh]);
  return found as MemberExchange;
}

beforeEach(() => {
  now = Date.parse('2027-01-04T08:00:00.000Z');
});

describe('the store of exchanges', () => {
  it('lets each act begin in the states of the table, and in no other', async () => {
    for (const act of exchangeActs) {
      for (const state of exchangeStates) {
        const before = await begun(state);
        const { from, to } = exchangeTransitions[act];
        const isAllowed = (from as readonly string[]).includes(state);
        const after = await exchanges.act(before, act);
        expect(after?.state, `${act} in ${state}`).toBe(isAllowed ? to : undefined);
        const [stored] = await exchanges.find([before]);
        expect(stored?.state).toBe(isAllowed ? to : state);
        if (stored !== undefined) await exchanges.act(stored, 'revoke');
      }
    }
  });

  it('refuses an act on an old reading, and leaves nothing of it', async () => {
    const before = await begun('opted-in');
    expect(await exchanges.act(before, 'name-payer', { payerId: 'former' })).toBeDefined();
    expect(await exchanges.act(before, 'revoke')).toBeUndefined();
    const [stored] = await exchanges.find([before]);
    expect(stored).toMatchObject({ state: 'payer-known', payerId: 'former', version: 2 });
    expect(await dueIds()).toContain(before.exchangeId);
  });

  it('has an exchange once in the list while there is something to do, and not after', async () => {
    const before = await begun('opted-in');
    const known = (await exchanges.act(before, 'name-payer')) as MemberExchange;
    expect((await dueIds()).filter((id) => id === before.exchangeId)).toHaveLength(1);
    await exchanges.act(known, 'revoke');
    expect(await dueIds()).not.toContain(before.exchangeId);
    const [stored] = await exchanges.find([before]);
    expect(stored?.nextAt).toBeUndefined();
  });

  it('creates no exchange twice', async () => {
    const fresh = offered();
    expect(await exchanges.begin(fresh)).toBe(true);
    expect(await exchanges.begin({ ...fresh, state: 'opted-in' })).toBe(false);
    expect((await table.get(exchangeKey('DSNP', 'patient-1', fresh.exchangeId)))?.state).toBe('offered');
  });

  it('asks a week after the opt-in at the latest, however often the card is corrected', async () => {
    const before = await begun('opted-in');
    const due = new Date(now + 7 * day).toISOString();
    expect(before.dueAt).toBe(due);
    now += 3 * day;
    const known = (await exchanges.act(before, 'name-payer')) as MemberExchange;
    const corrected = (await exchanges.act(known, 'correct')) as MemberExchange;
    expect(corrected.dueAt).toBe(due);
  });

  it('asks a payer that covers the member at the same time each quarter, and a former one once', async () => {
    const merged = async (isConcurrent: boolean) =>
      (await exchanges.act({ ...(await begun('downloaded')), isConcurrent }, 'merge')) as MemberExchange;
    expect((await merged(true)).dueAt).toBe(new Date(now + 90 * day).toISOString());
    const former = await merged(false);
    expect([former.nextAt, former.dueAt]).toEqual([undefined, undefined]);
  });

  it('reads the list page by page', async () => {
    const made: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      now += 1000;
      made.push((await begun('opted-in')).exchangeId);
    }
    const found: string[] = [];
    let page = await exchanges.due(far, 2);
    while (page.length > 0) {
      found.push(...page.map(({ exchangeId }) => exchangeId));
      page = await exchanges.due(far, 2, page.at(-1));
    }
    expect(found.filter((id) => made.includes(id))).toEqual(made);
  });
});
