/** Measures token issue: our token endpoint and oidc-provider, both over the same engine. */

import { Agent, type Server } from 'node:http';
import { bundleOf } from './bundles.ts';
import { atLeast, atMost, type Row } from './figures.ts';
import { benchResourceId, type Fixture } from './fixture.ts';
import { median } from './process.ts';
import {
  type BenchServer,
  benchClient,
  benchEnvironment,
  perSecond,
  post,
  putClient,
  startSecrets,
  startTokenServer,
} from './token-servers.ts';

const concurrency = 32;
const { clientId, clientSecret } = benchClient;
const credentials = { client_id: clientId, client_secret: clientSecret };
const theirResource = 'https://bench.example';

interface Effort {
  readonly rounds: number;
  readonly calls: number;
}

/** Functions that start a new process of each of the three servers. */
interface Starts {
  readonly machineToken: () => Promise<BenchServer>;
  readonly memberToken: () => Promise<BenchServer>;
  readonly theirs: () => Promise<BenchServer>;
}

/**
 * Compares the token functions to oidc-provider with a DynamoDB adapter on the same engine, which writes to a file: CPU of the issuing
 * process, tokens issued a second, tokens introspected a second, and the time from process start to the first token. One client requests
 * all of them over HTTP, alternating. Both servers read the client from the store and store a durable record before a token leaves: our
 * record is the audit event. Our server also counts the request rate.
 */
export async function measureTokens(fixture: Fixture, effort: Effort): Promise<readonly Row[]> {
  await putClient(fixture);
  const secrets: Server = await startSecrets();
  const environment = benchEnvironment(fixture, secrets);
  const authorizer = JSON.stringify({ clientId, products: '' });
  const starts: Starts = {
    machineToken: () =>
      startTokenServer(
        ['function-server.mjs', bundleOf('machine-token'), authorizer, '/token/v2'],
        environment,
      ),
    memberToken: () => startTokenServer(['function-server.mjs', bundleOf('token'), '{}', '/'], environment),
    theirs: () =>
      startTokenServer(
        ['oidc-provider-server.mjs', clientId, clientSecret, theirResource],
        fixture.environment,
      ),
  };
  try {
    return [
      ...(await measureIssue(starts, effort)),
      ...(await measureIntrospection(starts, fixture, effort)),
      ...(await measureFirstToken(starts, effort)),
    ];
  } finally {
    secrets.close();
  }
}

const ourRequest = { grant_type: 'client_credentials', scope: `${benchResourceId}/.default`, ...credentials };
const theirRequest = { grant_type: 'client_credentials', scope: '.default', ...credentials };

async function measureIssue(starts: Starts, effort: Effort): Promise<readonly Row[]> {
  const [ours, theirs] = [await starts.machineToken(), await starts.theirs()];
  const load = { answer: /"access_token"/, calls: effort.calls, concurrency };
  const cpu = { ours: [] as number[], theirs: [] as number[] };
  const issue = async (
    whose: keyof typeof cpu,
    server: BenchServer,
    path: string,
    form: typeof ourRequest,
  ) => {
    const before = await server.cpuMs();
    const rate = await perSecond({ ...load, url: `${server.url}${path}`, form });
    cpu[whose].push(((await server.cpuMs()) - before) / load.calls);
    return rate;
  };
  const rates = await inTurns(effort.rounds, {
    ours: () => issue('ours', ours, '/token/v2', ourRequest),
    theirs: () => issue('theirs', theirs, '/token', theirRequest),
  });
  ours.stop();
  theirs.stop();
  // The first round is a warm-up and is not counted, as for the rates.
  const [our, their] = [median(cpu.ours.slice(1)), median(cpu.theirs.slice(1))];
  const section = 'Token issue, client credentials, RS256, 32 at once';
  const unit = 'ms CPU';
  return [
    { section, what: 'ours, in the process that issues', value: our, unit },
    { section, what: 'oidc-provider, in the process that issues', value: their, unit },
    atMost({ section, what: 'ours / oidc-provider, CPU', value: our / their, unit: 'ratio' }, 1),
    ...rowsOf(section, rates),
    atLeast(
      { section, what: 'ours / oidc-provider, rate', value: rates.ours / rates.theirs, unit: 'ratio' },
      1,
    ),
  ];
}

async function measureIntrospection(
  starts: Starts,
  fixture: Fixture,
  effort: Effort,
): Promise<readonly Row[]> {
  const [ours, theirs] = [await starts.memberToken(), await starts.theirs()];
  const load = { answer: /"active":true/, calls: effort.calls, concurrency };
  // Without a resource oidc-provider issues an opaque token, the only kind that it introspects.
  const opaque = await post(
    new Agent(),
    `${theirs.url}/token`,
    new URLSearchParams({ ...theirRequest, scope: '', resource: '' }).toString(),
  );
  const token = String((JSON.parse(opaque) as { access_token?: string }).access_token);
  const rates = await inTurns(effort.rounds, {
    ours: () =>
      perSecond({
        ...load,
        url: `${ours.url}/fhir-oauth2/pub/dsnp/introspect`,
        form: { token: fixture.token, ...credentials },
      }),
    theirs: () =>
      perSecond({ ...load, url: `${theirs.url}/token/introspection`, form: { token, ...credentials } }),
  });
  ours.stop();
  theirs.stop();
  const section = 'Introspection, 32 at once';
  const ratio = { section, what: 'ours / oidc-provider', value: rates.ours / rates.theirs, unit: 'ratio' };
  return [...rowsOf(section, rates), ratio];
}

async function measureFirstToken(starts: Starts, effort: Effort): Promise<readonly Row[]> {
  const section = 'Process start to first token';
  const first = async (start: () => Promise<BenchServer>, path: string, form: Record<string, string>) => {
    const startedAt = performance.now();
    const server = await start();
    const answer = await post(new Agent(), `${server.url}${path}`, new URLSearchParams(form).toString());
    const took = performance.now() - startedAt;
    server.stop();
    if (!answer.includes('access_token')) throw new Error(`${path} answered ${answer}`);
    return took;
  };
  const times = await inTurns(effort.rounds, {
    ours: () => first(starts.machineToken, '/token/v2', ourRequest),
    theirs: () => first(starts.theirs, '/token', theirRequest),
  });
  return [
    { section, what: 'ours', value: times.ours, unit: 'ms' },
    { section, what: 'oidc-provider', value: times.theirs, unit: 'ms' },
    atMost({ section, what: 'ours / oidc-provider', value: times.ours / times.theirs, unit: 'ratio' }, 1),
  ];
}

/** Medians of two measurements that alternate. The first of each is a warm-up and is not counted. */
async function inTurns(
  rounds: number,
  { ours, theirs }: { readonly ours: () => Promise<number>; readonly theirs: () => Promise<number> },
): Promise<{ readonly ours: number; readonly theirs: number }> {
  await ours();
  await theirs();
  const figures = { ours: [] as number[], theirs: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    figures.ours.push(await ours());
    figures.theirs.push(await theirs());
  }
  return { ours: median(figures.ours), theirs: median(figures.theirs) };
}

function rowsOf(
  section: string,
  { ours, theirs }: { readonly ours: number; readonly theirs: number },
): readonly Row[] {
  return [
    { section, what: 'ours', value: ours, unit: 'per second' },
    { section, what: 'oidc-provider', value: theirs, unit: 'per second' },
  ];
}
