import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { patientAccessTypes } from '../../lambdas/catalog/fhir/fhir-resources.ts';
import { type FhirRoute, fhirRoutes } from '../../lambdas/catalog/fhir/fhir-routes.ts';
import { claimsResources } from '../../lambdas/catalog/fhir/resources/claims.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import { grantKey } from '../../lambdas/platform/table/table-keys.ts';
import { syntheticMembers } from '../../ops/generator/members.ts';
import { type EventParts, functionEnvironment, gatewayEvent } from '../fhir/gateway-event.ts';
import { startTestEngine } from '../support/engine.ts';
import { storeResources } from '../support/stored-resources.ts';

/**
 * A token gives access to the types of its scope and to no other, on every route and with every query: not in results, not in included
 * resources, not in the audit event of the disclosure, and not by the cursor of a token with a wider scope.
 */

const member = syntheticMembers('sandbox').find((each) =>
  patientAccessTypes.every((type) => each.resources.some(({ resourceType }) => resourceType === type)),
);
if (member === undefined) throw new Error('no member of the sandbox has a resource of each type');
const { patientId, resources } = member;
const idOf = (type: string) => resources.find(({ resourceType }) => resourceType === type)?.id ?? '';

/**
 * Scopes as tokens have them, and the types that each allows to read (`r`) and to search (`s`), written by hand and not derived from the
 * code.
 */
const tokens: readonly (readonly [
  scope: string,
  readable: readonly string[],
  searchable: readonly string[],
])[] = [
  ['patient/Coverage.rs', ['Coverage'], ['Coverage']],
  ['openid fhirUser patient/Coverage.read', ['Coverage'], ['Coverage']],
  ['patient/Coverage.r', ['Coverage'], []],
  ['patient/Coverage.s', [], ['Coverage']],
  ['patient/ExplanationOfBenefit.rs', ['ExplanationOfBenefit'], ['ExplanationOfBenefit']],
  ['patient/ExplanationOfBenefit.s patient/Patient.r', ['Patient'], ['ExplanationOfBenefit']],
  ['patient/Patient.rs patient/Coverage.rs', ['Patient', 'Coverage'], ['Patient', 'Coverage']],
  ['patient/Patient.s patient/Organization.r', ['Organization'], ['Patient']],
  ['patient/*.s', [], patientAccessTypes],
  ['openid launch/patient', [], []],
  // `user/` scopes cover the same compartment: the user is the member.
  ['user/Coverage.rs', ['Coverage'], ['Coverage']],
  // Scopes that are never granted and allow nothing.
  ['patient/ExplanationOfBenefit.rs?type=oral system/*.rs patient/Coverage.cud', [], []],
  ['patient/coverage.rs patient/Coverages.rs Patient/Coverage.rs patient/Coverage', [], []],
];

const engine = await startTestEngine();
const table = createSignedTable(engine);
for (const [name, value] of Object.entries(functionEnvironment(engine.endpoint, engine.tableName)))
  vi.stubEnv(name, value);
vi.spyOn(console, 'log').mockImplementation(() => undefined);
const { handler } = await import('../../lambdas/patient-access/patient-access.handler.ts');
await table.put({
  ...grantKey('DSNP', patientId, 'grant-1'),
  ...{ clientId: 'client-1', state: 'active', expiresAt: 4_000_000_000 },
});
await storeResources(table, 'DSNP', patientId, resources);
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await engine.stop();
});

let calls = 0;

async function call(scope: string, parts: EventParts) {
  calls += 1;
  const requestId = `escalation-${calls}`;
  const authorizer = {
    clientId: 'client-1',
    products: 'patient-access',
    grantId: 'grant-1',
    patientId,
    scope,
    tokenId: 'token-1',
    tokenExpiresAt: '4000000000',
  };
  const headers = { 'X-Request-Id': requestId, ...parts.headers };
  const answer = await handler(gatewayEvent({ ...parts, headers, authorizer }));
  const { items } = await table.query({ pk: `AUDIT#DSNP#PATIENT#${patientId}`, descending: true, limit: 3 });
  return { answer, events: items.filter((event) => event.clientRequestId === requestId) };
}

