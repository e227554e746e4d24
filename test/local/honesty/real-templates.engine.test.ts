import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Assembly, assemblyOf, type Resource } from '../../../local/assembly/resources.ts';
import { type System, startSystem } from '../../../local/system.ts';

const metadata = '/extfhirpatientaccess/v1/metadata';
const stateDirectory = mkdtempSync(join(tmpdir(), 'honesty-'));
let system: System | undefined;

/** Breaks some lines of business of the sandbox, each in another way, and leaves the others whole. */
function taken(resource: Resource): Resource | undefined {
  const { stack, type, logicalId, properties } = resource;
  if (stack === 'sandbox-LobDSNP' && type === 'AWS::Lambda::Permission') return undefined;
  if (stack === 'sandbox-LobEGWP' && type === 'AWS::ApiGateway::Method') return undefined;
  if (
    stack === 'sandbox-LobMAPD' &&
    type === 'AWS::Lambda::Function' &&
    logicalId.includes('PatientAccess')
  ) {
    return { ...resource, properties: { ...properties, Environment: { Variables: {} } } };
  }
  if (stack === 'sandbox-LobMHBE' && type === 'AWS::Lambda::Function' && logicalId.includes('Authorizer')) {
    return { ...resource, properties: { ...properties, Environment: { Variables: {} } } };
  }
  return resource;
}

function broken(assembly: Assembly): Assembly {
  const resources = assembly.resources.flatMap((resource) => taken(resource) ?? []);
  return { ...assemblyOf(resources, assembly.outputs()), assetPath: assembly.assetPath };
}

beforeAll(async () => {
  system = await startSystem({
    projectDirectory: join(import.meta.dirname, '..', '..', '..'),
    port: 0,
    stateDirectory,
    log: () => {},
    requestLog: () => {},
    change: broken,
  });
});

afterAll(async () => {
  await system?.stop();
  rmSync(stateDirectory, { recursive: true, force: true });
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function get(lob: string, path: string, more: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const port = system?.port ?? 0;
  const headers = { host: `${lob}.api.sandbox.localhost:${port}`, ...more };
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, headers }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.once('end', () => {
        const body = Buffer.concat(parts).toString('utf8');
        resolve({ status: incoming.statusCode, headers: incoming.headers, body });
      });
    });
    outgoing.once('error', reject);
    outgoing.end();
  });
}

describe('the real templates, taken apart', () => {
  it.each([
    ['chpdc', 'whole', 200],
    ['dsnp', 'without permission to invoke its functions', 500],
    ['mapd', 'without the variables of its function', 502],
    ['egwp', 'without routes', 404],
  ])('%s, %s, answers as AWS would', async (lob, _broken, status) => {
    expect((await get(lob, metadata)).status).toBe(status);
  });

  it.each([
    ['dsnp', 'may not be invoked'],
    ['mhbe', 'fails'],
  ])('%s, whose authorizer %s, asks an app to come back', async (lob) => {
    const credentials = { authorization: 'Bearer a.b.c', 'x-api-subscription-key': 'a-key' };
    const { status, headers, body } = await get(lob, '/extfhirpatientaccess/v1/Patient/1', credentials);
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(headers['content-type']).toContain('application/fhir+json');
    expect(JSON.parse(body)).toMatchObject({
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'error', code: 'transient' }],
    });
  });
});
