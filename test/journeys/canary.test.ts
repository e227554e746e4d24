import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { DynamoDBClient, ListTablesCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { beforeAll, expect, it } from 'vitest';
import { authorizationServerEndpoints, fhirBase } from '../../lambdas/catalog/addresses.ts';
import type { Credentials } from '../../lambdas/clients/provisioning/provisioning-contract.ts';
import type { MemberLoad } from '../../lambdas/loads/ingest/ingest-contract.ts';
import { createInvoke } from '../../ops/command-line/invoke.ts';
import { localOrigins } from '../../ops/command-line/system.ts';
import { createBrowser } from '../../ops/demo/browser.ts';
import { http, localFetch, redirectUri, registrationOf, runningSystem } from './journey.ts';
import { systemFile } from './system-file.ts';
import { everythingWrittenUntil, writtenSoFar } from './written.ts';

/**
 * A member whose data are canaries: values that occur nowhere else. No canary of this member or of the application may be in anything
 * written outside the store: the output of the runner and the functions, each log, and each file beside the databases.
 */
const member: MemberLoad = {
  lob: 'DSNP',
  patientId: randomUUID(),
  memberId: `CANARY${randomBytes(4).toString('hex').toUpperCase()}`,
  email: `canary.${randomBytes(4).toString('hex')}@members.example`,
  phoneNumber: `+1555${String(randomBytes(4).readUInt32BE() % 10_000_000).padStart(7, '0')}`,
  givenName: `Given${randomBytes(5).toString('hex')}`,
  familyName: `Family${randomBytes(5).toString('hex')}`,
  password: `password-${randomBytes(12).toString('hex')}`,
  resources: [],
};
const written = `content-${randomBytes(8).toString('hex')}`;
const meta = { versionId: '1', lastUpdated: '2026-11-20T10:00:00.000Z' };
const json = JSON.stringify({
  resourceType: 'Patient',
  id: member.patientId,
  meta,
  name: [{ family: member.familyName, given: [member.givenName] }],
  extension: [{ url: 'https://plan.example/note', valueString: written }],
});

const canaries = new Map<string, string>([
  ['patient id', member.patientId],
  ['member id', member.memberId],
  ['e-mail', member.email],
  ['phone number', member.phoneNumber.slice(1)],
  ['given name', member.givenName],
  ['family name', member.familyName],
  ['password', member.password ?? ''],
  ['resource content', written],
]);
let counted = 0;
/** Returns a new canary and remembers its name. */
function canary(what: string): string {
  counted += 1;
  const value = `canary${counted}${randomBytes(8).toString('hex')}`;
  canaries.set(`${what} ${counted}`, value);
  return value;
}
function keep(what: string, value: string | undefined): string {
  if (value === undefined || value.length < 8) throw new Error(`${what} is no canary: ${value}`);
  canaries.set(what, value);
  return value;
}

const stateDirectory = dirname(systemFile());
const before = writtenSoFar(stateDirectory);
let clientId = '';
let lastRequestId: string | null = null;
beforeAll(mainJob);

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
const origins = () => localOrigins(runningSystem(), 'sandbox');
const invoke = async (name: 'provisioning' | 'ingest', payload: unknown) =>
  await createInvoke(runningSystem())(runningSystem().functions.sandbox[name], payload);

async function registerApp(): Promise<Credentials & { readonly clientSecret: string }> {
  const answer = (await invoke('provisioning', {
    action: 'register',
    requestId: randomUUID(),
    registration: registrationOf('DSNP'),
  })) as { credentials: Credentials };
  const { clientSecret, subscriptionKey } = answer.credentials;
  keep('client secret', clientSecret);
  keep('subscription key', subscriptionKey);
  return { ...answer.credentials, clientSecret: clientSecret ?? '' };
}

function authorizationUrl(clientId: string, changes: Readonly<Record<string, string>> = {}): string {
  return `${authorizationServerEndpoints(origins(), 'DSNP').authorization}?${new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid offline_access launch/patient patient/Patient.rs',
    state: canary('state'),
    nonce: canary('nonce'),
    aud: fhirBase(origins(), 'DSNP', 'patient-access'),
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  })}`;
}

/**
 * Signs in with a wrong password and then the right one, and shares.
 *
 * @returns the code
 */
async function share(clientId: string): Promise<string> {
  const browser = createBrowser(http, redirectUri);
  const signIn = await browser.open(authorizationUrl(clientId));
  const wrong = { 'Member ID or e-mail': member.memberId, Password: `${canary('wrong password')} and more` };
  const again = await browser.submit(signIn, wrong, 'Sign in');
  const right = { 'Member ID or e-mail': member.email, Password: member.password ?? '' };
  const consent = await browser.submit(again, right, 'Sign in');
  const back = await browser.submit(consent, {}, 'Share my data');
  if (back.kind !== 'app') throw new Error(`the app was not called back: ${back.page.text.slice(0, 300)}`);
  return keep('code', new URL(back.url).searchParams.get('code') ?? undefined);
}

async function token(authorization: string, body: unknown): Promise<Record<string, string>> {
  const answer = await localFetch(authorizationServerEndpoints(origins(), 'DSNP').token, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization, 'user-agent': canary('user agent') },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, string>;
}

async function read(path: string, bearer: string, key: string): Promise<number> {
  const answer = await localFetch(`${fhirBase(origins(), 'DSNP', 'patient-access')}${path}`, {
    headers: { authorization: `Bearer ${bearer}`, 'x-api-subscription-key': key, cookie: canary('cookie') },
  });
  await answer.text();
  return answer.status;
}

function basic(clientId: string, secret: string): string {
  const text = Buffer.from(`${clientId}:${secret}`).toString('base64');
  canaries.set(`basic ${secret.slice(0, 12)}`, text);
  return `Basic ${text}`;
}

async function mainJob(): Promise<void> {
  const resource = { resourceType: 'Patient', id: member.patientId, ...meta, json };
  expect(await invoke('ingest', { ...member, resources: [resource] })).toMatchObject({ kind: 'loaded' });
  await invoke('ingest', { ...member, resources: [], email: canary('malformed e-mail') }).catch(() => {});
  const app = await registerApp();
  clientId = app.clientId;
  const code = await share(app.clientId);
  const exchange = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  keep('verifier', verifier);
  await token(basic(app.clientId, canary('wrong secret')), exchange);
  const issued = await token(basic(app.clientId, app.clientSecret), exchange);
  const access = keep('access token', issued.access_token);
  keep('access token’s signature', access.split('.')[2]);
  keep('refresh token', issued.refresh_token);
  keep('id token', issued.id_token);
  const { subscriptionKey } = app;
  expect(await read(`/Patient/${member.patientId}`, access, subscriptionKey)).toBe(200);
  expect(
    await read(`/Patient/${member.patientId}?_format=json&x=${canary('query')}`, access, subscriptionKey),
  ).toBe(200);
  expect(await read(`/Patient/${canary('other patient')}`, access, subscriptionKey)).toBe(404);
  expect(await read(`/${canary('path')}/x`, access, subscriptionKey)).toBe(404);
  expect(await read(`/Patient/${member.patientId}`, `${access}x`, subscriptionKey)).toBe(401);
  expect(await read(`/Patient/${member.patientId}`, access, canary('unknown key'))).toBe(403);
  await refreshAndRevoke(app, issued.refresh_token ?? '');
  await token(basic(app.clientId, app.clientSecret), exchange);
  await token(basic(app.clientId, app.clientSecret), { ...exchange, code: canary('unknown code') });
  await token(basic(app.clientId, app.clientSecret), `{"${canary('broken body')}`);
  await token(`Basic ${canary('no base64')}%`, exchange);
  await localFetch(authorizationUrl(canary('unknown client')), { redirect: 'manual' });
  await localFetch(
    authorizationUrl(app.clientId, {
      redirect_uri: `https://unregistered.example/?member=${canary('redirect')}`,
    }),
    {
      redirect: 'manual',
    },
  );
  await localFetch(authorizationUrl(app.clientId, { scope: canary('scope') }), { redirect: 'manual' });
  await machine(app);
  await rotateCredentials(app.clientId);
  const last = await localFetch(`${fhirBase(origins(), 'DSNP', 'patient-access')}/fhir/metadata`);
  lastRequestId = last.headers.get('x-request-id');
}

async function refreshAndRevoke(app: Awaited<ReturnType<typeof registerApp>>, first: string): Promise<void> {
  const authorization = basic(app.clientId, app.clientSecret);
  const refreshed = await token(authorization, { grant_type: 'refresh_token', refresh_token: first });
  const second = keep('second refresh token', refreshed.refresh_token);
  keep('second access token', refreshed.access_token);
  const { introspection, revocation, userInfo } = authorizationServerEndpoints(origins(), 'DSNP');
  const who = await localFetch(userInfo, {
    headers: { authorization: `Bearer ${refreshed.access_token}`, 'user-agent': canary('user agent') },
  });
  expect(who.status).toBe(200);
  for (const url of [introspection, revocation]) {
    const answer = await localFetch(url, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token: second }),
    });
    expect(answer.status).toBe(200);
  }
}

