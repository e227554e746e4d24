import { beforeEach, describe, expect, it } from 'vitest';
import { patientAccessTypes } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import type { Disclosure } from '../../../lambdas/fhir/disclosure/disclosure-recorder-port.ts';
import { type ReadRequest, readResource } from '../../../lambdas/fhir/read/resource-read.ts';
import type { RecordLabels } from '../../../lambdas/fhir/values/label.ts';
import type {
  AccessGrant,
  PatientCompartment,
  StoredResource,
} from '../../../lambdas/fhir/values/patient-compartment.ts';

const nowSeconds = 1_800_000_000;
const grant: AccessGrant = { clientId: 'client-1', state: 'active', expiresAt: nowSeconds + 1 };
const stored: StoredResource = {
  json: '{"birthDate":"1960-00-00"}',
  fhirJson: '{"birthDate":"1960"}',
  versionId: '3',
  lastUpdated: '2026-11-20T10:00:00.000+00:00',
};
const request: ReadRequest = {
  type: 'Patient',
  id: 'patient-1',
  accept: undefined,
  parameters: [],
  ifNoneMatch: undefined,
  requestId: 'r1',
  context: {
    clientId: 'client-1',
    products: ['patient-access'],
    grantId: 'grant-1',
    patientId: 'patient-1',
    scope: 'openid patient/Patient.read',
    tokenId: 'token-1',
    tokenExpiresAt: nowSeconds + 1,
  },
};

/** A compartment with this `read`; a search of it fails the test. */
function compartmentOf(read: PatientCompartment['read']): PatientCompartment {
  const none = () => Promise.reject(new Error('a read searches nothing'));
  return { read, entries: none, resources: none };
}

const unlabeled: RecordLabels = new Map();

/** The resources in the patient's compartment. */
const owned = ['Patient/patient-1', 'Coverage/coverage-1'];

function createWorld() {
  const state = {
    now: nowSeconds * 1000,
    grant: grant as AccessGrant | undefined,
    resource: stored as StoredResource | undefined,
    reads: [] as (readonly string[])[],
    events: [] as Disclosure[],
    failingEvent: 0,
  };
  const read = (change: Partial<ReadRequest> = {}) =>
    readResource(
      {
        interface: 'patient-access',
        now: () => state.now,
        compartment: compartmentOf(async (...asked) => {
          state.reads.push(asked);
          const own = owned.includes(`${asked[2]}/${asked[3]}`);
          return { grant: state.grant, resource: own ? state.resource : undefined, labels: unlabeled };
        }),
        audit: {
          async record(event) {
            state.events.push(event);
            if (state.events.length === state.failingEvent) throw new Error('not durable');
            return `event-${state.events.length}`;
          },
        },
      },
      { ...request, ...change },
    );
  return { state, read };
}

