import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPatientCompartment } from '../../../lambdas/fhir/store/resource-store.ts';
import { digestOfValues } from '../../../lambdas/fhir/store/stored-resource.ts';
import { searchValues } from '../../../lambdas/fhir/values/values.ts';
import { ingestMember } from '../../../lambdas/loads/ingest/ingest.ts';
import type {
  LinkedLoad,
  LoadedResource,
  ResourceChange,
} from '../../../lambdas/loads/ingest/ingest-ports.ts';
import { createMemberLoader } from '../../../lambdas/loads/store/member-loader.ts';
import { digests } from '../../../lambdas/platform/runtime/digests.ts';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import type { Item, Table } from '../../../lambdas/platform/table/table.ts';
import {
  memberIdKey,
  memberKey,
  patientEntryKey,
  patientResourceKey,
} from '../../../lambdas/platform/table/table-keys.ts';
import { syntheticMembers } from '../../../ops/generator/members.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { oneAccount, testContacts } from '../../support/ingest-world.ts';
import { readSearchValues } from '../../support/read-search-values.ts';

function resource(id: string, versionId = '1', filler = ''): LoadedResource {
  return {
    resourceType: 'Basic',
    id,
    versionId,
    lastUpdated: '2026-02-01T10:00:00Z',
    json: `{"id":"${id}${filler}"}`,
  };
}

/** Search values with a recognizable name. */
function valuesNamed(name: string): string {
  return JSON.stringify({
    size: 1,
    tokens: {},
    dates: {},
    strings: { name: [['', name]] },
    references: {},
  });
}

function put(resource: LoadedResource): ResourceChange {
  return { kind: 'put', resource, values: valuesNamed(`${resource.id} ${resource.versionId}`) };
}