async function machine(app: Awaited<ReturnType<typeof registerApp>>): Promise<void> {
  const answer = await localFetch(`${origins().token}/token/v2`, {
    method: 'POST',
    headers: {
      'x-api-subscription-key': app.subscriptionKey,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: app.clientId,
      client_secret: app.clientSecret,
      scope: app.machineScope ?? '',
    }),
  });
  keep('machine token', ((await answer.json()) as { access_token?: string }).access_token);
}

async function rotateCredentials(clientId: string): Promise<void> {
  const common = { requestId: randomUUID(), clientId, overlapSeconds: 600 };
  const secret = (await invoke('provisioning', { action: 'rotate-secret', ...common })) as {
    rotated: { clientSecret?: string };
  };
  keep('rotated secret', secret.rotated.clientSecret);
  await invoke('provisioning', { action: 'describe', clientId });
}

it('writes nothing of a member, and no secret, anywhere but into the store', async () => {
  const texts = await everythingWrittenUntil(lastRequestId, stateDirectory, before);
  // Checks that the logs of these calls are searched, since a search of nothing would pass too.
  const everything = texts.map(([, text]) => text).join('\n');
  expect(everything).toContain('/extfhirpatientaccess/v1/Patient/{id} 200');
  expect(everything).toContain('token_refused');
  const leaks = [...canaries].flatMap(([what, value]) =>
    [value, encodeURIComponent(value), Buffer.from(value).toString('base64').replace(/=+$/, '')].flatMap(
      (form) => texts.filter(([, text]) => text.includes(form)).map(([file]) => `${what} in ${file}`),
    ),
  );
  expect(canaries.size).toBeGreaterThan(30);
  expect([...new Set(leaks)]).toEqual([]);
});