describe('reading a Patient', () => {
  let world: ReturnType<typeof createWorld>;
  beforeEach(() => {
    world = createWorld();
  });
  const outcome = async (change: Partial<ReadRequest> = {}) => {
    const answer = await world.read(change);
    return answer.kind === 'refusal' ? answer.refusal : answer.kind;
  };
  const withContext = (change: Partial<ReadRequest['context']>) => ({
    context: { ...request.context, ...change },
  });

  it('gives the stored text as it lies, beside one audit event', async () => {
    const answer = await world.read();
    expect(answer).toEqual({
      kind: 'resource',
      body: stored.json,
      mediaType: 'application/json',
      resource: stored,
    });
    expect(world.state.reads).toEqual([['patient-1', 'grant-1', 'Patient', 'patient-1']]);
    expect(world.state.events).toEqual([
      {
        action: 'Patient.read',
        outcome: 'disclosed',
        clientId: 'client-1',
        grantId: 'grant-1',
        patientId: 'patient-1',
        requestId: 'r1',
        resource: 'Patient/patient-1',
      },
    ]);
  });

  it('gives the valid FHIR rendition to who asks for FHIR, where it differs', async () => {
    expect(await world.read({ accept: 'application/fhir+json' })).toMatchObject({ body: stored.fhirJson });
    const { fhirJson: _same, ...same } = stored;
    world.state.resource = same;
    expect(await world.read({ accept: 'application/fhir+json' })).toMatchObject({ body: stored.json });
  });

  it.each([
    ['_elements', 'name', ['resourceType', 'id', 'meta', 'active', 'name']],
    ['_elements', 'gender,gender', ['resourceType', 'id', 'meta', 'active', 'gender']],
    ['_summary', 'text', ['resourceType', 'id', 'meta', 'active']],
    ['_summary', 'true', ['resourceType', 'id', 'meta', 'active', 'name', 'gender']],
    ['_summary', 'data', ['resourceType', 'id', 'meta', 'active', 'name', 'gender', 'contact']],
  ])('gives what %s=%s leaves of it, marked as a part', async (name, value, elements) => {
    const content = {
      ...{ resourceType: 'Patient', id: 'patient-1', meta: {}, active: true, name: [{ text: 'Rosa' }] },
      ...{ gender: 'female', contact: [{ gender: 'male' }] },
    };
    world.state.resource = { ...stored, json: JSON.stringify(content) };
    const answer = await world.read({ parameters: [[name, value]] });
    const sent = JSON.parse(answer.kind === 'resource' ? answer.body : '');
    expect(Object.keys(sent)).toEqual(elements);
    expect(sent.meta.tag).toMatchObject([{ code: 'SUBSETTED' }]);
    expect(world.state.events).toMatchObject([{ outcome: 'disclosed' }]);
  });

  it.each([
    ['_summary=false'],
    ['_summary=&_elements='],
    ['_pretty=true&_=1795359667&_format=json&_count=1'],
  ])('gives all of it with %s', async (query) => {
    const answer = await world.read({ parameters: [...new URLSearchParams(query)] });
    expect(answer).toMatchObject({ kind: 'resource', body: stored.json });
  });

  it.each([
    '_summary=some',
    '_summary=count',
    '_summary=true&_summary=text',
    '_elements=a.b',
    '_elements=a&_elements=b',
    '_summary=true&_elements=name',
  ])('refuses %s before anything is read', async (query) => {
    const answer = await world.read({ parameters: [...new URLSearchParams(query)] });
    expect(answer).toMatchObject({ kind: 'invalid', issues: [{ code: 'invalid' }] });
    expect([world.state.reads, world.state.events]).toEqual([[], []]);
  });

  it('gives no body to who has this version already', async () => {
    const answer = await world.read({ ifNoneMatch: 'W/"3"' });
    expect(answer).toEqual({ kind: 'not-modified', resource: stored });
    expect(await outcome({ ifNoneMatch: 'W/"2"' })).toBe('resource');
  });

  it.each([
    ['another member’s id', 'patient-2'],
    ['an id that does not exist', 'patient-404'],
  ])('takes the same steps and gives the same answer for %s', async (_what, id) => {
    expect(await world.read({ id })).toEqual({ kind: 'refusal', refusal: 'not-found' });
    expect(world.state.reads).toEqual([['patient-1', 'grant-1', 'Patient', id]]);
    expect(world.state.events).toHaveLength(1);
    expect(world.state.events[0]).toMatchObject({
      outcome: 'refused',
      reason: 'not_found',
      patientId: 'patient-1',
      resource: `Patient/${id}`,
    });
  });

  it.each([
    '',
    ' ',
    'a/b',
    '../x',
    'ä',
    'x'.repeat(65),
    'GRANT#1',
    'patient-1\n',
    'patient 1',
  ])('takes %j, which is no FHIR id, for one that does not exist, and keeps it out of the audit', async (id) => {
    expect(await outcome({ id })).toBe('not-found');
    expect(world.state.reads[0]?.[3]).toBe('');
    expect(world.state.events[0]).not.toHaveProperty('resource');
  });

  it('does not give a resource away that the store returns for an id which is not the token’s', async () => {
    const { state } = world;
    const answer = await readResource(
      {
        interface: 'patient-access',
        now: () => state.now,
        compartment: compartmentOf(async () => ({ grant, resource: stored, labels: unlabeled })),
        audit: { record: async () => 'event-1' },
      },
      { ...request, id: 'patient-2' },
    );
    expect(answer).toEqual({ kind: 'refusal', refusal: 'not-found' });
  });

  it.each([
    ['missing', undefined, 'grant_missing'],
    ['revoked', { ...grant, state: 'revoked' }, 'grant_revoked'],
    ['pending', { ...grant, state: 'pending' }, 'grant_pending'],
    ['expired this second', { ...grant, expiresAt: nowSeconds }, 'grant_expired'],
    ['another application’s', { ...grant, clientId: 'client-2' }, 'grant_of_another_client'],
  ] as const)('refuses the token of a grant that is %s, and puts the audit right', async (_what, dead, reason) => {
    world.state.grant = dead;
    expect(await outcome()).toBe('invalid-token');
    expect(world.state.events.map((event) => [event.outcome, event.reason, event.corrects])).toEqual([
      ['disclosed', undefined, undefined],
      ['refused', reason, 'event-1'],
    ]);
  });

  it('lets a revocation bite on the next call', async () => {
    expect(await outcome()).toBe('resource');
    world.state.grant = { ...grant, state: 'revoked' };
    expect(await outcome()).toBe('invalid-token');
  });

  it('says of the own id without a resource what it says of any other', async () => {
    world.state.resource = undefined;
    expect(await outcome()).toBe('not-found');
    expect(world.state.events.map((event) => event.outcome)).toEqual(['disclosed', 'refused']);
  });

  it.each([
    [
      'a token that expired while its policy was cached',
      withContext({ tokenExpiresAt: nowSeconds }),
      'invalid-token',
    ],
    ['a token whose expiry can’t be read', withContext({ tokenExpiresAt: Number.NaN }), 'invalid-token'],
    ['an application without the product', withContext({ products: ['payer-access'] }), 'product-missing'],
    ['a token without data scopes', withContext({ scope: 'openid fhirUser' }), 'insufficient-scope'],
    ['a token for another type', withContext({ scope: 'patient/Coverage.read' }), 'insufficient-scope'],
    ['a token that may only search', withContext({ scope: 'patient/Patient.s' }), 'insufficient-scope'],
    ['a form we don’t send', { accept: 'application/fhir+xml' }, 'not-acceptable'],
    ['a _format we don’t send', { parameters: [['_format', 'xml']] as const }, 'not-acceptable'],
  ])('refuses %s before anything is read', async (_what, change, refusal) => {
    expect(await outcome(change)).toBe(refusal);
    expect(world.state.reads).toEqual([]);
    // A format that is not acceptable is refused without a decision about access, so nothing is recorded.
    const expected = refusal === 'not-acceptable' ? [] : ['refused'];
    expect(world.state.events.map((event) => event.outcome)).toEqual(expected);
  });

  it.each([
    [{ tokenExpiresAt: nowSeconds }, 'token_expired'],
    [{ products: [] }, 'product_missing'],
    [{ scope: 'openid' }, 'scope_insufficient'],
  ])('puts on record why an application may not read: %j', async (context, reason) => {
    await outcome(withContext(context));
    expect(world.state.events).toEqual([
      expect.objectContaining({ outcome: 'refused', reason, clientId: 'client-1', grantId: 'grant-1' }),
    ]);
  });

  it.each([
    'patient/Patient.read',
    'patient/*.read',
    'patient/Patient.rs',
    'patient/*.r',
    'launch/patient patient/*.rs',
  ])('is allowed by the scope %s', async (scope) => {
    expect(await outcome(withContext({ scope }))).toBe('resource');
  });

  it.each([1, 2])('gives nothing out when audit event %i can’t be made durable', async (failingEvent) => {
    world.state.failingEvent = failingEvent;
    if (failingEvent === 2) world.state.grant = undefined;
    await expect(world.read()).rejects.toThrow('not durable');
  });
});