/** The distinct resource types in an answer. */
function typesIn({ body }: APIGatewayProxyResult): readonly string[] {
  const answered = JSON.parse(body);
  const held: readonly { readonly resourceType: string }[] =
    answered.resourceType === 'Bundle'
      ? (answered.entry ?? []).map(({ resource }: { resource: { resourceType: string } }) => resource)
      : [answered];
  return [
    ...new Set(held.map(({ resourceType }) => resourceType).filter((type) => type !== 'OperationOutcome')),
  ];
}

const typeOf = ({ operation }: FhirRoute) => operation.split('.', 1).join();
const routes = fhirRoutes.filter(({ access }) => access === 'member');
const reads = routes.filter(({ operation }) => operation.endsWith('.read'));
const searches = routes.filter(({ operation }) => operation.endsWith('.search-type'));
const everything = routes.filter(({ operation }) => operation === 'Patient.everything');
const documents = routes.filter(({ operation }) => operation === 'DocumentReference.docref');

/**
 * The routes that a token is tried with: all routes of claims and coverage, and every third of the clinical routes, so that three tokens
 * cover all of them.
 */
const triedWith = (scope: string, all: readonly FhirRoute[]) =>
  all.filter(
    (route, at) =>
      Object.hasOwn(claimsResources, typeOf(route)) ||
      (at + tokens.findIndex(([each]) => each === scope)) % 3 === 0,
  );

const references = [...new Set(Object.values(claimsResources).flatMap(({ includes }) => includes))];
/**
 * Queries of a search for a type: every combination for claims; for clinical types those that add resources of other types, and a count.
 */
function besidesOf(type: string): readonly Readonly<Record<string, string>>[] {
  if (Object.hasOwn(claimsResources, type)) return besides;
  return [{}, { _include: `${type}:*` }, { _revinclude: 'Provenance:target' }, { _summary: 'count' }];
}

const besides: readonly Readonly<Record<string, string>>[] = [
  {},
  ...['Coverage', 'ExplanationOfBenefit'].flatMap((type) => [
    { _include: `${type}:*` },
    ...references.map((reference) => ({ _include: `${type}:${reference}` })),
  ]),
  { _include: '*' },
  { '_include:iterate': 'Coverage:payor' },
  { '_include:recurse': 'ExplanationOfBenefit:*' },
  { _revinclude: 'ExplanationOfBenefit:coverage' },
  { _revinclude: '*' },
  { '_has:ExplanationOfBenefit:coverage:type': 'oral' },
  { 'payor.name': 'a' },
  { _type: 'ExplanationOfBenefit,Organization' },
  { _contained: 'both' },
  { _query: 'everything' },
  { _summary: 'count' },
];

it('is tried at every route of a member’s data', () => {
  expect(routes.length).toBe(reads.length + searches.length + everything.length + documents.length);
  expect(new Set(reads.map(typeOf))).toEqual(new Set(patientAccessTypes));
});

it.each(
  tokens,
)('a token of %j finds documents only where it may search for them', async (scope, _readable, searchable) => {
  for (const { path, method } of documents) {
    const { answer } = await call(scope, { resource: path, method, query: { patient: patientId } });
    const may = searchable.includes('DocumentReference');
    expect(answer.statusCode).toBe(may ? 200 : 403);
    expect(typesIn(answer)).toEqual(may ? ['DocumentReference'] : []);
  }
});