/** The audit events of the canary's patient and application, sorted. */
async function recorded(): Promise<string[]> {
  const { awsEndpoint, region, credentials } = runningSystem();
  const client = new DynamoDBClient({ endpoint: awsEndpoint, region, credentials });
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  const TableName = TableNames.find((name) => name.startsWith('sandbox-Data-Table'));
  const input = {
    TableName,
    FilterExpression: 'begins_with(pk, :audit) AND (patientId = :patient OR clientId = :client)',
    ExpressionAttributeValues: {
      ':audit': { S: 'AUDIT#' },
      ':patient': { S: member.patientId },
      ':client': { S: clientId },
    },
  };
  const events: string[] = [];
  for await (const { Items = [] } of paginateScan({ client }, input)) {
    const words = Items.map(({ action, outcome, reason }) => [action?.S, outcome?.S, reason?.S]);
    events.push(...words.map((each) => each.filter((word) => word !== undefined).join(' ')));
  }
  return events.sort();
}

it('puts each decision on record, and each once', async () => {
  expect(await recorded()).toEqual(
    [
      'member.load succeeded',
      'client.register succeeded',
      'member.sign-in refused refused',
      'member.sign-in succeeded',
      'grant.create succeeded',
      'token.issue refused client_secret_wrong',
      'token.issue succeeded',
      'Patient.read disclosed',
      'Patient.read disclosed',
      'Patient.read refused not_found',
      'token.refresh succeeded',
      'userinfo.read disclosed',
      'token.introspect permitted',
      'token.revoke succeeded',
      'token.issue refused code_replayed',
      'token.issue refused code_unknown',
      'authorization.request refused redirect_uri_unregistered',
      'authorization.request refused invalid_scope',
      'token.issue succeeded',
      'client.rotate-secret succeeded',
    ].sort(),
  );
});
