import { describe, expect, it } from 'vitest';
import {
  base,
  bundleOf,
  claim,
  context,
  createWorld,
  entriesOf,
  household,
  linkOf,
  livingGrant,
  nowSeconds,
  queryOf,
} from './world.ts';

const claims = ['e1', 'e2', 'e3'].map((id) => claim(id));
const world = () => createWorld([...claims, ...[...household].reverse()]);
const withContext = (change: Partial<typeof context>) => ({ context: { ...context, ...change } });
const all = [
  'Patient/p1',
  'Coverage/c1',
  'ExplanationOfBenefit/e1',
  'ExplanationOfBenefit/e2',
  'ExplanationOfBenefit/e3',
  'Organization/clinic',
  'Organization/payer',
];

describe('everything of a member', () => {
  it('is one searchset, Patient first, in two waits with one event', async () => {
    const { everything, state } = world();
    const answer = await everything();
    expect(entriesOf(answer)).toEqual(all.map((name) => `match ${name}`));
    expect(bundleOf(answer)).toMatchObject({
      type: 'searchset',
      total: 7,
      link: [{ relation: 'self', url: `${base}/Patient/p1/$everything` }],
    });
    expect(state.waits).toEqual(['entries p1 grant-1 *', 'resources p1', 'record']);
    expect(state.events).toEqual([
      {
        action: 'Patient.everything',
        outcome: 'disclosed',
        clientId: 'client-1',
        grantId: 'grant-1',
        patientId: 'p1',
        requestId: 'r1',
        resource: 'Patient/p1',
        resources: all,
      },
    ]);
  });

  it.each([1, 2, 3, 7, 100])('is walked in pages of %i, each resource once and in order', async (count) => {
    const { everything } = world();
    const names: string[] = [];
    let query: string | undefined = `_count=${count}&_format=json`;
    while (query !== undefined) {
      const answer = await everything(query);
      names.push(...entriesOf(answer).map((entry) => entry.slice('match '.length)));
      expect(bundleOf(answer).total).toBe(7);
      const next = linkOf(answer, 'next');
      query = next && queryOf(next);
    }
    expect(names).toEqual(all);
  });

  it('of a thousand resources comes in pages of 200', async () => {
    const many = Array.from({ length: 995 }, (_, at) => claim(`many${at}`));
    const { everything } = createWorld([...many, ...household]);
    const sizes: number[] = [];
    for (let query: string | undefined = ''; query !== undefined; ) {
      const answer = await everything(query);
      sizes.push(entriesOf(answer).length);
      const next = linkOf(answer, 'next');
      query = next && queryOf(next);
    }
    expect(sizes).toEqual([...Array.from({ length: 4 }, () => 200), 995 + household.length - 800]);
  });

  it.each([
    ['_type=Coverage', ['Coverage/c1']],
    ['_type=Organization,Coverage', ['Coverage/c1', 'Organization/clinic', 'Organization/payer']],
    ['_type=Coverage&_type=Organization', ['Coverage/c1', 'Organization/clinic', 'Organization/payer']],
    ['_type=Coverage,Patient&_type=Coverage', ['Patient/p1', 'Coverage/c1']],
    ['_type=RelatedPerson', []],
    ['_type=', all],
    ['_since=2026-11-20T10:00:00.000Z', all],
    ['_since=2026-11-20', all],
    ['_since=2026-11-20T05:00:00-05:00', all],
    ['_since=2026-11-20T12:00:00+02:00', all],
    ['_since=2026-11-20T10:00:00.001Z', []],
    ['_since=2026-11-21', []],
    ['_since=2026&_type=Patient', ['Patient/p1']],
    ['_count=0', []],
    ['_type=Observation', []],
    ['_type=Observation,Coverage', ['Coverage/c1']],
    ['_type=Observation&_type=Coverage', ['Coverage/c1']],
  ])('is narrowed by %s', async (query, names) => {
    const answer = await world().everything(query);
    expect(entriesOf(answer)).toEqual(names.map((name) => `match ${name}`));
  });

  it.each([
    ['start=2026-03-05', ['march', 'lines', 'undated']],
    ['start=2026-03-06', ['lines', 'undated']],
    ['end=2026-03-05', ['winter', 'march', 'undated']],
    ['end=2026-03-04', ['winter', 'undated']],
    ['end=2026-02', ['winter', 'undated']],
    ['start=2026-01-15&end=2026-01-15', ['winter', 'undated']],
    ['start=2027', ['undated']],
    ['start=2026-03-05T23:00:00-05:00', ['lines', 'undated']],
  ])('of claims has those with care between two dates: %s', async (query, ids) => {
    const { everything } = createWorld([
      ...household,
      claim('winter', { billablePeriod: { start: '2026-01-01', end: '2026-02-01' } }),
      claim('march', { item: [{ servicedDate: '2026-03-05' }] }),
      claim('lines', { item: [{ servicedDate: '2026-03-06' }, { servicedDate: '2026-03-09' }] }),
      claim('undated'),
    ]);
    const found = entriesOf(await everything(`${query}&_type=ExplanationOfBenefit`));
    const names = ids.toSorted().map((id) => `match ExplanationOfBenefit/${id}`);
    expect(found.toSorted()).toEqual(names);
    // Types that are not about care are not limited by the time of care.
    const others = entriesOf(await everything(`${query}&_type=Patient,Coverage,Organization`));
    expect(others).toHaveLength(4);
  });

  it('since a time is without what has no time', async () => {
    const { everything, state } = world();
    state.resources.push(claim('odd', { meta: { lastUpdated: 'lately' } }));
    expect(entriesOf(await everything('_since=2000&_type=ExplanationOfBenefit'))).toHaveLength(3);
    expect(entriesOf(await everything('_type=ExplanationOfBenefit'))).toHaveLength(4);
  });

  it('is of the types that the scope allows reading', async () => {
    const { everything, state } = world();
    const scope = 'patient/Patient.r patient/Coverage.s patient/Organization.rs';
    const answer = await everything('', withContext({ scope }));
    expect(entriesOf(answer)).toEqual([
      'match Patient/p1',
      'match Organization/clinic',
      'match Organization/payer',
    ]);
    expect(state.events[0]?.resources).toHaveLength(3);
  });

  it('holds no other patient, whatever lies in the partition', async () => {
    const { everything, state } = world();
    state.resources.push({ resourceType: 'Patient', id: 'p2' });
    expect(entriesOf(await everything('_type=Patient'))).toEqual(['match Patient/p1']);
  });

  it('leaves out what was deleted since, and puts the record right', async () => {
    const { everything, state } = world();
    state.deleted.add('Coverage/c1');
    expect(entriesOf(await everything('_type=Coverage,Patient'))).toEqual(['match Patient/p1']);
    expect(state.events.at(-1)).toMatchObject({ resources: ['Patient/p1'], corrects: 'event-1' });
  });
});

