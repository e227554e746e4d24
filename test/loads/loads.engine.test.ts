import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createContactRecords } from '../../lambdas/authorization/store/contact-records.ts';
import { labeledValues } from '../../lambdas/fhir/labels/resource-label.ts';
import { createPatientCompartment } from '../../lambdas/fhir/store/resource-store.ts';
import { decodeResource } from '../../lambdas/fhir/store/stored-resource.ts';
import { notStarted } from '../../lambdas/loads/ledger/load.ts';
import { createContactEnvelopes } from '../../lambdas/platform/aws/contact-envelopes.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import type { Item, Table, Write } from '../../lambdas/platform/table/table.ts';
import {
  grantKey,
  grantPartition,
  memberIdKey,
  patientMemberKey,
  patientPartition,
} from '../../lambdas/platform/table/table-keys.ts';
import { startTestEngine } from '../support/engine.ts';
import { memoryDataKeys } from '../support/memory-data-keys.ts';
import { readSearchValues } from '../support/read-search-values.ts';
import { changeParameters, claim, coverage, organization, patient } from './drop-rows.ts';
import { createLoads, type Drop, memoryBucket, upload } from './load-world.ts';

const engine = await startTestEngine();
afterAll(() => engine.stop());
const table = createSignedTable(engine);

/** Each test has Patients of its own, since all tests share one table. */
let test = 1_000;
let [p1, p2, m1, m2] = ['', '', '', ''];
beforeEach(() => {
  test += 1;
  [p1, p2] = [`p${test}-1`, `p${test}-2`];
  [m1, m2] = [`M${test}00001`, `M${test}00002`];
});

const people = () => ({ type: 'Patient', rows: [patient(p1, m1), patient(p2, m2)] });

async function load(drop: Drop, over: Table = table, toleratedPercent?: number) {
  const memory = memoryBucket();
  const loads = createLoads(over, memory, toleratedPercent === undefined ? {} : { toleratedPercent });
  const ended = await loads.run(upload(memory, drop));
  return { ended, loads, memory };
}

async function codes(drop: Drop) {
  const { loads } = await load(drop);
  return loads.rejects().map(({ line, code }) => [line, code]);
}

/** The items of a record without its audit events. Also checks that the search index agrees with them, and leaves it out. */
async function record(patientId: string): Promise<readonly Item[]> {
  const { items } = await table.query({ pk: patientPartition('DSNP', patientId) });
  const { entries } = await createPatientCompartment(table, 'DSNP').entries(patientId, 'none', everyEntry);
  const found = entries.map(({ resourceType, id, versionId, values }) => [
    `ENTRY#${resourceType}#${id}`,
    { versionId, values: JSON.stringify(readSearchValues(values)) },
  ]);
  const texts = new Map(
    items
      .filter(({ sk }) => String(sk).startsWith('RESOURCE#'))
      .map((item) => [String(item.sk).replace('RESOURCE#', 'ENTRY#'), decodeResource(item).json]),
  );
  const stored = items.filter(({ sk }) => String(sk).startsWith('ENTRY#'));
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(
      stored.map(({ sk, versionId }) => [sk, { versionId, values: valuesOf(texts.get(String(sk))) }]),
    ),
  );
  return items.filter(({ sk }) => !/^(?:INDEX|LINKS)#/.test(String(sk)));
}

/** Search values of a stored text, without labels, which are stored separately. */
function valuesOf(json: string | undefined): string {
  const { label: _label, ...searched } = labeledValues(JSON.parse(String(json)));
  return JSON.stringify(searched);
}

const names = async (patientId: string) => (await record(patientId)).map(({ sk }) => sk);

/** A table that counts the writes of a load. */
function counted(of: Table) {
  const count = { writes: 0 };
  const isOfRecord = (write: Write) =>
    'put' in write && /#(PATIENT|MEMBER-ID|SHARED)#/.test(String(write.put.pk));
  const over: Table = {
    ...of,
    transact: async (writes, token) => {
      count.writes += writes.filter(isOfRecord).length;
      await of.transact(writes, token);
    },
  };
  return { table: over, count };
}

const everyEntry = { resourceType: undefined, references: true } as const;

