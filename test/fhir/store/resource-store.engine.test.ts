import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { longestResource } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { createPatientCompartment } from '../../../lambdas/fhir/store/resource-store.ts';
import { resourceChangeWrites } from '../../../lambdas/fhir/store/resource-writes.ts';
import { indexWrites } from '../../../lambdas/fhir/store/search-index.ts';
import { encodeResource } from '../../../lambdas/fhir/store/stored-resource.ts';
import type { SearchEntry } from '../../../lambdas/fhir/values/patient-compartment.ts';
import type { SearchValues } from '../../../lambdas/fhir/values/values.ts';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import { StoreUnavailable, type Table } from '../../../lambdas/platform/table/table.ts';
import { grantKey, patientEntryKey, patientResourceKey } from '../../../lambdas/platform/table/table-keys.ts';
import { startTestEngine } from '../../support/engine.ts';
import { startFaultyProxy } from '../../support/faulty-proxy.ts';
import { readSearchValues } from '../../support/read-search-values.ts';

const engine = await startTestEngine();
const proxy = await startFaultyProxy(engine.endpoint);
const table = createSignedTable({
  tableName: engine.tableName,
  access: { ...engine.access, endpoint: proxy.endpoint },
});
afterAll(async () => {
  await proxy.stop();
  await engine.stop();
});

const compartment = () => createPatientCompartment(table, 'DSNP');
const grant = { clientId: 'c1', state: 'active', expiresAt: 2_000_000_000 };
const version = { versionId: '3', lastUpdated: '2026-11-20T10:00:00.000+00:00' };
let made = 0;
/** Creates a patient with a grant, whom no other test uses. */
async function patient(): Promise<string> {
  made += 1;
  await table.put({ ...grantKey('DSNP', `p${made}`, 'g1'), ...grant });
  return `p${made}`;
}

async function store(patientId: string, resourceType: string, id: string, json: string): Promise<void> {
  const key = patientResourceKey('DSNP', patientId, resourceType, id);
  await table.put({ ...key, ...encodeResource({ resourceType, json }), ...version, labeled: true });
}

describe('a resource of a patient’s compartment', () => {
  it('is read with the grant in one round trip, and what is missing is said', async () => {
    const patientId = await patient();
    const resource = { json: '{"a":"é"}', ...version };
    await table.put({ ...patientResourceKey('DSNP', patientId, 'Patient', patientId), ...resource });
    proxy.plan();
    expect(await compartment().read(patientId, 'g1', 'Patient', patientId)).toEqual({
      grant,
      resource,
      labels: new Map(),
    });
    expect(proxy.calls).toHaveLength(1);
    expect(await compartment().read(patientId, 'g2', 'Patient', '')).toEqual({
      grant: undefined,
      resource: undefined,
      labels: new Map(),
    });
  });

  it('is read whether it is stored as text or gzipped, in both renditions', async () => {
    const patientId = await patient();
    const json = JSON.stringify({ lines: Array.from({ length: 400 }, (_, n) => `línea ${n}`) });
    const fhirJson = `${json} `;
    const form = encodeResource({ resourceType: 'ExplanationOfBenefit', json, fhirJson });
    expect('gz' in form).toBe(true);
    await table.put({
      ...patientResourceKey('DSNP', patientId, 'ExplanationOfBenefit', 'e1'),
      ...form,
      ...version,
      labeled: true,
    });
    expect((await compartment().read(patientId, 'g1', 'ExplanationOfBenefit', 'e1')).resource).toEqual({
      json,
      fhirJson,
      ...version,
    });
  });

  it.each([
    ['bytes that are no gzip', randomBytes(64)],
    ['gzip cut short', gzipSync('{"a":1}'.repeat(100)).subarray(0, 20)],
    ['more than a resource may be long', gzipSync(Buffer.alloc(longestResource + 1))],
  ])('is not made up from %s', async (_what, gz) => {
    const patientId = await patient();
    await table.put({ ...patientResourceKey('DSNP', patientId, 'Coverage', 'c1'), gz, ...version });
    await expect(compartment().read(patientId, 'g1', 'Coverage', 'c1')).rejects.toThrow();
  });

  it('does not take a damaged item for a grant', async () => {
    await table.put({ ...grantKey('DSNP', 'damaged', 'g1'), clientId: 'c1', state: 'perhaps', expiresAt: 1 });
    await expect(compartment().read('damaged', 'g1', 'Patient', 'damaged')).rejects.toThrow();
  });
});

