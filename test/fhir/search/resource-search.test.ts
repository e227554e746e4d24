import { describe, expect, it } from 'vitest';
import { servedResource } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
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

const claims = [
  claim('e1', { billablePeriod: { start: '2026-01-05', end: '2026-01-06' } }),
  claim('e2', { billablePeriod: { start: '2026-03-05', end: '2026-03-06' } }),
  claim('e3', { item: [{ servicedDate: '2026-02-01' }] }),
  claim('e4'),
];
const world = () => createWorld([...household, ...claims]);
const withContext = (change: Partial<typeof context>) => ({ context: { ...context, ...change } });

describe('a search', () => {
  it('gives the newest service first, and last what has no date', async () => {
    const answer = await world().search('ExplanationOfBenefit', 'patient=p1');
    expect(entriesOf(answer)).toEqual(
      ['e2', 'e3', 'e1', 'e4'].map((id) => `match ExplanationOfBenefit/${id}`),
    );
  });

  it('gives claims before prior authorizations, each newest first, and one alone by use', async () => {
    const { search } = createWorld([
      ...household,
      ...claims,
      claim('pa1', { use: 'preauthorization', billablePeriod: { start: '2026-05-01' } }),
      claim('pa2', { use: 'preauthorization', billablePeriod: { start: '2026-06-01' } }),
    ]);
    const names = async (query: string) =>
      entriesOf(await search('ExplanationOfBenefit', query)).map((name) => name.split('/')[1]);
    expect(await names('')).toEqual(['e2', 'e3', 'e1', 'e4', 'pa2', 'pa1']);
    expect(await names('use=preauthorization')).toEqual(['pa2', 'pa1']);
    expect(await names('use=http://hl7.org/fhir/claim-use%7Cclaim')).toEqual(['e2', 'e3', 'e1', 'e4']);
    expect(await names('_sort=-service-start-date')).toEqual(['pa2', 'pa1', 'e2', 'e3', 'e1', 'e4']);
    const first = await search('ExplanationOfBenefit', '_count=4');
    const rest = await search('ExplanationOfBenefit', queryOf(linkOf(first, 'next') ?? ''));
    expect(entriesOf(rest)).toEqual(['match ExplanationOfBenefit/pa2', 'match ExplanationOfBenefit/pa1']);
  });

  it.each([
    ['ExplanationOfBenefit', `_id=ExplanationOfBenefit/e2`, ['e2']],
    ['ExplanationOfBenefit', `_id=e1,${base}/ExplanationOfBenefit/e2`, ['e2', 'e1']],
    ['ExplanationOfBenefit', '_id=%7Ce2', ['e2']],
    ['ExplanationOfBenefit', '_id=Claim/e2', []],
    ['ExplanationOfBenefit', '_id=https://elsewhere.example.com/ExplanationOfBenefit/e2', []],
    ['ExplanationOfBenefit', '_id:not=ExplanationOfBenefit/e2', ['e3', 'e1', 'e4']],
    ['ExplanationOfBenefit', '_id:missing=true', []],
    ['Patient', 'gender=%7Cfemale', ['p1']],
    ['Patient', 'gender=http://hl7.org/fhir/administrative-gender%7C', ['p1']],
    ['Patient', 'gender:not=%7Cfemale', []],
    ['Patient', 'identifier=%7CM-1', []],
  ] as const)('of %s finds by %s the resources %j', async (type, query, ids) => {
    const found = entriesOf(await world().search(type, query));
    expect(found).toEqual(ids.map((id) => `match ${type}/${id}`));
  });

  it('includes what an included resource leads to, where the include iterates', async () => {
    const { search } = world();
    const include = '_id=e2&_include=ExplanationOfBenefit:coverage';
    const once = await search('ExplanationOfBenefit', `${include}&_include=ExplanationOfBenefit:patient`);
    expect(entriesOf(once).slice(1).sort()).toEqual(['include Coverage/c1', 'include Patient/p1']);
    const further = await search('ExplanationOfBenefit', `${include}&_include:iterate=Coverage:payor`);
    expect(entriesOf(further).slice(1).sort()).toEqual(['include Coverage/c1', 'include Organization/payer']);
    // Circular references are followed once.
    const circle = await search(
      'Coverage',
      '_include:iterate=Coverage:beneficiary&_include:iterate=Coverage:payor',
    );
    expect(entriesOf(circle).slice(1).sort()).toEqual(['include Organization/payer', 'include Patient/p1']);
  });

  it('sends the elements of each type that are named with it', async () => {
    const { search } = world();
    const query = '_id=e2&_include=ExplanationOfBenefit:insurer';
    const sent = async (elements: string) =>
      bundleOf(await search('ExplanationOfBenefit', `${query}&_elements=${elements}`)).entry?.map(
        ({ resource }) => ['billablePeriod', 'disposition', 'name'].filter((name) => name in resource),
      );
    expect(await sent('type')).toEqual([[], ['name']]);
    expect(await sent('ExplanationOfBenefit.billablePeriod')).toEqual([['billablePeriod'], ['name']]);
    expect(await sent('Organization.active')).toEqual([['billablePeriod'], []]);
    expect(await sent('type,Organization.active')).toEqual([[], []]);
  });

  it('is a searchset with its number, its link and a full URL for each resource', async () => {
    const answer = await world().search('ExplanationOfBenefit', 'patient=Patient%2Fp1&service-date=2026-03');
    expect(bundleOf(answer)).toEqual({
      resourceType: 'Bundle',
      meta: { lastUpdated: new Date(nowSeconds * 1000).toISOString() },
      type: 'searchset',
      total: 1,
      link: [
        {
          relation: 'self',
          url: `${base}/ExplanationOfBenefit?patient=Patient/p1&service-date=2026-03`,
        },
      ],
      entry: [{ fullUrl: `${base}/ExplanationOfBenefit/e2`, resource: claims[1], search: { mode: 'match' } }],
    });
    expect(answer).toMatchObject({ mediaType: 'application/json' });
  });

  it('takes two waits: grant and entries, then the bodies beside the event that names them', async () => {
    const { search, state } = world();
    await search('ExplanationOfBenefit', 'service-date=2026-03');
    expect(state.waits).toEqual(['entries p1 grant-1 ExplanationOfBenefit', 'resources p1', 'record']);
    expect(state.events).toEqual([
      {
        action: 'ExplanationOfBenefit.search-type',
        outcome: 'disclosed',
        clientId: 'client-1',
        grantId: 'grant-1',
        patientId: 'p1',
        requestId: 'r1',
        resource: 'ExplanationOfBenefit',
        resources: ['ExplanationOfBenefit/e2'],
      },
    ]);
  });

  it.each([
    'patient=p2',
    'patient=Patient/p2',
    'patient=https://elsewhere.example.com/Patient/p1',
    '_id=nothing',
    'service-date=1999',
  ])('finds nothing for %s in as many waits', async (query) => {
    const { search, state } = world();
    const answer = await search('ExplanationOfBenefit', query);
    expect(bundleOf(answer)).toMatchObject({ total: 0 });
    expect(bundleOf(answer)).not.toHaveProperty('entry');
    expect(state.waits).toHaveLength(3);
    expect(state.events).toEqual([expect.objectContaining({ outcome: 'disclosed', resources: [] })]);
  });

  it('of Patient finds the token’s patient only, whatever lies in the partition', async () => {
    const { search, state } = world();
    state.resources.push({ resourceType: 'Patient', id: 'p2', name: [{ family: 'Müller' }] });
    expect(entriesOf(await search('Patient', ''))).toEqual(['match Patient/p1']);
    expect(entriesOf(await search('Patient', 'name=muller&birthdate=1960-05'))).toEqual([]);
    expect(entriesOf(await search('Patient', 'name=muller&birthdate=1960'))).toEqual(['match Patient/p1']);
    expect(entriesOf(await search('Patient', '_id=p2'))).toEqual([]);
    expect(
      entriesOf(await search('Patient', 'identifier=https://plan.example.com/MEMBER_LIFE_ID%7CM-1')),
    ).toEqual(['match Patient/p1']);
  });

  it('sends the form that was negotiated', async () => {
    const { search, state } = world();
    state.fhirJson.p1 = '{"resourceType":"Patient","id":"p1","birthDate":"1960"}';
    const birthDate = async (accept: string) =>
      bundleOf(await search('Patient', '', { accept })).entry?.[0]?.resource.birthDate;
    expect(await birthDate('application/fhir+json')).toBe('1960');
    expect(await birthDate('application/json')).toBe('1960-00-00');
    expect(await search('Patient', '_format=application/fhir%2Bjson')).toMatchObject({
      mediaType: 'application/fhir+json',
    });
  });
});