describe('reading a resource that is not the Patient', () => {
  let world: ReturnType<typeof createWorld>;
  beforeEach(() => {
    world = createWorld();
  });
  const coverage = {
    type: 'Coverage',
    context: { ...request.context, scope: 'patient/Coverage.r' },
  } as const;

  it('looks it up by its id in the token’s compartment, in one wait beside the audit event', async () => {
    expect(await world.read({ ...coverage, id: 'coverage-1' })).toMatchObject({
      kind: 'resource',
      body: stored.json,
    });
    expect(world.state.reads).toEqual([['patient-1', 'grant-1', 'Coverage', 'coverage-1']]);
    expect(world.state.events).toEqual([
      expect.objectContaining({
        action: 'Coverage.read',
        outcome: 'disclosed',
        patientId: 'patient-1',
        resource: 'Coverage/coverage-1',
      }),
    ]);
  });

  it.each([
    ['another member’s', 'coverage-2'],
    ['that does not exist', 'coverage-404'],
    ['of another type of the same member', 'patient-1'],
  ])('answers an id %s alike, and puts the audit right', async (_what, id) => {
    expect(await world.read({ ...coverage, id })).toEqual({ kind: 'refusal', refusal: 'not-found' });
    expect(world.state.reads).toEqual([['patient-1', 'grant-1', 'Coverage', id]]);
    expect(world.state.events.map(({ outcome, reason, corrects }) => [outcome, reason, corrects])).toEqual([
      ['disclosed', undefined, undefined],
      ['refused', 'not_found', 'event-1'],
    ]);
  });

  it('takes what is no FHIR id for one that does not exist, and keeps it out of the audit', async () => {
    expect(await world.read({ ...coverage, id: 'coverage-1#' })).toEqual({
      kind: 'refusal',
      refusal: 'not-found',
    });
    expect(world.state.reads[0]?.[3]).toBe('');
    expect(world.state.events).toEqual([expect.not.objectContaining({ resource: expect.anything() })]);
    expect(world.state.events[0]).toMatchObject({ outcome: 'refused', reason: 'not_found' });
  });

  it.each(patientAccessTypes)('needs a scope for %s itself', async (type) => {
    const others = patientAccessTypes.filter((each) => each !== type).map((each) => `patient/${each}.rs`);
    const without = { ...request.context, scope: ['openid', `patient/${type}.s`, ...others].join(' ') };
    expect(await world.read({ type, context: without })).toEqual({
      kind: 'refusal',
      refusal: 'insufficient-scope',
    });
    expect(world.state.reads).toEqual([]);
    expect(world.state.events).toMatchObject([{ action: `${type}.read`, outcome: 'refused' }]);
    const allowed = { ...request.context, scope: `patient/${type}.r` };
    await world.read({ type, context: allowed });
    expect(world.state.reads).toHaveLength(1);
  });

  it('lets a revocation bite on the next call', async () => {
    const own = { ...coverage, id: 'coverage-1' };
    expect((await world.read(own)).kind).toBe('resource');
    world.state.grant = { ...grant, state: 'revoked' };
    expect(await world.read(own)).toEqual({ kind: 'refusal', refusal: 'invalid-token' });
  });
});
