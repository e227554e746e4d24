import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type FhirRoute, fhirRoutes } from '../../lambdas/catalog/fhir/fhir-routes.ts';
import { allowsRead, allowsSearch } from '../../lambdas/catalog/oauth/scopes.ts';
import { formatCursor } from '../../lambdas/fhir/search/cursor.ts';
import type { ApiHandler } from '../../lambdas/platform/http/pipeline.ts';
import { digests } from '../../lambdas/platform/runtime/digests.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import type { Table } from '../../lambdas/platform/table/table.ts';
import { grantKey } from '../../lambdas/platform/table/table-keys.ts';
import { type EventParts, functionEnvironment, gatewayEvent } from '../fhir/gateway-event.ts';
import { anyText } from '../support/any-text.ts';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import fc from '../support/property.ts';
import { storeResources } from '../support/stored-resources.ts';

/**
 * Random requests to Patient Access by random callers. A refusal is an OperationOutcome, no answer repeats what was sent or has another
 * member's data, and each decision about the token's patient is recorded once in the audit (docs/audit.md).
 */

const member = {
  clientId: 'client-1',
  products: 'patient-access payer-access',
  grantId: 'grant-1',
  patientId: 'patient-1',
  scope: 'openid patient/Patient.rs patient/Coverage.rs patient/Organization.r',
  tokenId: 'token-1',
  tokenExpiresAt: '4000000000',
};
const { grantId: _grant, patientId: _patient, ...machine } = member;
/** Authorizer contexts of the callers. */
const callers: readonly Record<string, string>[] = [
  member,
  { ...member, patientId: 'patient-2', grantId: 'grant-2' },
  { ...member, clientId: 'client-2' },
  { ...member, grantId: 'revoked' },
  { ...member, grantId: 'over' },
  { ...member, grantId: 'nobody-granted-it' },
  { ...member, products: 'payer-access' },
  { ...member, scope: 'openid' },
  { ...member, scope: 'patient/Patient.r patient/Coverage.s' },
  { ...member, tokenExpiresAt: '1' },
  machine,
  { reason: 'key_unknown', scope: member.scope },
];
const patients = ['patient-1', 'patient-2'];
const dataRoutes = fhirRoutes.filter(({ access }) => access === 'member');
/** The ID of each resource ends with the number of the member who owns it. */
const types = ['Patient', 'Coverage', 'Organization'];
const idOf = (type: string, patientId: string) => `${type.toLowerCase()}-${patientId.at(-1)}`;

let engine: TestEngine;
let table: Table;
let handler: ApiHandler;
const lines: string[] = [];
beforeAll(async () => {
  engine = await startTestEngine();
  table = createSignedTable(engine);
  const environment = functionEnvironment(engine.endpoint, engine.tableName);
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  vi.spyOn(console, 'log').mockImplementation((line) => lines.push(String(line)));
  ({ handler } = await import('../../lambdas/patient-access/patient-access.handler.ts'));
  for (const id of patients) {
    for (const type of types) await load(id, type);
  }
  const granted = { clientId: 'client-1', state: 'active', expiresAt: 4_000_000_000 };
  for (const [patientId, grantId, changes] of [
    ['patient-1', 'grant-1', {}],
    ['patient-2', 'grant-2', {}],
    ['patient-1', 'revoked', { state: 'revoked' }],
    ['patient-1', 'over', { expiresAt: 1 }],
  ] as const) {
    await table.put({ ...grantKey('DSNP', patientId, grantId), ...granted, ...changes });
  }
});
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await engine.stop();
});

async function load(patientId: string, resourceType: string): Promise<void> {
  const id = idOf(resourceType, patientId);
  const beneficiary = { reference: `Patient/${patientId}` };
  const payor = [{ reference: `Organization/${idOf('Organization', patientId)}` }];
  const resource = { resourceType, id, ...(resourceType === 'Coverage' && { beneficiary, payor }) };
  const version = { versionId: '7', lastUpdated: '2026-11-20T10:00:00.123+00:00' };
  const stored = { resourceType, id, json: JSON.stringify(resource), ...version };
  await storeResources(table, 'DSNP', patientId, [stored]);
}

