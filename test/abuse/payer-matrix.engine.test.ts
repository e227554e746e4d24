import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { patientAccessTypes } from '../../lambdas/catalog/fhir/fhir-resources.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { ApiHandler } from '../../lambdas/platform/http/pipeline.ts';
import type { Key } from '../../lambdas/platform/table/key.ts';
import type { Item } from '../../lambdas/platform/table/table.ts';
import { applicationKey, grantPartition } from '../../lambdas/platform/table/table-keys.ts';
import { type SyntheticMember, syntheticMembers } from '../../ops/generator/members.ts';
import { asynchronous, createJobsClient, relative } from '../payer-access/jobs/jobs-client.ts';
import { type Asked, type JobsWorld, startJobsWorld } from '../payer-access/jobs/jobs-world.ts';
import { storeMember } from '../payer-access/jobs/matchable-members.ts';
import { bulkOf, matchingBundle, memberBundle, validConsent } from '../payer-access/jobs/member-bundles.ts';
import { organization, parametersOf } from '../payer-access/match-samples.ts';
import { inTurn } from '../support/matrix-turn.ts';
import {
  leakIn,
  type OperationKind,
  type PayerHoldings,
  type PayerRequest,
  payerRequests,
  textsOf,
} from './payer-requests.ts';

/**
 * Requests of every Payer Access operation for what one payer matched and exported, by every other caller, and by that payer after its
 * access has ended in each way: the right status, an OperationOutcome, the refusal in the audit, and nothing of the member.
 */

