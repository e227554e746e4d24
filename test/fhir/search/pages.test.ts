import { describe, expect, it } from 'vitest';
import type { PatientAccessType } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { allowsRead } from '../../../lambdas/catalog/oauth/scopes.ts';
import { memberSearch, usualSort } from '../../../lambdas/fhir/query/member-searches.ts';
import { parseQuery } from '../../../lambdas/fhir/query/query.ts';
import { includedEntries } from '../../../lambdas/fhir/search/included-entries.ts';
import { candidateOf, matchesCriteria } from '../../../lambdas/fhir/search/matching.ts';
import { comparePositions, positionOf } from '../../../lambdas/fhir/search/ordering.ts';
import { pageOf } from '../../../lambdas/fhir/search/page.ts';
import fc from '../../support/property.ts';
import {
  base,
  bundleOf,
  claim,
  context,
  createWorld,
  entriesOf,
  entryOf,
  household,
  linkOf,
  nowSeconds,
  parametersOf,
  queryOf,
  type Resource,
} from './world.ts';

const days = fc.constantFrom(
  '2025',
  '2026',
  '2026-01',
  '2026-01-05',
  '2026-02-01',
  '2026-02-01T10:00:00Z',
  '2026-03-31',
  undefined,
);
const claims = fc
  .uniqueArray(
    fc.record({
      id: fc.string({ unit: fc.constantFrom('a', 'B', '1', '-', '.'), minLength: 1, maxLength: 4 }),
      start: days,
      end: fc.constantFrom(undefined, '2026-12-31'),
      serviced: fc.array(days, { maxLength: 2 }),
      lastUpdated: fc.constantFrom(
        '2026-11-20T10:00:00.000Z',
        '2026-11-20T05:00:00.001-05:00',
        '2026-11-21T10:00:00.5Z',
      ),
      code: fc.constantFrom('oral', 'pharmacy'),
      doctor: fc.constantFrom('d1', 'd2', 'gone'),
    }),
    { selector: ({ id }) => id, maxLength: 25 },
  )
  .map((drawn) =>
    drawn.map(({ id, start, end, serviced, lastUpdated, code, doctor }) =>
      claim(id, {
        meta: { lastUpdated },
        type: { coding: [{ code }] },
        billablePeriod: { start, end },
        item: serviced.map((servicedDate) => ({ servicedDate })),
        careTeam: [{ provider: { reference: `Practitioner/${doctor}` } }],
      }),
    ),
  );
const doctors: readonly Resource[] = ['d1', 'd2'].map((id) => ({ resourceType: 'Practitioner', id }));
const criteria = fc.constantFrom(
  'type=oral',
  'type:not=oral',
  'service-date=2026',
  'service-date=ge2026-02',
  'service-date:missing=false',
  'service-start-date=lt2026-02',
  'billable-period-start=ap2026',
  '_lastUpdated=gt2026-11-20T10:00:00.000Z',
  'patient=p1',
  'patient=p2',
  '_id:not=a',
);
const sorts = fc.constantFrom(
  '',
  '_sort=_id',
  '_sort=-_id',
  '_sort=_lastUpdated',
  '_sort=-_lastUpdated',
  '_sort=service-date',
  '_sort=-service-date',
  '_sort=-billable-period-start,-_lastUpdated',
  '_sort=service-start-date,-_id',
);

/** Follows `next` links to the last page. */
async function walk(search: ReturnType<typeof createWorld>['search'], query: string) {
  const pages = [];
  let next: string | undefined = query;
  while (next !== undefined && pages.length < 100) {
    const answer = await search('ExplanationOfBenefit', next);
    pages.push({ total: bundleOf(answer).total, entries: entriesOf(answer) });
    const url = linkOf(answer, 'next');
    next = url && queryOf(url);
  }
  return pages;
}

function expected(resources: readonly Resource[], query: string): string[] {
  const type: PatientAccessType = 'ExplanationOfBenefit';
  const parsed = parseQuery(memberSearch(type), parametersOf(query), {
    base,
    now: nowSeconds * 1000,
    strict: true,
  });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.issues));
  const { sort = usualSort(type), criteria: asked } = parsed.query;
  return resources
    .map((resource) => candidateOf(entryOf(resource)))
    .filter((candidate) => matchesCriteria(candidate, asked))
    .toSorted((a, b) => comparePositions(positionOf(a, sort), positionOf(b, sort), sort))
    .map(({ entry }) => `match ExplanationOfBenefit/${entry.id}`);
}