describe('the entries of a patient’s compartment', () => {
  const coverage = { resourceType: 'Coverage', references: true };
  const claims = { resourceType: 'ExplanationOfBenefit', references: true };
  const all = { resourceType: undefined, references: true };
  const none = { size: 0, tokens: {}, dates: {}, strings: {}, references: {} };
  const entry = (patientId: string, resourceType: string, id: string, values: Partial<SearchValues> = {}) => {
    const resource = { resourceType, id, ...version, json: '{}' };
    const change = { kind: 'put', resource, values: JSON.stringify({ ...none, ...values }) } as const;
    return table.transact(resourceChangeWrites({ lob: 'DSNP', patientId }, change));
  };
  const names = (entries: readonly SearchEntry[]) =>
    entries.map(({ resourceType, id }) => `${resourceType}/${id}`).sort();

  it('are those of one type or of all, beside the grant', async () => {
    const patientId = await patient();
    const references = { coverage: ['Coverage/c1'], patient: [`Patient/${patientId}`] };
    await entry(patientId, 'ExplanationOfBenefit', 'b.2');
    await entry(patientId, 'ExplanationOfBenefit', 'a-1', { size: 7, references });
    await entry(patientId, 'Coverage', 'c1');
    const found = await compartment().entries(patientId, 'g1', claims);
    expect(found.grant).toEqual(grant);
    expect(names(found.entries)).toEqual(['ExplanationOfBenefit/a-1', 'ExplanationOfBenefit/b.2']);
    const one = found.entries.find(({ id }) => id === 'a-1');
    expect([one?.versionId, one?.lastUpdated]).toEqual(Object.values(version));
    expect(one && readSearchValues(one.values)).toEqual({ ...none, size: 7, references });
    expect(names((await compartment().entries(patientId, 'g1', all)).entries)).toEqual([
      'Coverage/c1',
      'ExplanationOfBenefit/a-1',
      'ExplanationOfBenefit/b.2',
    ]);
  });

  it('come without the references to others, where nobody asks for them, by one query less', async () => {
    const patientId = await patient();
    const references = { coverage: ['Coverage/c1'], patient: [`Patient/${patientId}`] };
    await entry(patientId, 'ExplanationOfBenefit', 'a-1', { references });
    proxy.plan();
    const asked = { ...claims, references: false };
    const { entries } = await compartment().entries(patientId, 'g1', asked);
    expect(entries.map(({ values }) => values.references)).toEqual([{ patient: [`Patient/${patientId}`] }]);
    expect(proxy.calls).toHaveLength(2);
  });

  it('follow a new version, and are gone with the resource', async () => {
    const patientId = await patient();
    const place = { lob: 'DSNP', patientId } as const;
    await entry(patientId, 'Coverage', 'c1', { size: 1 });
    const resource = { resourceType: 'Coverage', id: 'c1', versionId: '4', lastUpdated: 'later', json: '{}' };
    const values = JSON.stringify({ ...none, size: 2 });
    await table.transact(resourceChangeWrites(place, { kind: 'put', resource, values, replaces: version }));
    const { entries } = await compartment().entries(patientId, 'g1', coverage);
    expect(entries).toMatchObject([{ versionId: '4', lastUpdated: 'later', values: { size: 2 } }]);
    await table.transact(resourceChangeWrites(place, { kind: 'remove', resource, replaces: resource }));
    expect((await compartment().entries(patientId, 'g1', coverage)).entries).toEqual([]);
  });

  it('are none where there is nothing, and no grant where there is none', async () => {
    expect(await compartment().entries('nobody', 'g1', all)).toEqual({
      grant: undefined,
      entries: [],
      labels: new Map(),
    });
  });

  it('are asked for strongly consistently, side by side with the grant', async () => {
    const patientId = await patient();
    proxy.plan();
    await compartment().entries(patientId, 'g1', coverage);
    const isConsistent = proxy.calls.map((body) => {
      const call = JSON.parse(body);
      return call.ConsistentRead ?? call.RequestItems.environment.ConsistentRead;
    });
    expect(isConsistent).toEqual([true, true, true]);
  });

  it('are all there, however many pages they fill and however long their values are', async () => {
    const patientId = await patient();
    const place = { lob: 'DSNP', patientId } as const;
    const ids = Array.from({ length: 1_600 }, (_, n) => `c${1_000 + n}`);
    const text = 'x'.repeat(1_500);
    const long = 'y'.repeat(60_000);
    for (let at = 0; at < ids.length; at += 200) {
      const writes = ids.slice(at, at + 200).flatMap((id) => {
        const said = at === 0 && id.endsWith('0') ? long : text;
        const values = { ...none, strings: { name: [[said, said] as const] } };
        return indexWrites(place, { resourceType: 'Coverage', id, ...version }, values, true).writes;
      });
      await table.transact(writes);
    }
    for (const id of ids.slice(0, 200).filter((each) => each.endsWith('0'))) {
      const values = JSON.stringify({ ...none, strings: { name: [[long, long]] } });
      await table.put({ ...patientEntryKey('DSNP', patientId, 'Coverage', id), ...version, values });
    }
    proxy.plan();
    const { entries } = await compartment().entries(patientId, 'g1', coverage);
    expect(names(entries)).toEqual(ids.map((id) => `Coverage/${id}`));
    const lengths = entries.map(({ values }) => values.strings.name?.[0]?.[1].length);
    expect(lengths.filter((length) => length === long.length)).toHaveLength(20);
    expect(proxy.calls.length).toBeGreaterThan(4);
  });

  it('are never cut off in silence: more than 16 pages are a defect', async () => {
    const page = { items: [], next: 'more' };
    let asked = 0;
    const endless: Table = {
      ...table,
      query: async () => {
        asked += 1;
        return page;
      },
    };
    await expect(createPatientCompartment(endless, 'DSNP').entries('p1', 'g1', coverage)).rejects.toThrow(
      RangeError,
    );
    expect(asked).toBe(32);
  });

  it('are no answer at all where one of their pages or the grant does not come', async () => {
    const patientId = await patient();
    proxy.breakEvery('Query', { status: 500, body: '{}' });
    await expect(compartment().entries(patientId, 'g1', all)).rejects.toThrow(StoreUnavailable);
    proxy.plan();
    proxy.breakEvery('BatchGetItem', { status: 500, body: '{}' });
    await expect(compartment().entries(patientId, 'g1', all)).rejects.toThrow(StoreUnavailable);
    proxy.plan();
  });
});