const canary = 'cAnArY';
const strange = fc
  .oneof(
    fc.constantFrom('', '\ud800', '\0', '../patient-2', '#GRANT', '%2e', 'é', '\r\nX: y', '<b>'),
    anyText({ maxLength: 80 }),
  )
  .map((text) => `${canary}${text}`);
const often = <T>(usual: fc.Arbitrary<T>, seldom: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: seldom });

const request: fc.Arbitrary<EventParts> = fc.record({
  resource: fc.constantFrom(
    ...dataRoutes.map(({ path }) => path),
    ...['/extfhirpatientaccess/v1/metadata', '/extfhirpatientaccess/v1/Claim/{id}'],
  ),
  method: often(fc.constant('GET'), fc.constantFrom('HEAD', 'POST', 'DELETE', 'get', canary)),
  id: often(fc.constantFrom(...types.flatMap((type) => patients.map((id) => idOf(type, id)))), strange),
  operation: often(fc.constantFrom('$everything', '%24everything'), strange),
  query: fc.dictionary(
    fc.constantFrom(
      ...['_format', '_summary', '_elements', '_pretty', '__proto__', '_count', '_sort', '_cursor', '_type'],
      ...['_id', 'patient', 'beneficiary', '_include', '_lastUpdated', '_since', 'payor.name'],
    ),
    often(
      fc.constantFrom(
        ...['json', 'application/fhir+json', 'xml', 'true', '1', 'Coverage:payor', 'Patient', 'ge2020'],
        ...['patient-1', 'Patient/patient-2', 'coverage-2', 'coverage-1,coverage-2'],
      ),
      strange,
    ),
    { maxKeys: 2 },
  ),
  headers: fc.dictionary(
    fc.constantFrom('Accept', 'If-None-Match', 'if-modified-since', 'Prefer', 'Range'),
    often(fc.constantFrom('*/*', 'application/fhir+json', 'text/html', 'W/"7"', '*', '"6", "7"'), strange),
    { maxKeys: 2 },
  ),
  authorizer: fc.constantFrom(...callers),
});

interface Recorded {
  readonly disclosed: number;
  readonly refused: number;
}

/** Counts the disclosures and refusals recorded for a request. A disclosure that a later event corrects is not counted. */
async function recorded(requestId: string): Promise<Recorded> {
  const pages = await Promise.all(
    patients.map((id) => table.query({ pk: `AUDIT#DSNP#PATIENT#${id}`, descending: true, limit: 4 })),
  );
  const events = pages.flatMap(({ items }) => items).filter((event) => event.clientRequestId === requestId);
  const corrected = new Set(events.map(({ corrects }) => corrects));
  const standing = events.filter(({ sk }) => !corrected.has(String(sk).split('#')[1]));
  const count = (outcome: string) => standing.filter((event) => event.outcome === outcome).length;
  return { disclosed: count('disclosed'), refused: count('refused') };
}

/** The events that docs/audit.md requires for an answer. Requests that name no patient and malformed requests are not recorded. */
function decisions(parts: EventParts, { statusCode }: APIGatewayProxyResult): Recorded {
  const ofPatient = routeOf(parts) !== undefined && parts.authorizer?.patientId !== undefined;
  if (!ofPatient || [400, 405, 406].includes(statusCode)) return { disclosed: 0, refused: 0 };
  return statusCode < 400 ? { disclosed: 1, refused: 0 } : { disclosed: 0, refused: 1 };
}

/** The route of a member's data that a request is for; undefined for an unknown operation on a Patient. */
function routeOf({ resource, operation = '' }: EventParts): FhirRoute | undefined {
  const route = dataRoutes.find(({ path }) => path === resource);
  const other = route?.operation === 'Patient.everything' && !/^(\$|%24)everything$/.test(operation);
  return other ? undefined : route;
}

const isRead = (route: FhirRoute | undefined) => route?.operation.endsWith('.read') ?? true;