describe('a drop', () => {
  it('that has a file which its manifest does not name says so in its report', async () => {
    const memory = memoryBucket();
    const event = upload(memory, { files: [people()] });
    memory.put('DSNP/claims/d1/Coverage.ndjson', '{}');
    const loads = createLoads(table, memory);
    await loads.run(event);
    expect(loads.report()).toMatchObject({ state: 'reconciled', loaded: 2, unnamed: ['Coverage.ndjson'] });
    expect((await load({ files: [people()] })).loads.report()).not.toHaveProperty('unnamed');
  });

  it('is loaded, and what it holds is read and found like what was ingested', async () => {
    const { ended, loads } = await load({
      files: [
        {
          type: 'ExplanationOfBenefit',
          rows: [claim(p1, 'c1', { coverage: 'Coverage/v1', insurer: `Organization/o${test}` })],
        },
        { type: 'Coverage', rows: [coverage(p1, 'v1')] },
        people(),
        { type: 'Organization', rows: [organization(`o${test}`)] },
      ],
    });
    expect(ended).toMatchObject({ kind: 'ended', state: 'reconciled' });
    expect(loads.report()).toMatchObject({ controlTotal: 5, loaded: 5, unchanged: 0, rejected: 0 });
    const compartment = createPatientCompartment(table, 'DSNP');
    const { entries } = await compartment.entries(p1, 'none', everyEntry);
    expect(entries.map(({ resourceType, id }) => `${resourceType}/${id}`).sort()).toEqual([
      'Coverage/v1',
      'ExplanationOfBenefit/c1',
      // A copy of the shared resource, which each record that refers to it has.
      `Organization/o${test}`,
      `Patient/${p1}`,
    ]);
    expect(await table.get(memberIdKey('DSNP', m1))).toMatchObject({ patientId: p1 });
    expect(await table.get(patientMemberKey('DSNP', p1))).toMatchObject({ memberId: m1 });
  });

  it('that is repeated writes nothing, and its event twice begins nothing', async () => {
    const drop = { files: [people(), { type: 'Coverage', rows: [coverage(p1, 'v1')] }] };
    await load(drop);
    const { table: over, count } = counted(table);
    const memory = memoryBucket();
    const loads = createLoads(over, memory);
    const event = upload(memory, drop);
    expect(await loads.run(event)).toMatchObject({ state: 'reconciled' });
    expect(loads.report()).toMatchObject({ loaded: 0, unchanged: 3, rejected: 0 });
    expect(count.writes).toBe(0);
    expect(await loads.run(event, 'e2')).toEqual({ kind: 'duplicate' });
  });

  it('brings newer versions, and an older one never wins', async () => {
    const files = (version: number, says: string) => ({
      files: [people(), { type: 'Coverage', rows: [coverage(p1, 'v1', { version, says })] }],
    });
    await load(files(5, 'new'));
    expect(await codes(files(4, 'old'))).toEqual([[1, 'older_version']]);
    expect(await codes(files(5, 'other'))).toEqual([[1, 'version_reused']]);
    expect(await codes(files(6, 'newest'))).toEqual([]);
    const stored = (await record(p1)).find(({ sk }) => sk === 'RESOURCE#Coverage#v1');
    expect(stored?.json).toContain('newest');
  });

  it('refreshes the copy of a shared resource with a row that refers to it', async () => {
    const insurer = `Organization/o${test}`;
    const files = (version: number, says: string) => ({
      files: [
        people(),
        { type: 'Organization', rows: [organization(`o${test}`, { version, says })] },
        { type: 'ExplanationOfBenefit', rows: [claim(p1, 'c1', { insurer })] },
      ],
    });
    const memory = memoryBucket();
    await createLoads(table, memory).run(upload(memory, files(1, 'Before')));
    await createLoads(table, memory, { now: () => 1_797_000_000_000 }).run(upload(memory, files(2, 'After')));
    const copy = (await record(p1)).find(({ sk }) => sk === `RESOURCE#${insurer.replace('/', '#')}`);
    expect(copy?.json).toContain('After');
  });

  it('tells each bad row, and loads the rest', async () => {
    const rows = [
      '{"resourceType":"Coverage"',
      coverage(p1, 'v1'),
      coverage('nobody', 'v2'),
      { ...coverage(p1, 'v3'), meta: { versionId: '1', lastUpdated: '2026-01-01T00:00:00Z' } },
      `{"resourceType":"Coverage","id":"${'x'.repeat(5_000_000)}"}`,
      { ...coverage(p1, 'v4'), payor: [{ reference: 'Organization/nobody' }] },
      coverage(p1, 'v1', { version: 0 }),
      coverage(p1, 'v5'),
      '{"resourceType":"Coverage","id":"v\u0000"}',
    ];
    const memory = memoryBucket();
    // One range for all rows. With two ranges the older version might be loaded first, and would then be no reject.
    const loads = createLoads(table, memory, { rangeBytes: 8_000_000 });
    const ended = await loads.run(upload(memory, { files: [people(), { type: 'Coverage', rows }] }));
    expect(ended).toMatchObject({ state: 'reconciled' });
    expect(loads.rejects().map(({ line, code }) => [line, code])).toEqual([
      [1, 'not_json'],
      [3, 'unresolved_reference'],
      [4, 'no_profile'],
      [5, 'row_too_long'],
      [6, 'unresolved_reference'],
      [7, 'older_version'],
      [9, 'control_character'],
    ]);
    expect(await names(p1)).toContain('RESOURCE#Coverage#v5');
    expect(loads.report()).toMatchObject({ controlTotal: 11, loaded: 4, older: 1, rejected: 6 });
  });

  it('keeps members apart: an id of another member is rejected, and nothing of it is written', async () => {
    await load({ files: [people()] });
    const rows = [
      patient(p1, m2, { version: 2 }),
      patient(`${p1}-new`, m2),
      patient(`${p1}-x`, 'MX', { lob: 'MAPD' }),
    ];
    expect(await codes({ files: [{ type: 'Patient', rows }] })).toEqual([
      [1, 'other_member'],
      [2, 'member_id_taken'],
      [3, 'wrong_lob'],
    ]);
    expect(await names(`${p1}-new`)).toEqual([]);
  });

  it.each([
    ['a gzip', { bytes: new Uint8Array(gzipSync('{}\n')) }, 'file_is_gzip'],
    ['UTF-16', { bytes: new Uint8Array(Buffer.from('\uFEFF{}\n', 'utf16le')) }, 'file_is_utf16'],
    ['a wrong hash', { declared: { sha256: 'a'.repeat(64) } }, 'file_sha256_differs'],
    ['a type that no drop holds', { type: 'Claim' }, 'file_of_unknown_type'],
  ])('with %s leaves that file out, loads the others, and is not reconciled', async (_name, content, refusal) => {
    const { ended, loads } = await load({
      files: [people(), { type: 'Coverage', rows: [coverage(p1, 'v1')], ...content }],
    });
    expect(ended).toMatchObject({ state: 'not-reconciled' });
    expect(loads.report()).toMatchObject({ reason: 'file_refused', loaded: 2, files: [{}, { refusal }] });
  });

  it('does not blame rows for a part of the drop that was not loaded, and loads them in the next', async () => {
    const coverages = { type: 'Coverage', rows: [coverage(p1, 'v1')] };
    const refused = { ...people(), declared: { sha256: 'a'.repeat(64) } };
    expect(await codes({ files: [refused, coverages] })).toEqual([[1, 'part_not_loaded']]);
    expect(await codes({ files: [people(), coverages] })).toEqual([]);
  });

  it('with a manifest that names a file that is not there loads the others, and says which', async () => {
    const memory = memoryBucket();
    const loads = createLoads(table, memory);
    const event = upload(memory, { files: [people(), { type: 'Coverage', rows: [coverage(p1, 'v1')] }] });
    memory.remove('DSNP/claims/d1/1-Coverage.ndjson');
    expect(await loads.run(event)).toMatchObject({ state: 'not-reconciled' });
    expect(loads.report()).toMatchObject({
      reason: 'file_refused',
      loaded: 2,
      files: [{}, { refusal: 'file_missing' }],
    });
  });

  it('whose manifest came before its files is whole after a retry', async () => {
    const memory = memoryBucket();
    const loads = createLoads(table, memory);
    const event = upload(memory, { files: [people(), { type: 'Coverage', rows: [coverage(p1, 'v1')] }] });
    const key = 'DSNP/claims/d1/1-Coverage.ndjson';
    const late = memory.text(key);
    memory.remove(key);
    const first = await loads.run(event);
    expect(first).toMatchObject({ state: 'not-reconciled' });
    const { jobId = '' } = first as { readonly jobId?: string };
    memory.put(key, late);
    await loads.ledger.act({ lob: 'DSNP', jobId }, 'retry', { execution: notStarted });
    expect(await loads.run({ retry: { lob: 'DSNP', jobId } }, 'e2')).toMatchObject({ state: 'reconciled' });
    expect(loads.report()).toMatchObject({ controlTotal: 3, loaded: 3, unchanged: 0, rejected: 0 });
  });

  it('is loaded to its end where its manifest is deleted after it began, and not at all where it was before', async () => {
    const memory = memoryBucket();
    const loads = createLoads(table, memory);
    const begun = upload(memory, { files: [people()] });
    const accepted = await loads.step({ step: 'accept', event: begun, execution: 'e1' });
    if (accepted.kind !== 'accepted') throw new Error(`the load is ${accepted.kind}`);
    const never = upload(memory, { files: [people()] });
    memory.remove('DSNP/claims/d1/manifest.json');
    expect(await loads.run(never, 'e2')).toEqual({ kind: 'refused', reason: 'manifest_gone' });
    const { lob, jobId } = accepted;
    expect(await loads.run({ retry: { lob, jobId } }, 'e1')).toMatchObject({ state: 'reconciled' });
  });

  it('with a truncated file loads its whole rows where the hash is right, and none where it is not', async () => {
    const text = [coverage(p1, 'v1'), coverage(p1, 'v2')].map((row) => JSON.stringify(row)).join('\n');
    const bytes = new TextEncoder().encode(text.slice(0, -50));
    const cut = { type: 'Coverage', rows: [1, 2], bytes };
    expect(await codes({ files: [people(), cut] })).toEqual([[2, 'not_json']]);
    expect(await names(p1)).toContain('RESOURCE#Coverage#v1');
    const other = await load({ files: [{ ...cut, declared: { sha256: 'b'.repeat(64) } }] });
    expect(other.loads.report()).toMatchObject({ loaded: 0, files: [{ refusal: 'file_sha256_differs' }] });
  });

  it('with an id twice loads one row, and tells the other', async () => {
    const rows = [
      coverage(p1, 'v1'),
      coverage(p1, 'v1', { says: 'other' }),
      coverage(p1, 'v2'),
      coverage(p1, 'v2'),
    ];
    const { loads } = await load({ files: [people(), { type: 'Coverage', rows }] });
    expect(loads.rejects().map(({ line, code }) => [line, code])).toEqual([[2, 'version_reused']]);
    expect(loads.report()).toMatchObject({ loaded: 4, unchanged: 1, rejected: 1 });
  });

  it('is loaded whole where references wait for each other, whatever their order', async () => {
    const [clinical, subject] = [
      (type: string, profile: string, id: string, content: object) => ({
        resourceType: type,
        id,
        meta: {
          versionId: '1',
          lastUpdated: '2026-11-22T02:00:00Z',
          profile: [`http://hl7.org/fhir/us/core/StructureDefinition/${profile}|6.1.0`],
        },
        ...content,
      }),
      { subject: { reference: `Patient/${p1}` } },
    ];
    const code = { code: { text: 'example' } };
    const visit = clinical('Encounter', 'us-core-encounter', 'e', {
      ...{ ...subject, status: 'finished', class: { code: 'AMB' }, type: [{ text: 'visit' }] },
      reasonReference: [{ reference: 'Procedure/p' }],
    });
    const procedure = clinical('Procedure', 'us-core-procedure', 'p', {
      ...{ ...subject, ...code, status: 'completed' },
      report: [{ reference: 'DiagnosticReport/d' }],
    });
    const report = clinical('DiagnosticReport', 'us-core-diagnosticreport-note', 'd', {
      ...{ ...subject, ...code, status: 'final', category: [{ text: 'note' }] },
    });
    const stored = { ...visit, id: 'before', reasonReference: undefined };
    await load({ files: [people(), { type: 'Encounter', rows: [stored] }] });
    const files = [procedure, report].map((row) => ({ type: row.resourceType, rows: [row] }));
    const astray = { ...visit, id: 'astray', reasonReference: [{ reference: 'Procedure/nowhere' }] };
    const old = { ...stored, meta: { ...stored.meta, versionId: '0', lastUpdated: '2026-11-21T02:00:00Z' } };
    const visits = { type: 'Encounter', rows: [visit, stored, old, 'x', { ...stored, id: 'new' }, astray] };
    const memory = memoryBucket();
    const event = upload(memory, { files: [visits, ...files], name: 'd2' });
    const asked: number[] = [];
    let finished = 0;
    /** The load is killed after the second look at the Encounters, which resolved one, and before the ledger has the counts. */
    const update: Table['update'] = async (write) => {
      if (write.key.sk === 'RANGE#0000#000000' && 'values' in write && ':counts' in (write.values ?? {})) {
        finished += 1;
        if (finished === 3) throw new Error('killed');
      }
      return await table.update(write);
    };
    const batchGet: Table['batchGet'] = async (keys) => {
      const entries = keys.filter(({ sk }) => sk.startsWith('ENTRY#Encounter#'));
      if (entries.length > 0) asked.push(entries.length);
      return await table.batchGet(keys);
    };
    const killed = createLoads({ ...table, update, batchGet }, memory, { rangeBytes: 100_000 });
    await expect(killed.run(event)).rejects.toThrow('killed');
    const loads = createLoads({ ...table, batchGet }, memory, { rangeBytes: 100_000 });
    expect(await loads.run(event)).toMatchObject({ state: 'reconciled' });
    expect(loads.rejects('DSNP/claims/d2/').map(({ line, code }) => [line, code])).toEqual([
      [3, 'older_version'],
      [4, 'not_json'],
      [6, 'unresolved_reference'],
    ]);
    const counts = { loaded: 4, unchanged: 1, older: 1, rejected: 2 };
    expect(loads.report('DSNP/claims/d2/')).toMatchObject({ controlTotal: 8, ...counts });
    // Four resources at the first look, and at the later ones only those whose references were not resolved.
    expect(asked.slice(0, 4)).toEqual([4, 2, 2, 1]);
  });

  it('loads visits and the conditions they are for before what refers to the visits', async () => {
    const row = (type: string, profile: string, id: string, content: object) => ({
      ...{ resourceType: type, id },
      meta: {
        ...{ versionId: '1', lastUpdated: '2026-11-22T02:00:00Z' },
        profile: [`http://hl7.org/fhir/us/core/StructureDefinition/${profile}|6.1.0`],
      },
      ...{ subject: { reference: `Patient/${p1}` }, ...content },
    });
    const visit = (id: string, condition?: string) =>
      row('Encounter', 'us-core-encounter', id, {
        ...{ status: 'finished', class: { code: 'AMB' }, type: [{ text: 'visit' }] },
        ...(condition && { diagnosis: [{ condition: { reference: `Condition/${condition}` } }] }),
      });
    const found = (id: string, encounter: string) =>
      row('Condition', 'us-core-condition-encounter-diagnosis', id, {
        ...{ code: { text: 'example' }, encounter: { reference: `Encounter/${encounter}` } },
        category: [
          {
            coding: [
              {
                system: 'http://terminology.hl7.org/CodeSystem/condition-category',
                code: 'encounter-diagnosis',
              },
            ],
          },
        ],
      });
    const treatment = row('Procedure', 'us-core-procedure', 'p', {
      ...{ code: { text: 'example' }, status: 'completed', encounter: { reference: 'Encounter/e3' } },
    });
    const files = [
      people(),
      { type: 'Encounter', rows: [visit('e1'), visit('e2', 'c1'), visit('e3', 'c2')] },
      { type: 'Condition', rows: [found('c1', 'e1'), found('c2', 'e2')] },
      { type: 'Procedure', rows: [treatment] },
    ];
    const { ended, loads } = await load({ files });
    expect(ended).toMatchObject({ state: 'reconciled' });
    expect(loads.report()).toMatchObject({ loaded: 8, unchanged: 0, rejected: 0 });
    const ranges = await loads.ledger.ranges({ lob: 'DSNP', jobId: loads.report().jobId });
    expect(ranges.map(({ looks }) => looks)).toEqual([1, 1, 1, 1]);
  });

  it('with CRLF and a byte order mark is loaded', async () => {
    const text = `\uFEFF${[patient(p1, m1), patient(p2, m2)].map((row) => JSON.stringify(row)).join('\r\n')}\r\n`;
    const { ended } = await load({
      files: [{ type: 'Patient', rows: [1, 2], bytes: new TextEncoder().encode(text) }],
    });
    expect(ended).toMatchObject({ state: 'reconciled' });
  });

  it('with another count than its manifest says is not reconciled; with too many rejects it failed', async () => {
    const short = await load({ files: [{ ...people(), declared: { rows: 3 } }] });
    expect(short.ended).toMatchObject({ state: 'not-reconciled' });
    expect(short.loads.report()).toMatchObject({
      reason: 'counts_differ',
      controlTotal: 3,
      unchanged: 0,
      loaded: 2,
    });
    const rows = [patient(p1, m1), 'x'];
    expect((await load({ files: [{ type: 'Patient', rows }] }, table, 49)).ended).toMatchObject({
      state: 'failed',
    });
  });

  it('of another LOB than its folder is refused, and the refusal lies beside it', async () => {
    const memory = memoryBucket();
    const loads = createLoads(table, memory);
    upload(memory, { files: [people()], lob: 'MAPD' });
    const versionId = memory.put('DSNP/claims/d1/manifest.json', memory.text('MAPD/claims/d1/manifest.json'));
    const event = { detail: { object: { key: 'DSNP/claims/d1/manifest.json', 'version-id': versionId } } };
    expect(await loads.run(event)).toEqual({ kind: 'refused', reason: 'manifest_invalid' });
    expect(loads.report()).toMatchObject({ state: 'refused', issues: [{ path: 'lob' }] });
  });

  it('loaded beside another with other versions ends with the newest of each', async () => {
    const drop = (even: number, odd: number, name: string): Drop => ({
      name,
      files: [
        people(),
        {
          type: 'Coverage',
          rows: Array.from({ length: 40 }, (_, at) =>
            coverage(p1, `v${at}`, { version: at % 2 === 0 ? even : odd }),
          ),
        },
      ],
    });
    const memory = memoryBucket();
    const loads = createLoads(table, memory);
    const events = [drop(1, 2, 'd1'), drop(2, 1, 'd2')].map((each) => upload(memory, each));
    // Ranges of a load that was given up may still run when the next load starts.
    await Promise.all(events.map((event) => loads.run(event, 'e1', { overtakes: true })));
    const stored = (await record(p1)).filter(({ sk }) => String(sk).startsWith('RESOURCE#Coverage'));
    expect(stored.map(({ versionId }) => versionId)).toEqual(Array(40).fill('2'));
  });
});