describe('a search that is refused', () => {
  it.each([
    [
      'a token that expired meanwhile',
      withContext({ tokenExpiresAt: nowSeconds }),
      'invalid-token',
      'token_expired',
    ],
    [
      'an expiry that can’t be read',
      withContext({ tokenExpiresAt: Number.NaN }),
      'invalid-token',
      'token_expired',
    ],
    ['a missing product', withContext({ products: ['payer-access'] }), 'product-missing', 'product_missing'],
    ['no data scope', withContext({ scope: 'openid' }), 'insufficient-scope', 'scope_insufficient'],
    [
      'another type’s scope',
      withContext({ scope: 'patient/Patient.rs' }),
      'insufficient-scope',
      'scope_insufficient',
    ],
    [
      'a scope to read alone',
      withContext({ scope: 'patient/Coverage.r' }),
      'insufficient-scope',
      'scope_insufficient',
    ],
  ] as const)('for %s is on record and reads nothing, before anything else is looked at', async (_what, change, refusal, reason) => {
    const { search, state } = world();
    const answer = await search('Coverage', 'patient:wrong=1&_format=xml', change);
    expect(answer).toEqual({ kind: 'refusal', refusal });
    expect(state.waits).toEqual(['record']);
    expect(state.events).toEqual([
      expect.objectContaining({
        action: 'Coverage.search-type',
        outcome: 'refused',
        reason,
        resource: 'Coverage',
      }),
    ]);
  });

  it('for a form we don’t send comes before what is wrong in the query, and is no decision about access', async () => {
    const { search, state } = world();
    expect(await search('Coverage', 'patient:wrong=1&_format=xml')).toEqual({
      kind: 'refusal',
      refusal: 'not-acceptable',
    });
    expect(await search('Coverage', 'patient:wrong=1')).toMatchObject({ kind: 'invalid' });
    expect(state.waits).toEqual([]);
  });

  it.each([
    ['missing', undefined, 'grant_missing'],
    ['revoked', { ...livingGrant, state: 'revoked' }, 'grant_revoked'],
    ['pending', { ...livingGrant, state: 'pending' }, 'grant_pending'],
    ['expired this second', { ...livingGrant, expiresAt: nowSeconds }, 'grant_expired'],
    ['another application’s', { ...livingGrant, clientId: 'client-2' }, 'grant_of_another_client'],
  ] as const)('for a grant that is %s is one event, and no body is read', async (_what, grant, reason) => {
    const { search, state } = world();
    state.grant = grant;
    expect(await search('Coverage', '')).toEqual({ kind: 'refusal', refusal: 'invalid-token' });
    expect(state.waits).toEqual(['entries p1 grant-1 Coverage', 'record']);
    expect(state.events).toEqual([expect.objectContaining({ outcome: 'refused', reason })]);
  });

  it.each([1, 2])('gives nothing out when audit event %i can’t be made durable', async (failingEvent) => {
    const { search, state } = world();
    state.failingEvent = failingEvent;
    if (failingEvent === 2) state.deleted.add('Coverage/c1');
    await expect(search('Coverage', '')).rejects.toThrow('not durable');
  });
});

