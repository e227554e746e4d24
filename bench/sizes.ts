/**
 * `npm run bench:sizes -- 1000 100000 1000000`: measures what requests cost in stores of so many members. The stores have the same measured
 * members and the items that a load leaves, behind the capacity of a warm table. Prints a table in Markdown. A million members take 20 GB
 * of temporary space.
 */

import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Key } from '../lambdas/platform/table/key.ts';
import type { Item } from '../lambdas/platform/table/table.ts';
import { startEngine } from '../local/aws/dynamodb/engine.ts';
import { bundleOf } from './bundles.ts';
import { benchFunctionEnvironment, benchTable, patientReadEvent } from './fixture.ts';
import { importStore } from './import-store.ts';
import { startLimitedStore } from './limited-store.ts';
import { hasGrant, itemsOfMember, type MemberKind, memberKindOf, patientIdOf } from './sizes-members.ts';
import { type CountingProxy, startCountingProxy } from './store-cost.ts';

const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0 || sizes.some((size) => !Number.isSafeInteger(size) || size < 1_000)) {
  throw new Error('give sizes in members, 1000 or more: npm run bench:sizes -- 1000 100000');
}
const total = Math.max(...sizes);

interface Scenario {
  readonly what: string;
  readonly kind: MemberKind;
  readonly resource: string;
  readonly query: Readonly<Record<string, string>>;
  readonly walk?: boolean;
  readonly requests: number;
}

const claims = '/extfhirpatientaccess/v1/ExplanationOfBenefit';
const scenarios: readonly Scenario[] = [
  { what: 'Patient read', kind: 'small', resource: '', query: {}, requests: 2_000 },
  { what: 'ten of 50 claims', kind: 'claims50', resource: claims, query: { _count: '10' }, requests: 600 },
  { what: 'ten of 500 claims', kind: 'claims500', resource: claims, query: { _count: '10' }, requests: 600 },
  {
    what: 'ten of 500 claims by service date',
    kind: 'claims500',
    resource: claims,
    query: { 'service-date': 'ge2025-01-01', _count: '10' },
    requests: 600,
  },
  {
    what: 'laboratory results by code and date',
    kind: 'heavy',
    resource: '/extfhirpatientaccess/v1/Observation',
    query: { category: 'laboratory', code: 'http://loinc.org|', date: 'ge2025-01-01', _count: '20' },
    requests: 400,
  },
  {
    what: '`$everything` of 2,000 resources, all pages',
    kind: 'heavy',
    resource: '/extfhirpatientaccess/v1/Patient/{id}/{operation}',
    query: { _count: '100' },
    walk: true,
    requests: 24,
  },
];

const folder = join(tmpdir(), `member-data-sizes-${process.pid}`);
mkdirSync(folder);
try {
  console.log(
    `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} processors, Node ${process.version}`,
  );
  console.log(
    '\n| Members | Request | Pages | Store calls | Read units | Bytes sent | CPU ms | p50 ms | p99 ms |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|');
  for (const size of sizes.toSorted((a, b) => a - b)) await measureSize(size);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureSize(size: number): Promise<void> {
  const startedAt = Date.now();
  const { file, written } = await importStore(folder, benchTable, itemsOf(size));
  const seconds = (Date.now() - startedAt) / 1_000;
  console.error(`${size} members: ${written} items written in ${Math.round(seconds)} s`);
  const engine = await startEngine({ file });
  const proxy = await startCountingProxy(engine.endpoint);
  const limited = await startLimitedStore(engine.endpoint, benchTable);
  try {
    for (const scenario of scenarios) await measure(scenario, size, limited.endpoint, proxy);
  } finally {
    proxy.stop();
    await limited.stop();
    await engine.stop();
  }
}

function* itemsOf(size: number): Generator<Item & Key> {
  for (let number = 0; number < size; number += 1) yield* itemsOfMember(number, memberKindOf(number, total));
}

/** Up to 24 members of a kind, spread over the first `size`, so that answers do not all come from the same cached pages of the store. */
function membersOf(kind: MemberKind, size: number): readonly number[] {
  const found: number[] = [];
  for (let number = 0; number < size; number += 1) {
    if (memberKindOf(number, total) === kind && (kind !== 'small' || hasGrant(number))) found.push(number);
  }
  const most = kind === 'small' ? 1_000 : 24;
  const step = Math.max(1, found.length / most);
  return Array.from({ length: Math.min(most, found.length) }, (_, at) => found[Math.floor(at * step)] ?? 0);
}

async function measure(
  scenario: Scenario,
  size: number,
  endpoint: string,
  proxy: CountingProxy,
): Promise<void> {
  const { what, kind, requests, walk = false } = scenario;
  const file = join(folder, 'events.json');
  const events = membersOf(kind, size).map((number) => ({
    event: eventOf(scenario, patientIdOf(number)),
    walk,
  }));
  writeFileSync(file, JSON.stringify(events.slice(0, 1)));
  await run(file, 1, 1, proxy.endpoint);
  const calls = proxy.take();
  const once = calls.slice(calls.length / 2);
  const units = once.reduce((sum, call) => sum + (/Get|Query/.test(call.operation) ? call.units : 0), 0);
  writeFileSync(file, JSON.stringify(events));
  const cost = await run(file, requests, Math.ceil(requests / 4), endpoint);
  const { pages, bytes, cpuMs, p50, p99 } = cost;
  const figures = [pages, once.length, units, bytes, ...[cpuMs, p50, p99].map((ms) => ms.toPrecision(3))];
  console.log(`| ${size.toLocaleString('en-US')} | ${what} | ${figures.join(' | ')} |`);
}

function eventOf({ resource, query }: Scenario, patientId: string) {
  const read = patientReadEvent(patientId, 'no-token');
  if (resource === '') return read;
  const { requestContext } = read;
  return {
    ...read,
    resource,
    path: resource.replace('{id}', patientId).replace('{operation}', '$everything'),
    pathParameters: resource.includes('{id}') ? { id: patientId, operation: '$everything' } : null,
    queryStringParameters: query,
    multiValueQueryStringParameters: Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, [value]]),
    ),
    requestContext: {
      ...requestContext,
      resourcePath: resource,
      authorizer: { ...requestContext.authorizer, scope: 'openid patient/*.rs' },
    },
  };
}

interface RequestCost {
  readonly pages: number;
  readonly bytes: number;
  readonly cpuMs: number;
  readonly p50: number;
  readonly p99: number;
}

async function run(file: string, requests: number, warmUp: number, endpoint: string): Promise<RequestCost> {
  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, 'sizes-driver.mjs'),
      bundleOf('patient-access'),
      file,
      `${requests}`,
      `${warmUp}`,
    ],
    { env: benchFunctionEnvironment(endpoint), stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`the requests failed: ${output}`);
  return JSON.parse(output) as RequestCost;
}
