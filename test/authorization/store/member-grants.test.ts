import { describe, expect, it } from 'vitest';
import { createMemberGrants } from '../../../lambdas/authorization/store/member-grants.ts';
import type { Query, Table } from '../../../lambdas/platform/table/table.ts';

const start = Date.parse('2026-11-20T12:00:00.000Z');
const ofApp = { patientId: 'p', clientId: 'app', representativeId: undefined };
const uuid = '00000000-0000-4000-8000-000000000000';

/** An audit of a member without end, in which the application `busy` reads once a second. */
function endlessAudit() {
  const queries: Query[] = [];
  const query = async (asked: Query) => {
    const from = queries.length * (asked.limit ?? 0);
    queries.push(asked);
    const items = Array.from({ length: asked.limit ?? 0 }, (_, at) => {
      const time = new Date(start - (from + at) * 1_000).toISOString();
      return { sk: `${time}#${uuid}`, time, outcome: 'disclosed', clientId: 'busy', action: 'Patient.read' };
    });
    return { items, next: String(items.at(-1)?.sk) };
  };
  return { queries, grants: createMemberGrants({ query } as unknown as Table) };
}

/** A member's audit with these events, newest first. */
function auditOf(events: readonly Readonly<Record<string, unknown>>[]) {
  const queries: Query[] = [];
  const query = async (asked: Query) => {
    queries.push(asked);
    const items = events.map((event, at) => {
      const time = new Date(start - at * 1_000).toISOString();
      return { sk: `${time}#${at}`, time, outcome: 'disclosed', clientId: 'app', ...event };
    });
    return { items };
  };
  return { queries, grants: createMemberGrants({ query } as unknown as Table) };
}

/** A table whose queries read at most two of these events, the newest first, as a query of the table reads 200. */
function auditInTwos(events: readonly Readonly<Record<string, unknown>>[]) {
  const items = events.map((event, at) => {
    const time = new Date(start - at * 1_000).toISOString();
    return {
      sk: `${time}#${at}`,
      time,
      outcome: 'disclosed',
      clientId: 'app',
      action: 'Coverage.read',
      ...event,
    };
  });
  const query = async ({ after, descending = false }: Query) => {
    const left = (descending ? items : items.toReversed()).filter(
      ({ sk }) => after === undefined || (descending ? sk < after : sk > after),
    );
    return { items: left.slice(0, 2), ...(left.length > 2 && { next: left[1]?.sk }) };
  };
  return createMemberGrants({ query } as unknown as Table);
}