describe('a walk through the pages', () => {
  it('gives each match once, in order, whatever the size of a page, and as many as each page says', async () => {
    const queries = fc.tuple(
      fc.array(criteria, { maxLength: 2 }),
      sorts,
      fc.integer({ min: 1, max: 30 }),
      fc.boolean(),
    );
    await fc.assert(
      fc.asyncProperty(claims, queries, async (resources, [asked, sort, count, include]) => {
        const { search, state } = createWorld([...household, ...doctors, ...resources]);
        const query = [...asked, sort, `_count=${count}`, include ? '_include=*' : '']
          .filter((part) => part !== '')
          .join('&');
        const pages = await walk(search, query);
        const walked = pages.flatMap(({ entries }) => entries.filter((entry) => entry.startsWith('match')));
        expect(walked).toEqual(expected(resources, [...asked, sort].join('&')));
        expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([walked.length]));
        for (const { entries } of pages) expect(new Set(entries).size).toBe(entries.length);
        // Each page's audit event names the resources on the page.
        expect(state.events.map(({ resources: named }) => named)).toEqual(
          pages.map(({ entries }) => entries.map((entry) => entry.replace(/^\w+ /, ''))),
        );
      }),
    );
  });

  it('gives nothing twice where a claim is loaded between two pages', async () => {
    await fc.assert(
      fc.asyncProperty(claims, claims, fc.integer({ min: 1, max: 5 }), async (before, loaded, count) => {
        const { search, state } = createWorld([...household, ...before]);
        const names: string[] = [];
        let query: string | undefined = `_count=${count}`;
        while (query !== undefined) {
          const answer = await search('ExplanationOfBenefit', query);
          names.push(...entriesOf(answer));
          const more = loaded.find(({ id }) => state.resources.every((resource) => resource.id !== id));
          if (more !== undefined) state.resources.push(more);
          const next = linkOf(answer, 'next');
          query = next && queryOf(next);
        }
        expect(new Set(names).size).toBe(names.length);
        expect(names).toEqual(expect.arrayContaining(expected(before, '')));
      }),
    );
  });

  it('has no effect on what ap means by near', async () => {
    const { search, state } = createWorld([
      claim('a', { billablePeriod: { start: '2026-01-01' } }),
      claim('b', { billablePeriod: { start: '2026-01-01' } }),
    ]);
    const query = 'billable-period-start=ap2026-01-02&_count=1';
    const first = await search('ExplanationOfBenefit', query);
    // On the day itself `ap` matches that day alone. The second page must still use the time of the first.
    state.now = Date.parse('2026-01-02T00:00:00Z');
    const second = await search('ExplanationOfBenefit', queryOf(linkOf(first, 'next') ?? ''));
    expect([...entriesOf(first), ...entriesOf(second)]).toEqual([
      'match ExplanationOfBenefit/a',
      'match ExplanationOfBenefit/b',
    ]);
    expect(entriesOf(await search('ExplanationOfBenefit', query))).toEqual([]);
  });
});

describe('an order', () => {
  it.each([
    ['_sort=service-start-date', ['many', 'one', 'none']],
    ['_sort=-service-start-date', ['many', 'one', 'none']],
    ['_sort=-_id', ['one', 'none', 'many']],
    ['_sort=_id', ['many', 'none', 'one']],
    ['', ['many', 'one', 'none']],
  ])('%s takes of many values the one that comes first, and puts what has none last', async (sort, ids) => {
    const { search } = createWorld([
      claim('one', { item: [{ servicedDate: '2026-03-01' }] }),
      claim('many', { item: [{ servicedDate: '2026-01-01' }, { servicedDate: '2026-05-01' }] }),
      claim('none'),
    ]);
    expect(entriesOf(await search('ExplanationOfBenefit', sort))).toEqual(
      ids.map((id) => `match ExplanationOfBenefit/${id}`),
    );
  });

  it('puts a time without a beginning before all others', async () => {
    const { search } = createWorld([
      claim('old', { billablePeriod: { start: '0001-01-01' } }),
      claim('open', { billablePeriod: { end: '2026' } }),
    ]);
    expect(entriesOf(await search('ExplanationOfBenefit', '_sort=service-date'))).toEqual(
      ['open', 'old'].map((id) => `match ExplanationOfBenefit/${id}`),
    );
  });

  it('is total: any two resources have one, and the same from either side', () => {
    fc.assert(
      fc.property(claims, sorts, (resources, sort) => {
        const parsed = parseQuery(memberSearch('ExplanationOfBenefit'), parametersOf(sort), {
          base,
          now: 0,
          strict: true,
        });
        if (parsed.kind === 'invalid') throw new Error('invalid');
        const keys = parsed.query.sort ?? usualSort('ExplanationOfBenefit');
        const positions = resources.map((resource) => positionOf(candidateOf(entryOf(resource)), keys));
        for (const [index, a] of positions.entries()) {
          for (const [other, b] of positions.entries()) {
            const compared = comparePositions(a, b, keys);
            expect(compared === 0).toBe(index === other);
            expect(Math.sign(compared)).toBe(-Math.sign(comparePositions(b, a, keys)) + 0);
          }
        }
      }),
    );
  });
});

describe('the criteria of a query', () => {
  it('never find more with one more of them', async () => {
    await fc.assert(
      fc.asyncProperty(
        claims,
        fc.array(criteria, { maxLength: 3 }),
        criteria,
        async (resources, asked, more) => {
          const { search } = createWorld(resources);
          const fewer = new Set(
            entriesOf(await search('ExplanationOfBenefit', [...asked, more, '_count=100'].join('&'))),
          );
          const all = new Set(
            entriesOf(await search('ExplanationOfBenefit', [...asked, '_count=100'].join('&'))),
          );
          expect([...fewer].filter((entry) => !all.has(entry))).toEqual([]);
        },
      ),
    );
  });
});