describe('everything is refused', () => {
  it.each(['p2', 'p404'])('for the id %s with the same answer and steps', async (id) => {
    const { everything, state } = world();
    expect(await everything('', { id })).toEqual({ kind: 'refusal', refusal: 'not-found' });
    expect(state.waits).toEqual(['entries p1 grant-1 *', 'record']);
    expect(state.events).toEqual([
      expect.objectContaining({
        outcome: 'refused',
        reason: 'not_found',
        patientId: 'p1',
        resource: `Patient/${id}`,
      }),
    ]);
  });

  it.each([
    '',
    'a/b',
    '../x',
    'x'.repeat(65),
    'p1 ',
  ])('for %j, which is no id, and that stays out of the audit', async (id) => {
    const { everything, state } = world();
    expect(await everything('', { id })).toEqual({ kind: 'refusal', refusal: 'not-found' });
    expect(state.events[0]).not.toHaveProperty('resource');
  });

  it('for the own id where no Patient was loaded', async () => {
    const { everything, state } = createWorld(claims);
    expect(await everything()).toEqual({ kind: 'refusal', refusal: 'not-found' });
    expect(state.events.map(({ outcome }) => outcome)).toEqual(['refused']);
  });

  it.each([
    ['an expired token', withContext({ tokenExpiresAt: nowSeconds }), 'invalid-token', 'token_expired'],
    ['a missing product', withContext({ products: [] }), 'product-missing', 'product_missing'],
    [
      'Patient not to be read',
      withContext({ scope: 'patient/Coverage.rs patient/Patient.s' }),
      'insufficient-scope',
      'scope_insufficient',
    ],
  ] as const)('for %s before anything is read', async (_what, change, refusal, reason) => {
    const { everything, state } = world();
    expect(await everything('_type=x', change)).toEqual({ kind: 'refusal', refusal });
    expect(state.waits).toEqual(['record']);
    expect(state.events[0]).toMatchObject({ action: 'Patient.everything', outcome: 'refused', reason });
  });

  it('for a grant that ended, also of another’s id', async () => {
    const { everything, state } = world();
    state.grant = { ...livingGrant, state: 'revoked' };
    for (const id of ['p1', 'p2']) {
      expect(await everything('', { id })).toEqual({ kind: 'refusal', refusal: 'invalid-token' });
    }
    expect(state.events.map(({ reason }) => reason)).toEqual(['grant_revoked', 'grant_revoked']);
  });

  it('for a form we don’t send', async () => {
    expect(await world().everything('', { accept: 'application/fhir+xml' })).toEqual({
      kind: 'refusal',
      refusal: 'not-acceptable',
    });
  });

  it.each([
    ['_type=observation', '_type'],
    ['_type=Patient,Foo', '_type'],
    ['_type=Patient,__proto__', '_type'],
    ['start=soon', 'start'],
    ['end=2026-02-30', 'end'],
    ['end=2026&end=2027', 'end'],
    ['_since=soon', '_since'],
    ['_count=x', '_count'],
    ['_count=1&_count=2', '_count'],
    ['_cursor=x', '_cursor'],
    [`_type=${'x'.repeat(6001)}`, 'parameters'],
  ])('for %s', async (query, named) => {
    const { everything, state } = world();
    expect(await everything(query)).toMatchObject({
      kind: 'invalid',
      issues: [{ diagnostics: expect.stringContaining(named) }],
    });
    expect(state.waits).toEqual([]);
  });

  it('with a cursor of a search', async () => {
    const { everything, search } = world();
    const cursor = queryOf(linkOf(await search('ExplanationOfBenefit', '_count=1'), 'next') ?? '');
    expect(await everything(cursor)).toMatchObject({ kind: 'invalid' });
  });
});

describe('a parameter of everything that means nothing here', () => {
  it('is ignored and reported', async () => {
    const answer = await world().everything('color=blue&_type=Patient&_pretty=true');
    expect(linkOf(answer, 'self')).toBe(`${base}/Patient/p1/$everything?_type=Patient`);
    expect(bundleOf(answer).entry?.at(-1)).toMatchObject({
      search: { mode: 'outcome' },
      resource: {
        issue: [
          { severity: 'warning', diagnostics: 'The parameter ‘color’ is not supported for $everything.' },
        ],
      },
    });
  });

  it('is an issue where the client is strict', async () => {
    expect(await world().everything('color=blue', { prefer: 'handling=strict' })).toMatchObject({
      kind: 'invalid',
    });
  });
});