describe('a resource that is deleted between the two waits', () => {
  it('is left out, and the record is put right', async () => {
    const { search, state } = world();
    state.deleted.add('ExplanationOfBenefit/e2');
    const answer = await search('ExplanationOfBenefit', '_count=2');
    expect(entriesOf(answer)).toEqual(['match ExplanationOfBenefit/e3']);
    expect(state.events.map(({ outcome, resources, corrects }) => [outcome, resources, corrects])).toEqual([
      ['disclosed', ['ExplanationOfBenefit/e2', 'ExplanationOfBenefit/e3'], undefined],
      ['disclosed', ['ExplanationOfBenefit/e3'], 'event-1'],
    ]);
    expect(linkOf(answer, 'next')).toBeDefined();
  });
});

describe('the next page', () => {
  it('begins after the last result, and the last page has none', async () => {
    const { search } = world();
    const first = await search('ExplanationOfBenefit', 'patient=p1&_count=3&_format=json');
    const next = linkOf(first, 'next') ?? '';
    expect(next).toMatch(/\/ExplanationOfBenefit\?_cursor=[A-Za-z0-9_-]+&_count=3&_format=json$/);
    const second = await search('ExplanationOfBenefit', queryOf(next));
    expect(entriesOf(second)).toEqual(['match ExplanationOfBenefit/e4']);
    expect(bundleOf(second).total).toBe(4);
    expect(linkOf(second, 'self')).toBe(next);
    expect(linkOf(second, 'next')).toBeUndefined();
  });

  it.each([
    ['another application', 'ExplanationOfBenefit', withContext({ clientId: 'client-2' })],
    ['another patient', 'ExplanationOfBenefit', withContext({ patientId: 'p2' })],
    ['another type', 'Coverage', {}],
  ] as const)('is not to be had with a cursor of %s', async (_what, type, change) => {
    const { search, state } = world();
    const cursor = queryOf(linkOf(await search('ExplanationOfBenefit', '_count=1'), 'next') ?? '');
    expect(await search(type, cursor, change)).toEqual({
      kind: 'invalid',
      issues: [{ code: 'invalid', diagnostics: expect.stringContaining('_cursor') }],
    });
    expect(state.waits).toHaveLength(3);
  });

  const pageAfter = (query: string) => async (more: string) => {
    const { search } = world();
    const cursor = queryOf(linkOf(await search('ExplanationOfBenefit', query), 'next') ?? '');
    return await search('ExplanationOfBenefit', cursor + more);
  };

  it.each([
    ['&patient=p1', 'patient'],
    ['&type:not=oral', 'type:not'],
    ['&patient.name=x', 'patient.name'],
    ['&_sort=_id', '_sort'],
    ['&_include=*', '_include'],
    ['&_cursor=x', '_cursor'],
  ])('is of the same search: %s is refused', async (more, name) => {
    expect(await pageAfter('_count=1')(more)).toMatchObject({
      kind: 'invalid',
      issues: [{ code: 'invalid', diagnostics: expect.stringContaining(name) }],
    });
  });

  it.each([
    '&_pretty=true',
    '&_format=json&_pretty=false',
    '&patient=',
    '&_=1795359667',
    '&_count=3',
    '&_summary=true',
    '&_elements=status',
    '&_total=none',
  ])('is had with what a client library adds to any link: %s', async (more) => {
    const found = entriesOf(await pageAfter('_count=3')(more)).filter((entry) => entry.startsWith('match'));
    expect(found).toEqual(['match ExplanationOfBenefit/e4']);
  });

  it('is had with a parameter of its search repeated', async () => {
    const answer = await pageAfter('_count=3&patient=p1&_sort=_id')('&patient=p1&_sort=_id&_count=3');
    expect(entriesOf(answer)).toHaveLength(1);
  });

  it('names what was ignored beside its cursor, and refuses it where the client is strict', async () => {
    const { search } = world();
    const cursor = queryOf(linkOf(await search('ExplanationOfBenefit', '_count=3'), 'next') ?? '');
    const lenient = bundleOf(await search('ExplanationOfBenefit', `${cursor}&_=1`));
    expect(lenient.entry?.at(-1)?.resource.resourceType).toBe('OperationOutcome');
    expect(lenient.link[0]?.url).not.toContain('_=1');
    const strict = { prefer: 'handling=strict' };
    expect(await search('ExplanationOfBenefit', `${cursor}&_=1`, strict)).toMatchObject({ kind: 'invalid' });
  });

  it('is as long as the _count beside its cursor says, and so are the pages after it', async () => {
    const { search } = world();
    const first = linkOf(await search('ExplanationOfBenefit', ''), 'next');
    expect(first).toBeUndefined();
    const one = queryOf(linkOf(await search('ExplanationOfBenefit', '_count=1'), 'next') ?? '');
    expect(one).toMatch(/^_cursor=[A-Za-z0-9_-]+&_count=1$/);
    const answer = await search('ExplanationOfBenefit', one.replace('_count=1', '_count=2'));
    expect(entriesOf(answer)).toHaveLength(2);
    expect(linkOf(answer, 'self')).toBe(`${base}/ExplanationOfBenefit?${one.replace(/1$/, '2')}`);
    expect(linkOf(answer, 'next')).toMatch(/&_count=2$/);
    const rest = await search('ExplanationOfBenefit', `${one.replace('&_count=1', '')}&_count=1000`);
    expect(entriesOf(rest)).toHaveLength(3);
  });

  it('is not asked for by an empty cursor', async () => {
    const { search } = world();
    expect(entriesOf(await search('ExplanationOfBenefit', '_cursor=&_id=e1'))).toHaveLength(1);
    const cursor = queryOf(linkOf(await search('ExplanationOfBenefit', '_count=3'), 'next') ?? '');
    expect(entriesOf(await search('ExplanationOfBenefit', `${cursor}&_cursor=`))).toHaveLength(1);
  });

  it('is decided anew: a revocation bites between two pages', async () => {
    const { search, state } = world();
    const cursor = queryOf(linkOf(await search('ExplanationOfBenefit', '_count=1'), 'next') ?? '');
    state.grant = { ...livingGrant, state: 'revoked' };
    expect(await search('ExplanationOfBenefit', cursor)).toEqual({
      kind: 'refusal',
      refusal: 'invalid-token',
    });
  });
});