describe('several resources of a patient’s compartment', () => {
  const claims = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ resourceType: 'ExplanationOfBenefit', id: `e${n}` }));

  it('come in the order asked for, with gaps for what isn’t there, a repeated one as often', async () => {
    const patientId = await patient();
    await store(patientId, 'Coverage', 'c1', '"c1"');
    await store(patientId, 'ExplanationOfBenefit', 'e1', '"e1"');
    const coverage = { resourceType: 'Coverage', id: 'c1' };
    const claim = { resourceType: 'ExplanationOfBenefit', id: 'e1' };
    const missing = { resourceType: 'Coverage', id: 'e1' };
    proxy.plan();
    const read = await compartment().resources(patientId, [claim, missing, coverage, claim]);
    expect(read.map((each) => each?.json)).toEqual(['"e1"', undefined, '"c1"', '"e1"']);
    expect(read[0]).toEqual({ json: '"e1"', ...version });
    expect(proxy.calls).toHaveLength(1);
    expect(await compartment().resources(patientId, [])).toEqual([]);
    expect(proxy.calls).toHaveLength(1);
  });

  it('are read by one call for each hundred', async () => {
    const patientId = await patient();
    const names = claims(230);
    for (const { resourceType, id } of names) await store(patientId, resourceType, id, `"${id}"`);
    proxy.plan();
    const read = await compartment().resources(patientId, [...names, ...names].reverse());
    expect(read.map((each) => each?.json)).toEqual([...names, ...names].reverse().map(({ id }) => `"${id}"`));
    expect(proxy.calls.map((body) => JSON.parse(body).RequestItems.environment.Keys.length)).toEqual([
      100, 100, 30,
    ]);
  });

  it('are all there where an answer of 16 MB leaves some over', async () => {
    const patientId = await patient();
    const names = claims(3);
    for (const { resourceType, id } of names) await store(patientId, resourceType, id, `"${id}"`);
    const left = names.map(({ resourceType, id }) => {
      const { pk, sk } = patientResourceKey('DSNP', patientId, resourceType, id);
      return { pk: { S: pk }, sk: { S: sk } };
    });
    const nothing = { Responses: {}, UnprocessedKeys: { environment: { Keys: left, ConsistentRead: true } } };
    proxy.plan({ status: 200, body: JSON.stringify(nothing) });
    const read = await compartment().resources(patientId, names);
    expect(read.map((each) => each?.json)).toEqual(['"e0"', '"e1"', '"e2"']);
  });

  it('are no answer at all where one of their calls fails', async () => {
    const patientId = await patient();
    proxy.breakEvery('BatchGetItem', { status: 500, body: '{}' });
    await expect(compartment().resources(patientId, claims(1))).rejects.toThrow(StoreUnavailable);
    proxy.plan();
  });

  it('are never another patient’s', async () => {
    const [mine, other] = [await patient(), await patient()];
    await store(other, 'Coverage', 'c1', '{}');
    expect(await compartment().resources(mine, [{ resourceType: 'Coverage', id: 'c1' }])).toEqual([
      undefined,
    ]);
  });
});
