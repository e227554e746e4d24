import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ingestMember, type LinkedLoad, type StoredResource } from '../../lambdas/members/ingest.ts';
import { memberKey, patientResourceKey } from '../../lambdas/storage/keys.ts';
import { createMemberLoader } from '../../lambdas/storage/member-loader.ts';
import { createSdkTable } from '../../lambdas/storage/sdk-table.ts';
import type { Table } from '../../lambdas/storage/table.ts';
import { syntheticMembers } from '../../ops/generator/members.ts';
import { startTestEngine, type TestEngine } from '../support/engine.ts';

function resource(id: string, versionId = '1', filler = ''): StoredResource {
  return {
    resourceType: 'Basic',
    id,
    versionId,
    lastUpdated: '2026-02-01T10:00:00Z',
    json: `{"id":"${id}${filler}"}`,
  };
}

describe('the member loader', () => {
  let engine: TestEngine;
  let table: Table;
  let loader: ReturnType<typeof createMemberLoader>;
  beforeAll(async () => {
    engine = await startTestEngine();
    table = createSdkTable(engine);
    loader = createMemberLoader(table, {
      environment: 'sandbox',
      now: () => 1_770_000_000_000,
      uuid: randomUUID,
    });
  });
  afterAll(async () => {
    await engine.stop();
  });

  const linked = (changed: Partial<LinkedLoad> = {}): LinkedLoad => ({
    lob: 'EGWP',
    patientId: randomUUID(),
    memberId: 'EGWP12345678',
    displayName: 'Ada Sampleton',
    sub: randomUUID(),
    resources: [],
    ...changed,
  });

  it('writes what the sign-in and the Patient read look for', async () => {
    const load = linked({ resources: [{ resource: { ...resource('r1'), fhirJson: '{}' } }] });
    expect(await loader.write(load)).toBe('written');
    expect(await table.get(memberKey('EGWP', load.sub))).toMatchObject({
      patientId: load.patientId,
      memberId: 'EGWP12345678',
      displayName: 'Ada Sampleton',
    });
    expect(await table.get(patientResourceKey('EGWP', load.patientId, 'Basic', 'r1'))).toMatchObject({
      json: '{"id":"r1"}',
      fhirJson: '{}',
      versionId: '1',
      lastUpdated: '2026-02-01T10:00:00Z',
    });
    const { items } = await table.query({ pk: `AUDIT#EGWP#PATIENT#${load.patientId}` });
    expect(items).toMatchObject([{ action: 'member.load', actor: 'ingest' }]);
  });

  it('writes and reads back more than a transaction holds', async () => {
    const resources = Array.from({ length: 230 }, (_, index) => ({ resource: resource(`r${index}`) }));
    const load = linked({ resources });
    expect(await loader.write(load)).toBe('written');
    const stored = await loader.stored(
      'EGWP',
      load.patientId,
      resources.map((it) => it.resource),
    );
    expect(stored.map((it) => it?.json)).toEqual(resources.map((it) => it.resource.json));
  });

  it('writes many large ones', async () => {
    const resources = Array.from({ length: 14 }, (_, index) => ({
      resource: resource(`big${index}`, '1', 'x'.repeat(300_000)),
    }));
    expect(await loader.write(linked({ resources }))).toBe('written');
  });

  it('sees that somebody else wrote a version meanwhile', async () => {
    const load = linked({ resources: [{ resource: resource('r1') }] });
    await loader.write(load);
    expect(await loader.write(load)).toBe('conflict');
    const replaces = resource('r1', '7');
    expect(await loader.write({ ...load, resources: [{ resource: resource('r1', '8'), replaces }] })).toBe(
      'conflict',
    );
  });

  it('writes nothing for an account that is another patient already', async () => {
    const first = linked();
    await loader.write(first);
    const second = linked({ sub: first.sub, resources: [{ resource: resource('r1') }] });
    expect(await loader.write(second)).toBe('linked_elsewhere');
    expect(await loader.stored('EGWP', second.patientId, [resource('r1')])).toEqual([undefined]);
  });

  it('leaves no audit event of a repeat that changed nothing', async () => {
    const [member] = syntheticMembers('sandbox');
    const sub = randomUUID();
    const ingest = { accounts: { ensure: async () => ({ ok: true, sub }) as const }, store: loader };
    for (let round = 0; round < 3; round += 1) {
      expect(await ingestMember(ingest, member)).toMatchObject({ ok: true });
    }
    const { items } = await table.query({ pk: `AUDIT#${member?.lob}#PATIENT#${member?.patientId}` });
    expect(items).toHaveLength(1);
  });
});
