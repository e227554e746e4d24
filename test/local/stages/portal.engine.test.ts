import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSchedules } from '../../../local/schedules/schedules.ts';
import { type System, startSystem } from '../../../local/system.ts';
import { writeCloudAssembly } from '../cloud-assembly.ts';
import { files } from '../cloudfront/site.ts';
import { portalHandler, provisioning, stacks } from './portal.ts';

const stateDirectory = mkdtempSync(join(tmpdir(), 'stages-'));
const assembly = writeCloudAssembly(
  stacks(),
  {
    pets: portalHandler,
    guard: '',
    tool: '',
    provisioning: 'exports.handler = async (event) => ({ provisioned: event });',
  },
  { folders: { pages: files } },
);
const served: string[] = [];
let system: System;

async function start(): Promise<System> {
  return await startSystem({
    projectDirectory: assembly.directory,
    assemblyDirectory: assembly.directory,
    port: 0,
    stateDirectory,
    log: (line) => served.push(line),
    requestLog: (line) => served.push(line),
  });
}

beforeAll(async () => {
  system = await start();
});
afterAll(async () => {
  await system?.stop();
  assembly.remove();
  rmSync(stateDirectory, { recursive: true, force: true });
});

function call(path: string, host = 'portal.localhost'): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { host: `${host}:${system.port}` };
    request({ host: '127.0.0.1', port: system.port, path, headers }, (incoming) => {
      let body = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk) => {
        body += chunk;
      });
      incoming.once('end', () => resolve({ status: incoming.statusCode ?? 0, body }));
    })
      .once('error', reject)
      .end();
  });
}
const act = async (name: string) => (await call(`/api/${name}`)).body;

describe('a stage that is no environment', () => {
  it('has its host, and its functions under its own name', () => {
    expect(system.hosts).toContainEqual({ name: 'portal.localhost', what: 'the developer portal' });
    const described = JSON.parse(readFileSync(system.systemFile, 'utf8'));
    expect(described.functions).toEqual({
      sandbox: { provisioning },
      portal: { accounts: expect.stringContaining('Pets') },
    });
    const environments = new Set(system.assembly.resources.map(({ environment }) => environment));
    expect([...environments]).toEqual(['sandbox', 'portal']);
  });

  it('serves its pages', async () => {
    expect(await call('/')).toEqual({ status: 200, body: files['index.html'] });
    expect(served.at(-1)).toMatch(/ GET portal\.localhost \* 200 /);
    expect((await call('/', 'other.localhost')).status).toBe(403);
  });

  it.each([
    ['writes to its table', 'put', '200 {}'],
    ['asks its pool', 'groups', 'UserNotFoundException'],
    ['encrypts with its key', 'encrypt', '200 {"CiphertextBlob"'],
    ['computes with its HMAC key', 'mac', '"MacAlgorithm":"HMAC_SHA_256"'],
    ['reads its secret', 'secret', '"SecretString"'],
    ['sends mail as its identity', 'mail', '<MessageId>'],
    ['invokes a function of an environment by its name', 'invoke', '200 {"provisioned":{"hello":1}}'],
    ['is denied what its role does not allow', 'denied', 'AccessDeniedException'],
  ])('%s', async (_what, name, answer) => {
    expect(await act(name)).toContain(answer);
  });

  it('is called by its schedule', () => {
    expect(readSchedules(system.assembly)).toMatchObject([{ periodMs: 3_600_000, input: '{"sweep":true}' }]);
  });

  it('writes its access log, which can be read', async () => {
    await call('/api/mac');
    const { awsEndpoint: endpoint, credentials } = system;
    const client = new CloudWatchLogsClient({ endpoint, credentials, region: 'us-east-2' });
    const { events = [] } = await client.send(
      new FilterLogEventsCommand({ logGroupName: 'portal-access', filterPattern: '{ $.status = "200" }' }),
    );
    expect(JSON.parse(events.at(-1)?.message ?? '')).toMatchObject({ route: '/api/{path+}', status: '200' });
  });

  it('rings its alarms on metrics and on lines of its access log, and says so', async () => {
    const states = async () => {
      const { alarms } = JSON.parse((await call('/alarms', 'localhost')).body);
      return Object.fromEntries(
        alarms.map(({ name, state }: { readonly name: string; readonly state: string }) => [name, state]),
      );
    };
    await act('mac');
    expect(await states()).toEqual({
      'portal-Site/AnsweredAlarm': 'ALARM',
      'portal-Site/InvokedAlarm': 'ALARM',
    });
    expect(served).toContain('alarm: portal-Site/AnsweredAlarm rings: It is called');
  });

  it('finds everything again after a restart', async () => {
    await act('put');
    const before = [await act('get'), await act('secret'), await act('mac')];
    await system.stop();
    system = await start();
    expect([await act('get'), await act('secret'), await act('mac')]).toEqual(before);
    expect(before[0]).toContain('{"S":"a"}');
  });
});