describe.each(tokens)('a token of %j', (scope, readable, searchable) => {
  it.each(triedWith(scope, reads))('reads by $path only what it may', async (route) => {
    const type = typeOf(route);
    const { answer, events } = await call(scope, { resource: route.path, id: idOf(type) });
    expect(answer.statusCode).toBe(readable.includes(type) ? 200 : 403);
    expect(typesIn(answer)).toEqual(readable.includes(type) ? [type] : []);
    expect(events.map(({ action, outcome, reason }) => [action, outcome, reason])).toEqual([
      [
        `${type}.read`,
        ...(readable.includes(type) ? ['disclosed', undefined] : ['refused', 'scope_insufficient']),
      ],
    ]);
  });

  it.each(triedWith(scope, searches))('finds by $method $path only what it may', async (route) => {
    const type = typeOf(route);
    // A form is parsed like a query, so two of the queries are enough for a search by POST.
    for (const beside of route.method === 'GET' ? besidesOf(type) : besidesOf(type).slice(0, 2)) {
      const asked = { resource: route.path, method: route.method };
      const { answer, events } = await call(
        scope,
        route.method === 'GET'
          ? { ...asked, query: beside }
          : {
              ...asked,
              body: new URLSearchParams(beside).toString(),
              headers: { 'content-type': 'application/x-www-form-urlencoded' },
            },
      );
      const may = searchable.includes(type);
      expect([beside, answer.statusCode]).toEqual([beside, may ? expect.toBeOneOf([200, 400]) : 403]);
      const allowed = may ? [type, ...readable] : [];
      expect(allowed, JSON.stringify(beside)).toEqual(expect.arrayContaining([...typesIn(answer)]));
      const named = events.flatMap(({ resources: sent }) => (sent ?? []) as string[]);
      for (const name of named) expect(allowed).toContain(name.split('/', 1).join());
      if (answer.statusCode === 403)
        expect(events.map(({ outcome, reason }) => [outcome, reason])).toEqual([
          ['refused', 'scope_insufficient'],
        ]);
    }
    const plain = await call(scope, { resource: route.path, method: route.method });
    expect(typesIn(plain.answer)).toEqual(searchable.includes(type) ? [type] : []);
  });

  it('gets of everything only what it may read', async () => {
    const [{ path = '' } = {}] = everything;
    for (const query of [
      {},
      ...patientAccessTypes.map((_type) => ({ _type })),
      { _type: patientAccessTypes.join() },
    ]) {
      const asked = {
        resource: path,
        id: patientId,
        operation: '$everything',
        query: { ...query, _count: '100' },
      };
      const { answer, events } = await call(scope, asked);
      expect(answer.statusCode).toBe(readable.includes('Patient') ? 200 : 403);
      expect(readable, JSON.stringify(query)).toEqual(expect.arrayContaining([...typesIn(answer)]));
      const named = events.flatMap(({ resources: sent }) => (sent ?? []) as string[]);
      for (const name of named) expect(readable).toContain(name.split('/', 1).join());
      const { total } = JSON.parse(answer.body);
      // The total counts no resources of types that the token does not allow.
      if (answer.statusCode === 200)
        expect(total).toBeLessThanOrEqual(
          resources.filter(({ resourceType }) => readable.includes(resourceType)).length,
        );
    }
  });
});

describe('a page begun with a wider token', () => {
  const wide = 'patient/*.rs';
  const pageOf = async (
    scope: string,
    query: Readonly<Record<string, string>>,
    path = 'ExplanationOfBenefit',
  ) => (await call(scope, { resource: `/extfhirpatientaccess/v1/${path}`, query })).answer;

  it('goes on with a narrower one without what that may not read', async () => {
    const first = await pageOf(wide, { _count: '1', _include: 'ExplanationOfBenefit:*' });
    expect(typesIn(first).length).toBeGreaterThan(2);
    const next = JSON.parse(first.body).link.find(
      ({ relation }: { relation: string }) => relation === 'next',
    )?.url;
    const query = Object.fromEntries(new URL(next).searchParams);
    expect(typesIn(await pageOf('patient/ExplanationOfBenefit.s', query))).toEqual(['ExplanationOfBenefit']);
    expect((await pageOf('patient/ExplanationOfBenefit.r', query)).statusCode).toBe(403);
    expect((await pageOf('patient/Coverage.rs', query)).statusCode).toBe(403);
    // A cursor of a search for one type is refused by a search for another.
    const elsewhere = await pageOf('patient/Coverage.rs', query, 'Coverage');
    expect(elsewhere.statusCode).toBe(400);
    expect(typesIn(elsewhere)).toEqual([]);
  });
});