const lob = 'DSNP';
const other = [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1235672346' }];

type Statuses = Readonly<Record<OperationKind, number>>;
const everything = (status: number): Statuses => ({
  ...{ member: status, match: status, bulk: status, group: status, groups: status },
  ...{ export: status, status, file: status, cancel: status },
});
/** Statuses for an admitted payer without matched members: its searches find no group, and its bulk match no member. */
const stranger = { ...everything(404), match: 422, bulk: 202, groups: 200 };
/** Statuses for the payer itself after all consents have ended: it may see its own group and job, and is sent no member data. */
const ended: Statuses = {
  ...{ member: 404, match: 422, bulk: 202, group: 200, groups: 200 },
  ...{ export: 202, status: 200, file: 410, cancel: 202 },
};

interface Adversary {
  readonly name: string;
  readonly statuses: Statuses;
  /** Authorizer context in which the call differs from the payer's own call. */
  readonly authorizer?: Readonly<Record<string, string>>;
  readonly lob?: LineOfBusiness;
  /** Changes of the payer's application and of its grants before the calls. */
  readonly application?: object;
  readonly grant?: object;
}

const endedConsent = {
  ...validConsent,
  provision: { ...validConsent.provision, period: { start: '2020-01-01', end: '2020-12-31' } },
};

const adversaries: readonly Adversary[] = [
  { name: 'another payer', authorizer: { clientId: 'payer-2' }, statuses: stranger },
  {
    // A Consent names an organization as recipient, so each of its applications can match the member; each reads only what it matched
    // itself.
    name: 'another application of the same organization',
    authorizer: { clientId: 'payer-1b' },
    statuses: { ...stranger, match: 200 },
  },
  { name: 'the payer at a line of business without it', lob: 'MAPD', statuses: everything(403) },
  {
    name: 'a payer of two lines of business at the other one',
    ...{ lob: 'MAPD', authorizer: { clientId: 'payer-1b' }, statuses: stranger },
  },
  // A new match with a Consent that is still valid renews the grant.
  { name: 'the payer after its grants', grant: { expiresAt: 1 }, statuses: { ...ended, match: 200 } },
  {
    name: 'the payer after a Consent’s period',
    grant: { consent: JSON.stringify(endedConsent) },
    statuses: { ...ended, match: 200 },
  },
  { name: 'the payer after a revocation', grant: { state: 'revoked' }, statuses: ended },
  { name: 'a suspended application', application: { state: 'suspended' }, statuses: everything(403) },
  { name: 'a revoked application', application: { state: 'revoked' }, statuses: everything(403) },
  {
    name: 'an application whose subscription is gone',
    ...{ application: { products: ['patient-access'] }, statuses: everything(403) },
  },
  {
    name: 'an application whose organization is no longer verified',
    ...{ application: { organization: [] }, statuses: everything(403) },
  },
  {
    name: 'an application verified as another organization',
    ...{ application: { organization: other }, statuses: ended },
  },
  { name: 'an expired token', authorizer: { tokenExpiresAt: '1' }, statuses: everything(401) },
  {
    name: 'a token without the product',
    authorizer: { products: 'patient-access' },
    statuses: everything(403),
  },
  {
    name: 'a token without a scope of FHIR',
    authorizer: { scope: 'sandbox-resource/.default' },
    statuses: everything(403),
  },
  {
    name: 'a token with a member’s scopes',
    authorizer: { scope: 'patient/*.rs' },
    statuses: everything(403),
  },
];

let world: JobsWorld;
let victim: SyntheticMember;
let texts: readonly string[];
let holdings: Omit<PayerHoldings, 'bundle'>;
let atMapd: ApiHandler;
let requests = 0;
const { begin, manifestOf, download } = createJobsClient(() => world);

beforeAll(async () => {
  world = await startJobsWorld();
  const [first, ...others] = syntheticMembers('sandbox').filter((member) => member.lob === lob);
  if (first === undefined) throw new Error('there is no member');
  victim = first;
  await storeMember(world.table, victim);
  texts = textsOf(
    victim.resources,
    others.flatMap(({ resources }) => resources),
  );
  const application = { state: 'active', products: ['payer-access'], meteringKey: 'm', organization };
  for (const at of ['DSNP', 'MAPD'] as const) {
    await world.table.put({ ...applicationKey(at, 'payer-1b'), ...application, clientId: 'payer-1b' });
  }
  const matchJob = await begin(bulkOf(matchingBundle(victim)));
  await world.run();
  const [line = ''] = (await download((await manifestOf(matchJob)).output, 'Group')).split('\n');
  const groupId: string = JSON.parse(line).id;
  const exportJob = await exported(groupId);
  const { output } = await manifestOf(`jobs/${exportJob}`);
  const ids = new Map(victim.resources.map(({ resourceType, id }) => [resourceType as string, id]));
  holdings = {
    ...{ patientId: victim.patientId, ids, groupId, exportJob, matchJob: matchJob.replace('jobs/', '') },
    file:
      output
        .find(({ type }) => type === 'Patient')
        ?.url.split('/')
        .at(-1) ?? '',
  };
  vi.stubEnv('LINE_OF_BUSINESS', 'MAPD');
  vi.resetModules();
  ({ handler: atMapd } = await import('../../lambdas/payer-access/payer-access.handler.ts'));
});
afterAll(() => world.stop());

/** @returns the ID of a complete export of the payer's group */
async function exported(groupId: string): Promise<string> {
  const answer = await world.call({ path: `Group/${groupId}/$export`, headers: asynchronous });
  await world.run();
  return relative(String(answer.headers?.['Content-Location'])).replace('jobs/', '');
}

const grantsOf = async (patientId: string) =>
  (await world.table.query({ pk: grantPartition(lob, patientId) })).items as readonly (Item & Key)[];

/** Changes items in the table, runs `work`, and restores the items. */
async function changed(
  items: readonly (Item & Key)[],
  change: object | undefined,
  work: () => Promise<void>,
): Promise<void> {
  if (change !== undefined) for (const item of items) await world.table.put({ ...item, ...change });
  try {
    await work();
  } finally {
    if (change !== undefined) for (const item of items) await world.table.put(item);
  }
}

/** Client request IDs of the refusals recorded for the adversary's application. */
async function refusalsOf({ lob: at = lob, authorizer }: Adversary): Promise<ReadonlySet<unknown>> {
  const pk = `AUDIT#${at}#CLIENT#${authorizer?.clientId ?? 'payer-1'}`;
  const { items } = await world.table.query({ pk, descending: true, limit: 200 });
  return new Set(items.filter(({ outcome }) => outcome === 'refused').map((event) => event.clientRequestId));
}

/** The texts of a job's manifest and files, as the caller receives them. */
async function resultOf(answer: APIGatewayProxyResult, asked: Pick<Asked, 'authorizer'>): Promise<object> {
  await world.run();
  const job = relative(String(answer.headers?.['Content-Location']));
  const status = await world.call({ path: job, ...asked });
  expect(status.statusCode, status.body).toBe(200);
  const { output, error } = JSON.parse(status.body) as Awaited<ReturnType<typeof manifestOf>>;
  const files: string[] = [];
  for (const { url } of [...output, ...error]) {
    const file = await world.call({ path: relative(url), ...asked });
    expect(file.statusCode).toBe(307);
    const { pathname } = new URL(String(file.headers?.Location));
    files.push(world.text(pathname.replace(/^\/(jobs\/)?/, '')));
  }
  return { status, files };
}

it.each(inTurn(adversaries))('$name gets nothing of the member, from no operation', async (adversary) => {
  const { statuses, application, grant, authorizer = {} } = adversary;
  const candidate = await world.member();
  const bundle = memberBundle(candidate.memberId);
  const body = parametersOf(Object.fromEntries(bundle.part.map(({ name, resource }) => [name, resource])));
  const matched = await world.call({ method: 'POST', path: 'Patient/$member-match', body });
  expect(matched.statusCode).toBe(200);
  const cancelled = await exported(holdings.groupId);
  const all = payerRequests({ ...holdings, bundle }).map((request) =>
    request.kind === 'cancel' ? { ...request, path: `jobs/${cancelled}` } : request,
  );
  const own = [await world.table.get(applicationKey(lob, 'payer-1'))] as (Item & Key)[];
  const grants = [...(await grantsOf(victim.patientId)), ...(await grantsOf(candidate.id))];
  const refused: string[] = [];
  await changed(own, application, () =>
    changed(grants, grant, async () => {
      for (const request of all) {
        requests += 1;
        const id = `matrix-${requests}`;
        const answer = await send(adversary, request, id);
        const about = `${request.method} ${request.path} ${JSON.stringify(request.query)}`;
        expect(answer.statusCode, `${about}: ${answer.body}`).toBe(statuses[request.kind]);
        const isRefused = answer.statusCode >= 400;
        if (isRefused) {
          refused.push(id);
          expect(JSON.parse(answer.body).resourceType, about).toBe('OperationOutcome');
        }
        const isJob = answer.statusCode === 202 && request.method !== 'DELETE' && adversary.lob === undefined;
        const result = isJob ? await resultOf(answer, { authorizer }) : {};
        // The payer knows what it submitted and the ID that its match returned, and a manifest names the types of its files.
        const isPayer = authorizer.clientId === undefined && !isRefused;
        const known = isPayer
          ? [matchingBundle(victim), `Patient/${victim.patientId}`, patientAccessTypes]
          : [];
        const sought = statuses.match === 200 ? texts : [...texts, `Patient/${candidate.id}`];
        expect(leakIn({ answer, result }, { request, known }, sought), about).toBeUndefined();
      }
    }),
  );
  const recorded = await refusalsOf(adversary);
  expect(refused.filter((id) => !recorded.has(id))).toEqual([]);
  expect(await grantsOf(victim.patientId)).toEqual(
    grants.filter(({ patientId }) => patientId === victim.patientId),
  );
});

async function send(adversary: Adversary, request: PayerRequest, id: string): Promise<APIGatewayProxyResult> {
  const { method, path, query, body } = request;
  const headers = { ...request.headers, 'X-Request-Id': id };
  const asked = { method, path, query, headers, ...(body !== undefined && { body }) };
  const { authorizer } = adversary;
  return await world.call({
    ...asked,
    ...(authorizer !== undefined && { authorizer }),
    ...(adversary.lob !== undefined && { handler: atMapd }),
  });
}

it('has texts of the member to look for, and finds them in what the payer itself gets', async () => {
  expect(texts.length).toBeGreaterThan(100);
  expect(texts).toEqual(expect.arrayContaining([victim.patientId, victim.memberId]));
  for (const path of [`Patient/${victim.patientId}`, `Coverage?patient=${victim.patientId}`]) {
    const [asked = '', query = ''] = path.split('?');
    const answer = await world.call({ path: asked, query: Object.fromEntries(new URLSearchParams(query)) });
    expect(answer.statusCode).toBe(200);
    expect(leakIn(answer, {}, texts)).toBeDefined();
  }
});

it('serves by read what a search finds, to the payer itself', async () => {
  const found: string[] = [];
  for (const [type, id] of holdings.ids) {
    const path = type === 'Patient' ? `Patient/${holdings.patientId}` : `${type}/${id}`;
    const { statusCode, body } = await world.call({ path });
    if (statusCode === 200) found.push(type);
    expect([type, JSON.parse(body).resourceType]).toEqual([
      type,
      statusCode === 200 ? type : 'OperationOutcome',
    ]);
  }
  expect(found.length).toBeGreaterThan(5);
});

it('sends no further file of an export once a member’s grant has ended', async () => {
  const { output } = await manifestOf(`jobs/${holdings.exportJob}`);
  expect(output.length).toBeGreaterThan(2);
  const [first, ...others] = output.map(({ url }) => relative(url));
  expect((await world.call({ path: first ?? '' })).statusCode).toBe(307);
  await changed(await grantsOf(victim.patientId), { state: 'revoked' }, async () => {
    for (const path of [...others, first ?? '']) {
      const answer = await world.call({ path });
      expect([answer.statusCode, answer.headers?.Location]).toEqual([410, undefined]);
      expect(leakIn(answer, { path }, texts)).toBeUndefined();
    }
  });
});
