import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Assembly, assemblyOf, type Resource } from '../../../local/assembly/resources.ts';
import { type System, startSystem } from '../../../local/system.ts';

const metadata = '/extfhirpatientaccess/v1/metadata';
const stateDirectory = mkdtempSync(join(tmpdir(), 'honesty-'));
let system: System | undefined;

/** Breaks three lines of business of the sandbox in three ways; the others stay whole. */
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
}, 120_000);

afterAll(async () => {
  await system?.stop();
  rmSync(stateDirectory, { recursive: true, force: true });
});

function statusOf(lob: string): Promise<number | undefined> {
  const port = system?.port ?? 0;
  const headers = { host: `${lob}.api.sandbox.localhost:${port}` };
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path: metadata, headers }, (incoming) => {
      incoming.resume();
      resolve(incoming.statusCode);
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
    expect(await statusOf(lob)).toBe(status);
  });
});