describe('a row that changes a record', () => {
  const withChanges = (...rows: object[]): Drop => ({ files: [{ type: 'Parameters', rows }] });
  const withRecord = (): Drop => ({
    files: [
      people(),
      {
        type: 'Coverage',
        rows: [coverage(p1, 'v1'), coverage(p1, 'v2'), coverage(p2, 'v2', { version: 2 })],
      },
    ],
  });

  it('withdraws a resource, for good unless a newer version comes', async () => {
    await load(withRecord());
    const withdrawal = changeParameters({ withdraw: 'Coverage/v1', patient: `Patient/${p1}` });
    expect(await codes(withChanges(withdrawal))).toEqual([]);
    expect(await names(p1)).not.toContain('RESOURCE#Coverage#v1');
    expect((await load(withChanges(withdrawal))).loads.report()).toMatchObject({ unchanged: 1 });
    expect(await codes({ files: [{ type: 'Coverage', rows: [coverage(p1, 'v1')] }] })).toEqual([
      [1, 'older_version'],
    ]);
    await load({ files: [{ type: 'Coverage', rows: [coverage(p1, 'v1', { version: 200 })] }] });
    expect(await codes(withChanges(withdrawal))).toEqual([[1, 'older_version']]);
    expect(
      await codes(withChanges(changeParameters({ withdraw: 'Coverage/no', patient: `Patient/${p1}` }))),
    ).toEqual([[1, 'not_stored']]);
  });

  it('cancels a claim that is withdrawn, once, and takes a newer version again', async () => {
    await load({ files: [people(), { type: 'ExplanationOfBenefit', rows: [claim(p1, 'w1')] }] });
    const stored = async () => {
      const item = (await record(p1)).find(({ sk }) => sk === 'RESOURCE#ExplanationOfBenefit#w1');
      const { status, meta } = JSON.parse(String(item?.json));
      return [status, meta.versionId, item?.versionId];
    };
    const withdrawal = withChanges(
      changeParameters({ withdraw: 'ExplanationOfBenefit/w1', patient: `Patient/${p1}` }),
    );
    expect(await codes(withdrawal)).toEqual([]);
    expect(await stored()).toEqual(['cancelled', '1.cancelled', '1.cancelled']);
    const before = await record(p1);
    expect((await load(withdrawal)).loads.report()).toMatchObject({ unchanged: 1 });
    expect(await record(p1)).toEqual(before);
    const versions = (version: number) => ({
      files: [{ type: 'ExplanationOfBenefit', rows: [claim(p1, 'w1', { version })] }],
    });
    expect(await codes(versions(2))).toEqual([[1, 'older_version']]);
    expect(await codes(versions(200))).toEqual([]);
    expect(await stored()).toEqual(['active', '200', '200']);
    expect(await codes(withdrawal)).toEqual([[1, 'older_version']]);
  });

  it('withdraws a resource that arrives later: the row is told, and an older version stays out', async () => {
    await load(withRecord());
    const withdrawal = changeParameters({ withdraw: 'Coverage/v7', patient: `Patient/${p1}` });
    expect(await codes(withChanges(withdrawal))).toEqual([[1, 'not_stored']]);
    expect(await codes({ files: [{ type: 'Coverage', rows: [coverage(p1, 'v7')] }] })).toEqual([
      [1, 'older_version'],
    ]);
    expect((await load(withChanges(withdrawal))).loads.report()).toMatchObject({ unchanged: 1 });
    const newer = coverage(p1, 'v7', { version: 200 });
    expect(await codes({ files: [{ type: 'Coverage', rows: [newer] }] })).toEqual([]);
    const nobody = changeParameters({ withdraw: 'Coverage/v7', patient: 'Patient/nobody' });
    expect(await codes(withChanges(nobody))).toEqual([[1, 'not_stored']]);
    expect(await names('nobody')).toEqual([]);
  });

  it('withdraws a whole record, and a newer Patient opens it again', async () => {
    await load(withRecord());
    await load(withChanges(changeParameters({ withdraw: `Patient/${p1}` })));
    expect(await names(p1)).toEqual(['MEMBER']);
    expect(await codes({ files: [{ type: 'Coverage', rows: [coverage(p1, 'v9')] }] })).toEqual([
      [1, 'unresolved_reference'],
    ]);
    expect(await codes({ files: [{ type: 'Patient', rows: [patient(p1, m1)] }] })).toEqual([
      [1, 'older_version'],
    ]);
    expect(await codes({ files: [{ type: 'Patient', rows: [patient(p1, m1, { version: 101 })] }] })).toEqual(
      [],
    );
  });

  it('withdraws a Patient that arrives later: the row is told, and an older version stays out', async () => {
    const withdrawal = withChanges(changeParameters({ withdraw: `Patient/${p1}` }));
    const arriving = (version: number) =>
      codes({ files: [{ type: 'Patient', rows: [patient(p1, m1, { version })] }] });
    expect(await codes(withdrawal)).toEqual([[1, 'not_stored']]);
    expect(await arriving(1)).toEqual([[1, 'older_version']]);
    expect((await load(withdrawal)).loads.report()).toMatchObject({ unchanged: 1 });
    expect(await names(p1)).toEqual([`WITHDRAWN#Patient#${p1}`]);
    expect(await arriving(101)).toEqual([]);
  });

  it('keeps out what is older than the latest of several early withdrawals', async () => {
    await load(withRecord());
    const withdrawnAt = (version: number) =>
      withChanges(
        changeParameters({ withdraw: 'Coverage/v8', patient: `Patient/${p1}` }, undefined, version),
      );
    expect(await codes(withdrawnAt(100))).toEqual([[1, 'not_stored']]);
    expect((await load(withdrawnAt(120))).loads.report()).toMatchObject({ loaded: 1 });
    expect((await load(withdrawnAt(110))).loads.report()).toMatchObject({ unchanged: 1 });
    const between = coverage(p1, 'v8', { version: 115 });
    expect(await codes({ files: [{ type: 'Coverage', rows: [between] }] })).toEqual([[1, 'older_version']]);
  });

  it('merges a record into another one, and repeats harmlessly', async () => {
    await load(withRecord());
    const merge = withChanges(
      changeParameters({ 'source-patient': `Patient/${p1}`, 'target-patient': `Patient/${p2}` }),
    );
    expect(await codes(merge)).toEqual([]);
    expect(await names(p1)).toEqual(['MEMBER']);
    const target = await record(p2);
    const moved = target.find(({ sk }) => sk === 'RESOURCE#Coverage#v1');
    expect(moved?.json).toContain(`Patient/${p2}`);
    expect(moved?.json).not.toContain(`Patient/${p1}"`);
    // Both records had it, and the newer version stays.
    expect(target.find(({ sk }) => sk === 'RESOURCE#Coverage#v2')).toMatchObject({ versionId: '2' });
    expect(await table.get(memberIdKey('DSNP', m1))).toMatchObject({ patientId: p2 });
    expect((await load(merge)).loads.report()).toMatchObject({ unchanged: 1 });
    expect(await codes({ files: [{ type: 'Coverage', rows: [coverage(p1, 'v9')] }] })).toEqual([
      [1, 'patient_merged'],
    ]);
    // The source sends the same version with the other Patient.
    expect(await codes({ files: [{ type: 'Coverage', rows: [coverage(p2, 'v1')] }] })).toEqual([]);
  });

  it('merges no grant: an application of the first Patient sees nothing of the second', async () => {
    await load(withRecord());
    const grant = { ...grantKey('DSNP', p1, 'g1'), grantId: 'g1', patientId: p1, state: 'active' };
    await table.put(grant);
    await load(
      withChanges(changeParameters({ 'source-patient': `Patient/${p1}`, 'target-patient': `Patient/${p2}` })),
    );
    const grantsOf = async (of: string) => (await table.query({ pk: grantPartition('DSNP', of) })).items;
    expect(await grantsOf(p1)).toEqual([grant]);
    expect(await grantsOf(p2)).toEqual([]);
    // A token of the old grant reads the first record, which is empty now.
    expect((await createPatientCompartment(table, 'DSNP').entries(p1, 'none', everyEntry)).entries).toEqual(
      [],
    );
  });

  /**
   * The counts of a load and its rejects by line.
   *
   * @param isRepeated whether the first call that ends a range fails, so that the load repeats it
   */
  async function countsOf(rows: readonly object[], isRepeated: boolean) {
    await load({
      files: [
        people(),
        { type: 'Coverage', rows: [coverage(p1, 'v1'), coverage(p2, 'v2')] },
        { type: 'ExplanationOfBenefit', rows: [claim(p1, 'w1')] },
      ],
    });
    const memory = memoryBucket();
    const event = upload(memory, withChanges(...rows));
    let isBroken = isRepeated;
    const update: Table['update'] = async (asked) => {
      const isKilled = isBroken && asked.key.sk.startsWith('RANGE#');
      isBroken &&= !isKilled;
      if (isKilled) throw new Error('killed');
      return await table.update(asked);
    };
    const loads = createLoads({ ...table, update }, memory);
    await loads.run(event).catch(() => undefined);
    expect(isBroken).toBe(false);
    if (isRepeated) await loads.run(event);
    const { loaded, unchanged, older, rejected } = loads.report();
    return [{ loaded, unchanged, older, rejected }, loads.rejects().map(({ line, code }) => [line, code])];
  }

  it.each([
    false,
    true,
  ])('counts as what became of it in the load (its range repeated: %s)', async (repeated) => {
    const of = (id: string) => ({ patient: `Patient/${id}` });
    const rows = () => [
      changeParameters({ withdraw: 'Coverage/v1', ...of(p1) }, undefined, 100),
      changeParameters({ withdraw: 'Coverage/v1', ...of(p1) }, undefined, 110),
      changeParameters({ withdraw: 'Coverage/v1', ...of(p1) }, undefined, 105),
      changeParameters({ withdraw: 'ExplanationOfBenefit/w1', ...of(p1) }),
      changeParameters({ withdraw: 'Coverage/none', ...of(p1) }),
      changeParameters({ move: `Patient/${p1}`, successor: 'Patient/q1' }, 'MAPD', 100),
      changeParameters({ move: `Patient/${p1}`, successor: 'Patient/q2' }, 'MAPD', 110),
      changeParameters({ 'source-patient': `Patient/${p1}`, 'target-patient': `Patient/${p2}` }),
      changeParameters({ withdraw: `Patient/${p2}` }),
    ];
    expect(await countsOf(rows(), repeated)).toEqual([
      { loaded: 7, unchanged: 1, older: 0, rejected: 1 },
      [[5, 'not_stored']],
    ]);
    expect(await names(p2)).toEqual(['MEMBER']);
  });

  it('moves the rest of a record that was merged half, also where its target was merged in between', async () => {
    const p3 = `p${test}-3`;
    await load(withRecord());
    await load({ files: [{ type: 'Patient', rows: [patient(p3, `M${test}00003`)] }] });
    const merged = (from: string, to: string) =>
      withChanges(
        changeParameters({ 'source-patient': `Patient/${from}`, 'target-patient': `Patient/${to}` }),
      );
    let moves = 0;
    const transact: Table['transact'] = async (writes, token) => {
      if (writes.some((write) => 'delete' in write)) moves += 1;
      if (moves === 2) throw new Error('killed');
      await table.transact(writes, token);
    };
    const [half, next] = [memoryBucket(), memoryBucket()];
    const event = upload(half, merged(p1, p2));
    const killed = createLoads({ ...table, transact }, half).run(event);
    await expect(killed).rejects.toThrow('killed');
    await createLoads(table, next).run(upload(next, merged(p2, p3)), 'e2', { overtakes: true });
    expect((await names(p1)).length).toBeGreaterThan(1);
    const resumed = createLoads(table, half);
    await resumed.run(event);
    expect(resumed.report()).toMatchObject({ loaded: 1, rejected: 0 });
    expect(await names(p1)).toEqual(['MEMBER']);
    expect(await names(p3)).toEqual(
      expect.arrayContaining(['RESOURCE#Coverage#v1', 'RESOURCE#Coverage#v2', `RESOURCE#Patient#${p3}`]),
    );
  });

  it('records that a member is in another LOB, and changes nothing else', async () => {
    await load(withRecord());
    const before = await names(p1);
    const move = withChanges(changeParameters({ move: `Patient/${p1}`, successor: 'Patient/q1' }, 'MAPD'));
    expect(await codes(move)).toEqual([]);
    expect(await names(p1)).toEqual(before);
    expect(await table.get(patientMemberKey('DSNP', p1))).toMatchObject({
      movedTo: { lob: 'MAPD', patientId: 'q1' },
    });
  });
});