describe('included resources', () => {
  it('follow the matches, each once', async () => {
    const { search, state } = world();
    const answer = await search('ExplanationOfBenefit', '_include=ExplanationOfBenefit:*&_count=2');
    expect(entriesOf(answer)).toEqual([
      'match ExplanationOfBenefit/e2',
      'match ExplanationOfBenefit/e3',
      'include Patient/p1',
      'include Organization/clinic',
      'include Coverage/c1',
      'include Organization/payer',
    ]);
    expect(bundleOf(answer).total).toBe(4);
    expect(state.waits).toEqual(['entries p1 grant-1 *', 'resources p1', 'record']);
    expect(state.events[0]?.resources).toHaveLength(6);
  });

  it('are of the types that the scope allows reading', async () => {
    const { search } = world();
    const scope = 'patient/ExplanationOfBenefit.s patient/Organization.r patient/Coverage.s';
    const answer = await search('ExplanationOfBenefit', '_id=e1&_include=*', withContext({ scope }));
    expect(entriesOf(answer)).toEqual([
      'match ExplanationOfBenefit/e1',
      'include Organization/clinic',
      'include Organization/payer',
    ]);
  });

  it.each([
    ['ExplanationOfBenefit:provider', ['Organization/clinic']],
    ['ExplanationOfBenefit:provider:Organization', ['Organization/clinic']],
    ['ExplanationOfBenefit:provider:Practitioner', []],
    ['ExplanationOfBenefit:care-team', []],
    ['ExplanationOfBenefit:coverage', ['Coverage/c1']],
  ])('are those that %s names', async (value, names) => {
    const answer = await world().search('ExplanationOfBenefit', `_id=e1&_include=${value}`);
    expect(entriesOf(answer).slice(1)).toEqual(names.map((name) => `include ${name}`));
  });

  it.each([
    ['*', ['Organization/payer', 'Patient/p1', 'RelatedPerson/spouse']],
    ['Coverage:*', ['Organization/payer', 'Patient/p1', 'RelatedPerson/spouse']],
    ['Coverage:payor', ['Organization/payer']],
    ['Coverage:patient', ['Patient/p1']],
    ['Coverage:beneficiary:Patient', ['Patient/p1']],
    ['Coverage:subscriber', ['RelatedPerson/spouse']],
    ['Coverage:policy-holder', ['RelatedPerson/spouse']],
  ])('are every reference of a Coverage by %s that is claimed', async (value, names) => {
    const { search, state } = world();
    const spouse = { reference: 'RelatedPerson/spouse' };
    state.resources.push(
      { resourceType: 'RelatedPerson', id: 'spouse', patient: { reference: 'Patient/p1' } },
      {
        resourceType: 'Coverage',
        id: 'family',
        beneficiary: { reference: 'Patient/p1' },
        payor: [{ reference: 'Organization/payer' }],
        subscriber: spouse,
        policyHolder: spouse,
      },
    );
    const answer = await search('Coverage', `_id=family&_include=${value}`);
    expect(entriesOf(answer).slice(1)).toEqual(names.map((name) => `include ${name}`));
  });

  it('are never another patient', async () => {
    const { search, state } = world();
    state.resources.push(
      { resourceType: 'Patient', id: 'p2' },
      claim('e9', { patient: { reference: 'Patient/p2' } }),
    );
    const answer = await search('ExplanationOfBenefit', '_id=e9&_include=ExplanationOfBenefit:patient');
    expect(entriesOf(answer)).toEqual(['match ExplanationOfBenefit/e9']);
  });
});