describe('the member loader', () => {
  let engine: TestEngine;
  let table: Table;
  let loader: ReturnType<typeof createMemberLoader>;
  beforeAll(async () => {
    engine = await startTestEngine();
    table = createSignedTable(engine);
    loader = createMemberLoader(table, {
      environment: 'sandbox',
      now: () => 1_770_000_000_000,
      uuid: randomUUID,
      sealContact: testContacts.seal,
    });
  });
  afterAll(async () => {
    await engine.stop();
  });

  const linked = (changed: Partial<LinkedLoad> = {}): LinkedLoad => ({
    lob: 'EGWP',
    patientId: randomUUID(),
    memberId: `EGWP${randomInt(10 ** 8, 10 ** 9)}`,
    displayName: 'Ada Sampleton',
    contact: { name: 'Ada Sampleton', postalCodes: [], emails: ['ada@example.com'], phones: [] },
    sub: randomUUID(),
    accountSha256: 'digest',
    changes: [],
    ...changed,
  });
  const written = ({ memberId, sub, accountSha256 }: LinkedLoad) => ({
    replaces: { memberId, sub, accountSha256 },
  });

  it('writes what the sign-in and the Patient read look for', async () => {
    const load = linked({ changes: [put({ ...resource('r1'), fhirJson: '{}' })] });
    expect(await loader.write(load)).toBe('written');
    expect(await table.get(memberKey('EGWP', load.sub))).toMatchObject({
      patientId: load.patientId,
      memberId: load.memberId,
      displayName: 'Ada Sampleton',
    });
    expect(await table.get(patientResourceKey('EGWP', load.patientId, 'Basic', 'r1'))).toMatchObject({
      json: '{"id":"r1"}',
      fhirJson: '{}',
      versionId: '1',
      lastUpdated: '2026-02-01T10:00:00Z',
    });
    const entry = patientEntryKey('EGWP', load.patientId, 'Basic', 'r1');
    expect(await table.get(entry)).toEqual({
      ...entry,
      versionId: '1',
      lastUpdated: '2026-02-01T10:00:00Z',
      valuesDigest: digestOfValues(valuesNamed('r1 1')),
      index: 3,
    });
    const { items } = await table.query({ pk: `AUDIT#EGWP#PATIENT#${load.patientId}` });
    expect(items).toMatchObject([{ action: 'member.load', actor: 'ingest' }]);
  });

  it('writes the member identifier with sealed contact data, and again where it is missing', async () => {
    const load = linked();
    const key = memberIdKey('EGWP', load.memberId);
    const { patientId, memberId, contact } = load;
    await loader.write(load);
    await table.transact([{ delete: key }]);
    expect(await loader.write({ ...load, ...written(load) })).toBe('written');
    const item = await table.get(key);
    expect(item?.patientId).toBe(patientId);
    const opened = await testContacts.open({ lob: 'EGWP', patientId, memberId }, item?.contact as Uint8Array);
    expect(opened).toEqual(contact);
    expect(await loader.write({ ...load, ...written(load) })).toBe('written');
    expect(await table.get(key)).toEqual(item);
  });

  it.each([
    ['withdrawn by a drop', { withdrawnAt: '2026-02-01T10:00:00Z' }],
    ['merged into another', { patientId: 'another', memberId: 'EGWP00000001' }],
  ] as const)('leaves a member identifier as it is that was %s', async (_what, state) => {
    const load = linked();
    await table.put({ ...memberIdKey('EGWP', load.memberId), patientId: load.patientId, ...state });
    expect(await loader.write({ ...load, changes: [put(resource('r1'))] })).toBe('conflict');
    expect(await loader.namedPatient('EGWP', load.memberId)).toEqual({
      patientId: 'patientId' in state ? state.patientId : load.patientId,
      isWithdrawn: 'withdrawnAt' in state,
    });
    expect(await loader.stored('EGWP', load.patientId, [resource('r1')])).toEqual([undefined]);
  });

  it('writes and reads back more than a transaction holds', async () => {
    const resources = Array.from({ length: 230 }, (_, index) => resource(`r${index}`));
    const load = linked({ changes: resources.map(put) });
    expect(await loader.write(load)).toBe('written');
    const stored = await loader.stored('EGWP', load.patientId, resources);
    expect(stored.map((it) => it?.json)).toEqual(resources.map((it) => it.json));
    expect(stored.every((it, at) => it?.isFoundBy(valuesNamed(`r${at} 1`)))).toBe(true);
  });

  it('writes many large ones', async () => {
    const changes = Array.from({ length: 14 }, (_, index) =>
      // Random hexadecimal digits, which gzip can't shrink to less than half their size.
      put(resource(`big${index}`, '1', randomBytes(150_000).toString('hex'))),
    );
    const load = linked({ changes });
    expect(await loader.write(load)).toBe('written');
    const stored = await loader.stored(
      'EGWP',
      load.patientId,
      changes.map((change) => change.resource),
    );
    expect(stored.map((it) => it?.json)).toEqual(
      changes.map((change) => (change.kind === 'put' ? change.resource.json : '')),
    );
  });

  it('holds what is small enough once it is stored', () => {
    const holds = (more: Partial<LoadedResource>, values = valuesNamed('')) =>
      loader.holds('EGWP', 'p1', { ...resource('r1'), ...more }, values);
    const text = 'lines of a claim, much alike, '.repeat(60_000);
    expect(Buffer.byteLength(text)).toBeGreaterThan(400 * 1024);
    expect(holds({ json: text })).toBe(true);
    expect(holds({ json: text, resourceType: 'Patient' })).toBe(true);
    const noise = randomBytes(250_000).toString('base64');
    expect(holds({ json: noise })).toBe(true);
    expect(holds({ json: noise, fhirJson: noise })).toBe(false);
    const quotes = JSON.stringify('"'.repeat(1_600_000));
    expect(Buffer.byteLength(quotes)).toBeLessThan(4 * 1024 * 1024);
    expect(holds({ json: quotes })).toBe(false);
    expect(holds({ json: '{}', fhirJson: quotes })).toBe(false);
    expect(holds({ json: '{}' }, valuesNamed(noise))).toBe(true);
    expect(holds({ json: '{}' }, valuesNamed(`${noise}${noise}`))).toBe(false);
    expect(holds({ json: '{}' }, valuesNamed(text))).toBe(true);
    expect(holds({ json: '{}' }, ' '.repeat(4 * 1024 * 1024 + 1))).toBe(false);
  });

  it('writes the largest it says it can hold', async () => {
    const json = randomBytes(306_500).toString('base64');
    const largest = { ...resource('r1'), json };
    const patientId = randomUUID();
    expect(loader.holds('EGWP', patientId, largest, valuesNamed(''))).toBe(true);
    const change: ResourceChange = { kind: 'put', resource: largest, values: valuesNamed('') };
    expect(await loader.write(linked({ patientId, changes: [change] }))).toBe('written');
    expect(await loader.stored('EGWP', patientId, [largest])).toMatchObject([{ json }]);
  });

  it('stores a claim of half a megabyte that compresses well, and finds it by each of its values', async () => {
    const identifier = Array.from({ length: 6000 }, (_, at) => ({
      system: 'https://plan.example.com/fhir/claim-line',
      value: `LINE-${at}-of-the-same-long-claim`,
    }));
    const large = {
      ...resource('large'),
      json: JSON.stringify({ resourceType: 'ExplanationOfBenefit', identifier }),
    };
    const values = JSON.stringify(searchValues(JSON.parse(large.json)));
    expect(Math.min(large.json.length, values.length)).toBeGreaterThan(450 * 1024);
    const load = linked({ changes: [{ kind: 'put', resource: large, values }] });
    expect(loader.holds('EGWP', load.patientId, large, values)).toBe(true);
    expect(await loader.write(load)).toBe('written');
    const [stored] = await loader.stored('EGWP', load.patientId, [large]);
    expect(stored?.json).toBe(large.json);
    expect(stored?.isFoundBy(values)).toBe(true);
    const compartment = createPatientCompartment(table, 'EGWP');
    const asked = { resourceType: undefined, references: true };
    const { entries } = await compartment.entries(load.patientId, 'none', asked);
    expect(entries.map(({ values }) => readSearchValues(values))).toEqual([JSON.parse(values)]);
  });

  it('takes back a resource with its entry, and says so in its event', async () => {
    const changes = ['r1', 'r2'].map((id) => put(resource(id)));
    const load = linked({ changes });
    await loader.write(load);
    const gone: ResourceChange = { kind: 'remove', resource: resource('r1'), replaces: resource('r1') };
    expect(await loader.write({ ...load, ...written(load), changes: [gone] })).toBe('written');
    const keys = await table.query({ pk: `EGWP#PATIENT#${load.patientId}` });
    const isIndex = ({ sk }: Item) => /^(?:INDEX|LINKS)#/.test(String(sk));
    expect(keys.items.filter((item) => !isIndex(item)).map(({ sk }) => sk)).toEqual([
      'ENTRY#Basic#r2',
      'MEMBER',
      'RESOURCE#Basic#r2',
    ]);
    const attributes = keys.items.filter(isIndex).map(({ pk: _pk, sk: _sk, ...resources }) => resources);
    expect(attributes.flatMap((resources) => Object.keys(resources))).toEqual(['.r2']);
    const { items } = await table.query({ pk: `AUDIT#EGWP#PATIENT#${load.patientId}` });
    expect(items.flatMap(({ resources }) => resources ?? [])).toEqual(['Basic/r1']);
  });

  it('sees that somebody else wrote a version meanwhile', async () => {
    const first = linked({ changes: [put(resource('r1'))] });
    await loader.write(first);
    const load = { ...first, ...written(first) };
    expect(await loader.write(load)).toBe('conflict');
    const replaces = resource('r1', '7');
    const newer: ResourceChange = {
      kind: 'put',
      resource: resource('r1', '8'),
      values: valuesNamed(''),
      replaces,
    };
    expect(await loader.write({ ...load, changes: [newer] })).toBe('conflict');
    const again: ResourceChange = { kind: 'values', resource: resource('r1', '8'), values: valuesNamed('') };
    expect(await loader.write({ ...load, changes: [again] })).toBe('conflict');
    const gone: ResourceChange = { kind: 'remove', resource: resource('r1'), replaces };
    expect(await loader.write({ ...load, changes: [gone] })).toBe('conflict');
    const [stored] = await loader.stored('EGWP', load.patientId, [resource('r1')]);
    expect(stored?.versionId).toBe('1');
    expect(stored?.isFoundBy(valuesNamed('r1 1'))).toBe(true);
    expect(stored?.isFoundBy(valuesNamed(''))).toBe(false);
  });

  it('says where a load was interrupted after a part of it was written', async () => {
    const resources = Array.from({ length: 60 }, (_, index) => resource(`r${index}`));
    const load = linked({ changes: resources.map(put) });
    await loader.write({ ...load, changes: [put(resource('r59'))] });
    expect(await loader.write({ ...load, ...written(load) })).toBe('interrupted');
    expect(await loader.stored('EGWP', load.patientId, [resource('r0')])).toMatchObject([{ versionId: '1' }]);
  });

  it('writes nothing for an account that is another patient already', async () => {
    const first = linked();
    await loader.write(first);
    expect(await loader.patientOf('EGWP', first.sub)).toBe(first.patientId);
    const second = linked({ sub: first.sub, changes: [put(resource('r1'))] });
    expect(await loader.write(second)).toBe('conflict');
    expect(await loader.stored('EGWP', second.patientId, [resource('r1')])).toEqual([undefined]);
  });

  it('writes nothing of another member for a patient that is somebody’s', async () => {
    const first = linked();
    await loader.write(first);
    const second = linked({ patientId: first.patientId, changes: [put(resource('r1'))] });
    expect(await loader.write({ ...second, memberId: 'EGWP87654321' })).toBe('conflict');
    expect(await loader.memberOf('EGWP', first.patientId)).toEqual(written(first).replaces);
    expect(await loader.stored('EGWP', first.patientId, [resource('r1')])).toEqual([undefined]);
  });

  it('leaves no audit event of a repeat that changed nothing', async () => {
    const [member] = syntheticMembers('sandbox');
    const sub = randomUUID();
    const accounts = oneAccount(sub);
    const pure = { searchValues: () => valuesNamed(''), sha256: digests.sha256Hex };
    const contactData = () => ({ name: '', postalCodes: [], emails: [], phones: [] });
    const ingest = { accounts, store: loader, ...pure, contactData };
    const events: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      expect(await ingestMember(ingest, member)).toMatchObject({ kind: 'loaded' });
      const { items } = await table.query({ pk: `AUDIT#${member?.lob}#PATIENT#${member?.patientId}` });
      events.push(items.length);
    }
    // The first load wrote an event in each of its transactions.
    const [first = 0] = events;
    expect(first).toBeGreaterThan(0);
    expect(events).toEqual([first, first, first]);
  });
});