describe('contact data of a member', () => {
  const contacts = async (memberId: string) => {
    const found = await createContactRecords(table, Date.now).find('DSNP', memberId);
    const { open } = createContactEnvelopes(memoryDataKeys, Date.now);
    return found && { patientId: found.place.patientId, ...(await open(found.place, found.envelope)) };
  };
  const of = (rows: readonly unknown[]) => ({ files: [{ type: 'Patient', rows }] });

  it('follows the newest Patient, and is sealed', async () => {
    await load(of([patient(p1, m1, { phone: '2025550101' }), patient(p2, m2)]));
    expect(await contacts(m1)).toMatchObject({
      patientId: p1,
      name: 'Ada Sampleton',
      phones: ['2025550101'],
    });
    expect(await contacts(m2)).toMatchObject({ phones: [] });
    const item = await table.get(memberIdKey('DSNP', m1));
    expect(Buffer.from(item?.contact as Uint8Array).toString('latin1')).not.toContain('2025550101');
    // A drop with two versions of a resource stores the newer one.
    await load(
      of([
        patient(p1, m1, { version: 2, phone: '2025550102' }),
        patient(p1, m1, { version: 3, phone: '2025550103' }),
      ]),
    );
    expect(await contacts(m1)).toMatchObject({ phones: ['2025550103'] });
    await load(of([patient(p1, m1, { version: 2, phone: '2025550102' })]));
    expect(await contacts(m1)).toMatchObject({ phones: ['2025550103'] });
  });

  it('goes with the member’s record, and comes back with a newer Patient', async () => {
    await load(of([patient(p1, m1, { phone: '2025550101' })]));
    const change = changeParameters({ withdraw: `Patient/${p1}` });
    await load({ files: [{ type: 'Parameters', rows: [change] }] });
    expect(await contacts(m1)).toBeUndefined();
    expect(await table.get(memberIdKey('DSNP', m1))).toMatchObject({ patientId: p1 });
    await load(of([patient(p1, m1, { version: 101, phone: '2025550109' })]));
    expect(await contacts(m1)).toMatchObject({ phones: ['2025550109'] });
    expect(await table.get(memberIdKey('DSNP', m1))).not.toHaveProperty('withdrawnAt');
  });

  it('is the other member’s after a merge', async () => {
    await load(of([patient(p1, m1, { phone: '2025550101' }), patient(p2, m2, { phone: '2025550102' })]));
    const change = changeParameters({ 'source-patient': `Patient/${p1}`, 'target-patient': `Patient/${p2}` });
    await load({ files: [{ type: 'Parameters', rows: [change] }] });
    expect(await contacts(m1)).toEqual(await contacts(m2));
    expect(await contacts(m1)).toMatchObject({ patientId: p2, phones: ['2025550102'] });
  });
});