function expectOwnWords(parts: EventParts, answer: APIGatewayProxyResult): void {
  const route = routeOf(parts);
  expect(answer.statusCode).toBeLessThan(500);
  const { Link: _successor, ...headers } = answer.headers ?? {};
  // The self link of a searchset repeats the query, and a 400 names the parameters it does not understand.
  const own = isRead(route) && answer.statusCode !== 400 ? answer.body : '';
  expect(`${own} ${JSON.stringify(headers)}`).not.toContain(canary);
  expect(headers['Access-Control-Allow-Origin']).toBe('*');
  if (answer.statusCode >= 400) {
    const { resourceType, issue } = JSON.parse(answer.body);
    expect(resourceType).toBe('OperationOutcome');
    if (answer.statusCode !== 400) expect(issue).toHaveLength(1);
    expect(headers['Cache-Control']).toBe('no-store');
  } else if (route !== undefined) {
    expect(headers['Cache-Control']).toBe('private, no-store');
    expectOwnData(route, parts, answer);
  }
}

/** Checks that every resource belongs to the token's patient and is of a type that the token allows. */
function expectOwnData(
  { operation }: FhirRoute,
  { authorizer, id, method }: EventParts,
  { statusCode, body }: APIGatewayProxyResult,
): void {
  const [type = ''] = operation.split('.');
  const { patientId = '', scope = '' } = authorizer ?? {};
  if (operation.endsWith('.read')) expect(id).toBe(idOf(type, patientId));
  if (statusCode !== 200 || (method === 'HEAD' && body === '')) return;
  const answered = JSON.parse(body);
  const entries: readonly Entry[] = isRead({ operation } as FhirRoute)
    ? [{ resource: answered }]
    : (answered.entry ?? []);
  for (const { resource, search } of entries) {
    if (search?.mode === 'outcome') continue;
    expect(resource.id).toBe(idOf(resource.resourceType, patientId));
    const allows = search?.mode === 'match' && !operation.endsWith('everything') ? allowsSearch : allowsRead;
    expect(allows(scope, resource.resourceType), `${operation} ${scope}`).toBe(true);
  }
}

interface Entry {
  readonly resource: { readonly resourceType: string; readonly id: string };
  readonly search?: { readonly mode: string };
}

/** A well-formed cursor, which anybody can make: any parameters and any position, for a token's patient. */
const forged = fc
  .record({
    at: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    parameters: fc.array(
      fc.tuple(
        fc.constantFrom('_id', 'patient', 'beneficiary', '_include', '_count', '_sort', 'payor.name', canary),
        fc.constantFrom(
          'Patient/patient-2',
          'patient-1',
          'coverage-2',
          'Coverage:payor',
          'Coverage:*',
          '100',
          canary,
        ),
      ),
      { maxLength: 3 },
    ),
    keys: fc.array(fc.oneof(fc.integer(), anyText({ maxLength: 9 }), fc.constant(null)), { maxLength: 3 }),
    id: fc.constantFrom('', 'patient-1', 'coverage-0', 'coverage-2', canary),
    search: fc.constantFrom('Patient', 'Coverage'),
    authorizer: fc.constantFrom(...callers.filter(({ patientId }) => patientId !== undefined)),
  })
  .map(({ at, parameters, keys, id, search, authorizer }) => {
    const { clientId = '', patientId = '' } = authorizer;
    const cursor = { at, parameters, after: { keys, id } };
    const text = formatCursor(cursor, { clientId, patientId, search }, digests.sha256Hex);
    return { search, parts: { method: 'GET', query: { _cursor: text }, authorizer } };
  });

it('shows by a forged cursor what the token may read, or says that it is no cursor', async () => {
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(forged, async ({ search, parts }) => {
      const route = dataRoutes.find(({ operation }) => operation === `${search}.search-type`);
      const answer = await handler(gatewayEvent({ ...parts, resource: route?.path ?? '' }));
      statuses.add(answer.statusCode);
      expect([200, 400, 401, 403]).toContain(answer.statusCode);
      if (answer.statusCode === 200 && route !== undefined)
        expectOwnData(route, { ...parts, resource: route.path }, answer);
    }),
    { numRuns: 300 },
  );
  expect(statuses).toContain(200);
});

it('is answered in FHIR’s words, shows nobody else’s data, and is on record once', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(request, async (parts) => {
      count += 1;
      const requestId = `any-${count}`;
      const answer = await handler(
        gatewayEvent({ ...parts, headers: { ...parts.headers, 'X-Request-Id': requestId } }),
      );
      expectOwnWords(parts, answer);
      expect(await recorded(requestId)).toEqual(decisions(parts, answer));
      expect(lines.join()).not.toContain(canary);
    }),
    { numRuns: 600 },
  );
});