describe('what an application got', () => {
  it('is what it read, and of a search how many of each type, with what was included', async () => {
    const { grants } = auditOf([
      { action: 'Coverage.read' },
      {
        action: 'ExplanationOfBenefit.search-type',
        resources: ['ExplanationOfBenefit/1', 'Patient/p', 'ExplanationOfBenefit/2'],
      },
      { action: 'Coverage.search-type', resources: [] },
      { action: 'Patient.everything', resources: ['Patient/p'] },
      { action: 'userinfo.read' },
    ]);
    const { accesses } = await grants.accesses('DSNP', ofApp, undefined);
    expect(accesses).toMatchObject([
      { resourceType: 'Coverage' },
      {
        resourceType: 'ExplanationOfBenefit',
        found: new Map([
          ['ExplanationOfBenefit', 2],
          ['Patient', 1],
        ]),
      },
      { resourceType: 'Coverage', found: new Map() },
      { resourceType: 'Patient', found: new Map([['Patient', 1]]) },
    ]);
    expect(accesses[0]).not.toHaveProperty('found');
  });

  it('is, without one application, of all of them and what came from another plan; of a representative, the own', async () => {
    const { grants } = auditOf([
      {
        action: 'payer-exchange.receive',
        outcome: 'succeeded',
        clientId: undefined,
        exchangeId: 'e-1',
        resources: ['Condition/1', 'Condition/2'],
      },
      { action: 'Coverage.read', clientId: 'another', representativeId: 'R1' },
      { action: 'Patient.read' },
      { action: 'payer-exchange.permit', outcome: 'succeeded', clientId: undefined, exchangeId: 'e-1' },
    ]);
    const who = async (representativeId?: string) => {
      const of = { patientId: 'p', clientId: undefined, representativeId };
      const { accesses } = await grants.accesses('DSNP', of, undefined);
      return accesses.map(
        ({ clientId, exchangeId, found }) => clientId ?? [exchangeId, found?.get('Condition')],
      );
    };
    expect(await who()).toEqual([['e-1', 2], 'another', 'app']);
    expect(await who('R1')).toEqual([['e-1', 2], 'another']);
  });

  it('is not what a later event took back, and of a search what was sent instead', async () => {
    const { grants } = auditOf([
      { action: 'Coverage.search-type', corrects: '1', resources: ['Coverage/2'] },
      { action: 'Coverage.search-type', resources: ['Coverage/1', 'Coverage/2'] },
      { action: 'Coverage.read', outcome: 'refused', corrects: '3' },
      { action: 'Coverage.read' },
    ]);
    const { accesses } = await grants.accesses('DSNP', ofApp, undefined);
    expect(accesses.map(({ found }) => found)).toEqual([new Map([['Coverage', 1]])]);
  });

  it('is not what an event of the query before took back, nor one of the page before', async () => {
    const grants = auditInTwos([
      {},
      { outcome: 'refused', corrects: '2' },
      {},
      {},
      { outcome: 'refused', corrects: '5' },
      {},
      {},
    ]);
    const times = async (begin?: string) =>
      (await grants.accesses('DSNP', ofApp, begin)).accesses.map(({ time }) => (start - time) / 1_000);
    expect(await times()).toEqual([0, 3, 6]);
    const fifth = `${new Date(start - 4_000).toISOString()}#4`;
    expect(await times(fifth)).toEqual([6]);
    const second = auditInTwos([{ outcome: 'refused' }, { outcome: 'refused', corrects: '2' }, {}, {}]);
    const { last } = await second.lastAccesses('DSNP', 'p', ['app'], 0);
    expect(last).toEqual(new Map([['app', start - 3_000]]));
  });
});

describe('the last access of a member’s applications', () => {
  it('is looked for no further than a page can wait, however much one of them reads', async () => {
    const { grants, queries } = endlessAudit();
    const year = 365 * 24 * 60 * 60 * 1_000;
    const found = await grants.lastAccesses('DSNP', 'p', ['busy', 'quiet'], start - year);
    expect(found.last).toEqual(new Map([['busy', start]]));
    expect(found.lookedBackTo).toBe(start - 4_999_000);
    expect(queries).toHaveLength(25);
  });

  it('is looked for in one query where it is found there', async () => {
    const { grants, queries } = endlessAudit();
    const since = start - 1_000_000;
    expect(await grants.lastAccesses('DSNP', 'p', ['busy'], since)).toEqual({
      last: new Map([['busy', start]]),
      lookedBackTo: since,
    });
    expect(queries).toHaveLength(1);
  });

  it('is looked for without the lists of what searches gave', async () => {
    const { grants, queries } = auditOf([{ action: 'Coverage.read' }]);
    expect((await grants.lastAccesses('DSNP', 'p', ['app'], 0)).last).toEqual(new Map([['app', start]]));
    expect(queries[0]?.attributes).toContain('action');
    expect(queries[0]?.attributes).not.toContain('resources');
  });

  it('is looked for as far as was asked, and counts nothing older', async () => {
    const { grants, queries } = endlessAudit();
    const since = start - 300_500;
    const found = await grants.lastAccesses('DSNP', 'p', ['quiet'], since);
    expect(found).toEqual({ last: new Map(), lookedBackTo: since });
    expect(queries).toHaveLength(2);
  });
});