describe('a load that is killed', () => {
  /**
   * A table whose calls fail from the given one on.
   *
   * @param carriedOut whether the first failing call takes effect
   */
  function killed(of: Table, at: number, carriedOut: boolean): Table {
    let calls = 0;
    const broken =
      <Args extends readonly unknown[], T>(act: (...args: Args) => Promise<T>) =>
      async (...args: Args): Promise<T> => {
        calls += 1;
        if (calls < at) return await act(...args);
        if (calls === at && carriedOut) await act(...args);
        throw new Error('killed');
      };
    return {
      get: broken(of.get),
      batchGet: broken(of.batchGet),
      query: broken(of.query),
      put: broken(of.put),
      update: broken(of.update),
      transact: broken(of.transact),
    };
  }

  const drop = (): Drop => ({
    files: [
      { type: 'Organization', rows: [organization(`shared${test}`)] },
      { type: 'Patient', rows: [patient(p1, m1), patient(p2, m2)] },
      {
        type: 'ExplanationOfBenefit',
        rows: Array.from({ length: 6 }, (_, at) =>
          claim(at % 2 === 0 ? p1 : p2, `c${at}`, { insurer: `Organization/shared${test}` }),
        ),
      },
      {
        type: 'Parameters',
        rows: [changeParameters({ withdraw: 'ExplanationOfBenefit/c1', patient: `Patient/${p2}` })],
      },
    ],
  });
  /** Both records, with this test's IDs replaced. */
  const state = async () => {
    const items = [...(await record(p1)), ...(await record(p2))].map(
      ({ content: _digest, valuesDigest: _valuesDigest, row: _place, ...item }) => item,
    );
    return JSON.parse(JSON.stringify(items).replaceAll(new RegExp(`(?<=[A-Za-z])${test}`, 'g'), ''));
  };

  it.each(
    Array.from({ length: 12 }, (_, at) => [3 + at * 3, at % 2 === 0]),
  )('at call %i (carried out: %s) ends, resumed, as if nothing had happened', async (call, carriedOut) => {
    const memory = memoryBucket();
    const event = upload(memory, drop());
    await createLoads(killed(table, call, carriedOut), memory)
      .run(event)
      .catch(() => undefined);
    const loads = createLoads(table, memory);
    expect(await loads.run(event)).toMatchObject({ kind: 'ended', state: 'reconciled' });
    // Rows that were written before the kill count as loaded, not as unchanged.
    expect(loads.report()).toMatchObject({ controlTotal: 10, loaded: 10, unchanged: 0, rejected: 0 });
    const after = await state();
    test += 100;
    [p1, p2, m1, m2] = [`p${test}-1`, `p${test}-2`, `M${test}00001`, `M${test}00002`];
    await load(drop());
    expect(after).toEqual(await state());
  });

  it('reports what it had loaded where its execution fails', async () => {
    const memory = memoryBucket();
    const event = upload(memory, drop());
    const withoutClaims: Table = {
      ...table,
      async transact(writes) {
        if (JSON.stringify(writes).includes('ENTRY#ExplanationOfBenefit')) throw new Error('killed');
        await table.transact(writes);
      },
    };
    const loads = createLoads(withoutClaims, memory);
    await expect(loads.run(event)).rejects.toThrow('killed');
    const accepted = await loads.step({ step: 'accept', event, execution: 'e1' });
    if (accepted.kind !== 'accepted') throw new Error(`the load is ${accepted.kind}`);
    await loads.step({ step: 'fail', lob: 'DSNP', jobId: accepted.jobId });
    expect(loads.report()).toMatchObject({
      ...{ state: 'failed', reason: 'execution_failed' },
      ...{ controlTotal: 10, loaded: 3, rejected: 0 },
    });
  });
});