describe('the number alone', () => {
  it.each([
    '_summary=count',
    '_count=0',
  ])('is what %s asks for, and no body is named on record', async (query) => {
    const { search, state } = world();
    const answer = await search('ExplanationOfBenefit', `${query}&service-date=2026`);
    expect(bundleOf(answer)).toMatchObject({ total: 3 });
    expect(bundleOf(answer)).not.toHaveProperty('entry');
    expect(linkOf(answer, 'next')).toBeUndefined();
    expect(state.events[0]?.resources).toEqual([]);
  });
});

describe('a parameter that means nothing here', () => {
  it('is ignored, left out of self, and reported', async () => {
    const answer = await world().search('Coverage', 'patient=p1&color=blue&_contained=x');
    expect(linkOf(answer, 'self')).toBe(`${base}/Coverage?patient=p1`);
    const entry = bundleOf(answer).entry ?? [];
    expect(entry.map(({ search }) => search.mode)).toEqual(['match', 'outcome']);
    expect(entry[1]?.resource).toEqual({
      resourceType: 'OperationOutcome',
      issue: [
        {
          severity: 'warning',
          code: 'not-supported',
          diagnostics: 'The parameter ‘color’ is not supported for Coverage.',
        },
        {
          severity: 'warning',
          code: 'not-supported',
          diagnostics: 'The parameter ‘_contained’ is not supported for Coverage.',
        },
      ],
    });
  });

  it.each([
    'handling=strict',
    'respond-async, Handling="strict"; foo',
    'return=minimal,handling = strict',
  ])('is an issue with Prefer: %s, which names what is supported', async (prefer) => {
    const { search, state } = world();
    const own = servedResource('Coverage').searchParameters.map(({ name }) => name);
    const names = ['_id', '_lastUpdated', '_source', ...own].join(', ');
    const ofResult = '_count, _summary, _elements, _sort, _total, _include, _revinclude';
    const supported = `Supported: ${names}, ${ofResult}.`;
    expect(await search('Coverage', 'color=blue&size=1&patient=p1', { prefer })).toEqual({
      kind: 'invalid',
      issues: [
        {
          code: 'not-supported',
          diagnostics: `The parameter ‘color’ is not supported for Coverage. ${supported}`,
        },
        {
          code: 'not-supported',
          diagnostics: `The parameter ‘size’ is not supported for Coverage. ${supported}`,
        },
      ],
    });
    expect(state.waits).toEqual([]);
  });

  it.each([
    'handling=lenient',
    'handling=lenient, handling=strict',
    'x-handling=strict',
    '',
  ])('is none with Prefer: %s', async (prefer) => {
    expect((await world().search('Coverage', 'color=blue', { prefer })).kind).toBe('bundle');
  });
});