describe('what is included', () => {
  it('is of types the scope allows reading, in the compartment, and no match', async () => {
    const scopes = fc.subarray([
      'patient/Patient.r',
      'patient/Coverage.s',
      'patient/Coverage.rs',
      'patient/Organization.read',
      'patient/Practitioner.r',
    ]);
    await fc.assert(
      fc.asyncProperty(claims, scopes, async (resources, granted) => {
        const all = [...household, ...doctors, ...resources];
        const scope = ['patient/ExplanationOfBenefit.s', ...granted].join(' ');
        const answer = await createWorld(all).search('ExplanationOfBenefit', '_include=*&_count=100', {
          context: { ...context, scope },
        });
        const included = entriesOf(answer)
          .filter((entry) => entry.startsWith('include '))
          .map((entry) => entry.slice(8));
        for (const name of included) {
          expect(allowsRead(scope, name.split('/')[0] ?? '')).toBe(true);
          expect(all.map(({ resourceType, id }) => `${resourceType}/${id}`)).toContain(name);
        }
        expect(entriesOf(answer).length - included.length).toBe(resources.length);
      }),
    );
  });
});

const including = (parameter: string) =>
  ({ direction: 'forward', source: 'ExplanationOfBenefit', parameter, iterate: false }) as const;

describe('a page of large resources', () => {
  const large = ['a', 'b', 'c', 'd'].map((id) =>
    claim(id, {
      disposition: 'x'.repeat(1_500_000),
      careTeam: [{ provider: { reference: `Practitioner/d-${id}` } }],
    }),
  );

  it('ends before its answer grows too large for the gateway, and the walk goes on', async () => {
    const pages = await walk(createWorld(large).search, '_sort=_id');
    expect(pages.map(({ entries }) => entries.length)).toEqual([2, 2]);
  });

  it('counts what is included, and always sends one', () => {
    const candidates = large.map((resource) => candidateOf(entryOf(resource)));
    const sort = [{ name: '_id', descending: false }];
    const includable = large.map(({ id }) =>
      entryOf({ resourceType: 'Practitioner', id: `d-${id}`, text: 'y'.repeat(1000) }),
    );
    const page = (bytes: number) => {
      const { matches: taken, included } = pageOf(candidates, {
        sort,
        count: 20,
        bytes,
        included: includedEntries([including('care-team')], includable),
      });
      return [taken.length, included.length];
    };
    expect(page(10)).toEqual([1, 1]);
    expect(page(3_001_000)).toEqual([1, 1]);
    expect(page(3_010_000)).toEqual([2, 2]);
    expect(page(10_000_000)).toEqual([4, 4]);
  });

  it('counts what is included once, and fills up to the last byte', () => {
    const shared = entryOf({ resourceType: 'Practitioner', id: 'd', text: 'y'.repeat(1000) });
    const candidates = ['a', 'b'].map((id) =>
      candidateOf(entryOf(claim(id, { careTeam: [{ provider: { reference: 'Practitioner/d' } }] }))),
    );
    const size = candidates.reduce((sum, { values }) => sum + values.size, candidateOf(shared).values.size);
    const includable = [shared];
    const taken = (bytes: number) =>
      pageOf(candidates, {
        sort: [{ name: '_id', descending: false }],
        count: 20,
        bytes,
        included: includedEntries([including('care-team')], includable),
      }).matches.length;
    expect(taken(size)).toBe(2);
    expect(taken(size - 1)).toBe(1);
  });

  it('never includes a match', () => {
    const [one, two] = ['a', 'b'].map((id) => entryOf(claim(id)));
    if (one === undefined || two === undefined) throw new Error('no entries');
    const values = { ...one.values, references: { patient: ['ExplanationOfBenefit/b'] } };
    const page = pageOf([candidateOf({ ...one, values }), candidateOf(two)], {
      sort: [{ name: '_id', descending: false }],
      count: 2,
      included: includedEntries([including('patient')], [two]),
    });
    expect([page.matches.length, page.included.length]).toEqual([2, 0]);
  });

  it('names at most 500 resources in one event', async () => {
    const doctorsOf = (id: string) => Array.from({ length: 49 }, (_, index) => `${id}-${index}`);
    const ids = Array.from({ length: 12 }, (_, index) => `e${index}`);
    const { search, state } = createWorld([
      ...ids.map((id) =>
        claim(id, {
          careTeam: doctorsOf(id).map((doctor) => ({ provider: { reference: `Practitioner/${doctor}` } })),
        }),
      ),
      ...ids.flatMap((id) => doctorsOf(id).map((doctor) => ({ resourceType: 'Practitioner', id: doctor }))),
    ]);
    const pages = await walk(search, '_include=ExplanationOfBenefit:care-team');
    expect(pages.map(({ entries }) => entries.length)).toEqual([500, 2 * 50]);
    expect(state.events.map(({ resources }) => resources?.length)).toEqual([500, 2 * 50]);
  });
});
