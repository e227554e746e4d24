/** Measures whole calls through the local API Gateway, for `npm run bench`. */

import { randomUUID } from 'node:crypto';
import { fhirBase } from '../lambdas/catalog/addresses.ts';
import type { Credentials } from '../lambdas/clients/provisioning/provisioning-contract.ts';
import { createInvoke } from '../ops/command-line/invoke.ts';
import { type LocalSystem, localOrigins } from '../ops/command-line/system.ts';
import { syntheticMembers } from '../ops/generator/members.ts';
import { createHttp, type HttpRequest } from '../ops/http/client.ts';
import { memberToken } from '../test/support/member-token.ts';
import { startRunningSystem } from '../test/support/running-system.ts';
import { atLeast, type Row } from './figures.ts';
import { median } from './process.ts';

const section = 'Through the local gateway, whole system in one process';
const environment = 'production';
const lob = 'DSNP';
const redirectUri = 'https://app.example.org/callback';
const http = createHttp();
/** Number of subscription keys, so that no request is throttled: the usage plan allows each key a burst of 200 calls. */
const keys = 10;
const callsPerKey = 90;
const concurrency = 8;
/** Least reads a second on two cores without other load, where 500 to 560 were measured. */
const leastReads = 450;

/**
 * Measures latency and rate of whole calls: client, gateway, authorizer or its cache, usage plan, function in its worker, IAM check,
 * engine. A public call that reads no store is the reference.
 */
export async function measureGateway(): Promise<readonly Row[]> {
  const running = await startRunningSystem();
  try {
    const apps = await Promise.all(Array.from({ length: keys }, () => register(running.system)));
    const [app] = apps;
    if (app === undefined) return [];
    const tokens = [];
    for (const each of apps) tokens.push({ ...each, ...(await authorize(running.system, each)) });
    const metadata = await measure(apps, () => metadataRequest(running.system));
    const reads = await measure(tokens, (token) => readRequest(running.system, token));
    const issues = await measure(apps, (each) => machineTokenRequest(running.system, each));
    return [
      ...rowsOf('metadata (no store)', metadata),
      ...rowsOf('Patient read', reads).map((row) =>
        row.unit === 'per second' ? atLeast(row, leastReads) : row,
      ),
      ...rowsOf('client-credentials token', issues),
      { section, what: 'Patient read / metadata, median', value: reads.p50 / metadata.p50, unit: 'ratio' },
      { section, what: 'token / metadata, median', value: issues.p50 / metadata.p50, unit: 'ratio' },
    ];
  } finally {
    await running.stop();
  }
}

interface Measured {
  readonly p50: number;
  readonly p95: number;
  readonly perSecond: number;
}

async function measure<T>(actors: readonly T[], requestOf: (actor: T) => HttpRequest): Promise<Measured> {
  const warm = actors.map(requestOf);
  for (const request of warm) await timed(request);
  const queue = Array.from({ length: callsPerKey - 1 }, () => warm).flat();
  const alone: number[] = [];
  for (const request of queue.splice(0, queue.length / 3)) alone.push(await timed(request));
  const count = queue.length;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let request = queue.pop(); request !== undefined; request = queue.pop()) await timed(request);
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const sorted = alone.toSorted((a, b) => a - b);
  return {
    p50: median(alone),
    p95: sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN,
    perSecond: count / seconds,
  };
}

function rowsOf(what: string, { p50, p95, perSecond }: Measured): readonly Row[] {
  return [
    { section, what: `${what}, one at a time, median`, value: p50, unit: 'ms' },
    { section, what: `${what}, one at a time, 95th percentile`, value: p95, unit: 'ms' },
    { section, what: `${what}, ${concurrency} at once`, value: perSecond, unit: 'per second' },
  ];
}

async function timed(request: HttpRequest): Promise<number> {
  const startedAt = performance.now();
  const answer = await http(request);
  if (answer.status !== 200) throw new Error(`${request.url} answered ${answer.status}: ${answer.body}`);
  return performance.now() - startedAt;
}

async function register(system: LocalSystem): Promise<Required<Credentials>> {
  const answer = (await createInvoke(system)(system.functions[environment].provisioning, {
    action: 'register',
    requestId: randomUUID(),
    registration: {
      clientName: 'Benchmark',
      grantTypes: ['authorization_code', 'client_credentials'],
      tokenEndpointAuthMethod: 'client_secret_basic',
      linesOfBusiness: [lob],
      products: ['patient-access'],
      redirectUris: [redirectUri],
      attested: true,
      pkceRequired: false,
      tier: 'standard',
    },
  })) as { readonly credentials: Required<Credentials> };
  return answer.credentials;
}

/** Obtains tokens: a member signs in and consents, and the app exchanges the code. */
async function authorize(
  system: LocalSystem,
  app: Required<Credentials>,
): Promise<{ readonly token: string; readonly patientId: string }> {
  const member = syntheticMembers(environment).find((each) => each.lob === lob);
  if (member === undefined) throw new Error(`no member of ${lob}`);
  const token = await memberToken(http, localOrigins(system, environment), member, app, redirectUri);
  return { token, patientId: member.patientId };
}

function metadataRequest(system: LocalSystem): HttpRequest {
  const base = fhirBase(localOrigins(system, environment), lob, 'patient-access');
  return { method: 'GET', url: `${base}/metadata` };
}

function readRequest(
  system: LocalSystem,
  actor: { readonly subscriptionKey: string; readonly token: string; readonly patientId: string },
): HttpRequest {
  const base = fhirBase(localOrigins(system, environment), lob, 'patient-access');
  return {
    method: 'GET',
    url: `${base}/Patient/${actor.patientId}`,
    headers: { authorization: `Bearer ${actor.token}`, 'x-api-subscription-key': actor.subscriptionKey },
  };
}

function machineTokenRequest(system: LocalSystem, app: Required<Credentials>): HttpRequest {
  return {
    method: 'POST',
    url: `${localOrigins(system, environment).token}/token/v2`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-api-subscription-key': app.subscriptionKey,
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: app.clientId,
      client_secret: app.clientSecret,
      scope: app.machineScope,
    }).toString(),
  };
}
