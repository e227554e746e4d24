import { createHash } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { receivedId } from '../../lambdas/catalog/payer/received-resources.ts';
import { decodeResource } from '../../lambdas/fhir/store/stored-resource.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import {
  freshnessPartition,
  patientPartition,
  patientResourceKey,
} from '../../lambdas/platform/table/table-keys.ts';
import { startTestEngine } from '../support/engine.ts';
import { changeParameters, claim, coverage, organization, patient } from './drop-rows.ts';
import { createLoads, type Drop, memoryBucket, upload } from './load-world.ts';

const engine = await startTestEngine();
afterAll(() => engine.stop());
const table = createSignedTable(engine);

/** Each test has Patients of its own, since all tests share one table. */
let test = 0;
let [p1, p2, m1, m2] = ['', '', '', ''];
beforeEach(() => {
  test += 1;
  [p1, p2, m1, m2] = [`p${test}-1`, `p${test}-2`, `M${test}00001`, `M${test}00002`];
});

const id = (name: string) => receivedId(createHash('sha256').update(`${test} ${name}`).digest('hex'));
const [source, other] = ['https://old.example/fhir', 'https://third.example/fhir'];

/** A row as another payer sent it: with its source and without a profile. */
function received<Row extends { readonly meta: object }>(row: Row, from = source): Row {
  const { profile: _profile, ...meta } = row.meta as { readonly profile?: unknown };
  return { ...row, meta: { ...meta, source: from } };
}

async function load(drop: Drop, toleratedPercent = 100) {
  const memory = memoryBucket();
  const loads = createLoads(table, memory, { toleratedPercent });
  const ended = await loads.run(upload(memory, { source: 'payer-old', ...drop }));
  const folder = `DSNP/${drop.source ?? 'payer-old'}/d1/`;
  return {
    ended,
    report: loads.report(folder),
    codes: loads.rejects(folder).map(({ line, code }) => [line, code]),
  };
}

const people = () =>
  load({ source: 'claims', files: [{ type: 'Patient', rows: [patient(p1, m1), patient(p2, m2)] }] });
const sent = (type: string, ...rows: unknown[]) => load({ product: 'received', files: [{ type, rows }] });

async function names(patientId: string) {
  const { items } = await table.query({
    pk: patientPartition('DSNP', patientId),
    skBeginsWith: 'RESOURCE#',
  });
  return items.map(({ sk }) => String(sk).replace('RESOURCE#', '').replace('#', '/'));
}

async function textOf(patientId: string, type: string, of: string) {
  const item = await table.get(patientResourceKey('DSNP', patientId, type, of));
  return item === undefined ? undefined : decodeResource(item).json;
}

describe('a drop of received data', () => {
  it('is stored beside the plan’s own, repeats without a change, and sets no freshness clock', async () => {
    await people();
    await load({ source: 'claims', files: [{ type: 'Coverage', rows: [coverage(p1, 'v1')] }] });
    const { items: before } = await table.query({ pk: freshnessPartition('DSNP') });
    const row = received(coverage(p1, id('v1'), { says: 'The old plan' }));
    expect(await sent('Coverage', row)).toMatchObject({
      ended: { state: 'reconciled' },
      report: { loaded: 1 },
    });
    expect((await sent('Coverage', row)).report).toMatchObject({ loaded: 0, unchanged: 1 });
    expect(await names(p1)).toEqual([`Coverage/${id('v1')}`, 'Coverage/v1', `Patient/${p1}`].sort());
    expect(JSON.parse((await textOf(p1, 'Coverage', id('v1'))) ?? '').meta.source).toBe(source);
    expect((await table.query({ pk: freshnessPartition('DSNP') })).items).toEqual(before);
  });

  it('has no Patients, and each row an id and a source that keep it apart', async () => {
    await people();
    const patients = await sent('Patient', received(patient(p1, m1, { version: 2 })));
    expect(patients.report).toMatchObject({ loaded: 0, files: [{ refusal: 'file_of_unknown_type' }] });
    const good = received(coverage(p1, id('v1')));
    const refers = (reference: string) => ({ ...good, payor: [{ reference }] });
    expect(
      await sent(
        'Coverage',
        received(coverage(p1, 'v1')),
        received(coverage(p1, `received-${'A'.repeat(40)}`)),
        { ...good, meta: { ...good.meta, source: undefined } },
        { ...good, meta: { ...good.meta, source: 'old.example' } },
        refers('Organization/plan-1'),
        good,
      ),
    ).toMatchObject({
      codes: [
        [1, 'not_received'],
        [2, 'not_received'],
        [3, 'no_source'],
        [4, 'no_source'],
        [5, 'not_received'],
      ],
      report: { loaded: 1, rejected: 5 },
    });
  });

  it('is reconciled however many rows are rejected, where the plan’s own would fail', async () => {
    await people();
    const bad = Array.from({ length: 20 }, (_, at) => received(coverage('nobody', id(`v${at}`))));
    const drop = { product: 'received', files: [{ type: 'Coverage', rows: bad }] };
    expect(await load(drop, 1)).toMatchObject({ ended: { state: 'reconciled' }, report: { rejected: 20 } });
    const own = Array.from({ length: 20 }, (_, at) => coverage('nobody', `v${at}`));
    expect(await load({ files: [{ type: 'Coverage', rows: own }] }, 1)).toMatchObject({
      ended: { state: 'failed' },
    });
  });

  it('keeps a row whose reference leads nowhere, and copies shared resources that came with it', async () => {
    await people();
    const insurer = `Organization/${id('o')}`;
    const row = received(claim(p1, id('c1'), { coverage: `Coverage/${id('gone')}`, insurer }));
    const drop = {
      product: 'received',
      files: [
        { type: 'ExplanationOfBenefit', rows: [row, received(claim('nobody', id('c2')))] },
        { type: 'Organization', rows: [received(organization(id('o')))] },
      ],
    };
    expect(await load(drop)).toMatchObject({
      codes: [[2, 'unresolved_reference']],
      report: { loaded: 2, rejected: 1 },
    });
    expect(await names(p1)).toEqual([`ExplanationOfBenefit/${id('c1')}`, insurer, `Patient/${p1}`]);
  });

  it('withdraws what was received and nothing else', async () => {
    await people();
    await load({ source: 'claims', files: [{ type: 'Coverage', rows: [coverage(p1, 'v1')] }] });
    await sent('Coverage', received(coverage(p1, id('v1'))));
    const changes = await sent(
      'Parameters',
      changeParameters({ withdraw: `Coverage/${id('v1')}`, patient: `Patient/${p1}` }),
      changeParameters({ withdraw: 'Coverage/v1', patient: `Patient/${p1}` }),
      changeParameters({ withdraw: `Patient/${p1}` }),
      changeParameters({ 'source-patient': `Patient/${p1}`, 'target-patient': `Patient/${p2}` }),
    );
    expect(changes.codes).toEqual([2, 3, 4].map((line) => [line, 'not_received']));
    expect(await names(p1)).toEqual(['Coverage/v1', `Patient/${p1}`]);
  });

  it('goes over with a merge, may be sent again for the Patient that stays, and ends with the record', async () => {
    await people();
    const [one, two] = [coverage(p1, id('v1')), coverage(p2, id('v1'))];
    await sent('Coverage', received(one));
    const plan = (...rows: unknown[]) => load({ source: 'claims', files: [{ type: 'Parameters', rows }] });
    await plan(changeParameters({ 'source-patient': `Patient/${p1}`, 'target-patient': `Patient/${p2}` }));
    expect(JSON.parse((await textOf(p2, 'Coverage', id('v1'))) ?? '')).toEqual(received(two));
    expect((await sent('Coverage', received(one))).codes).toEqual([[1, 'patient_merged']]);
    expect((await sent('Coverage', received(two))).report).toMatchObject({ rejected: 0 });
    await plan(changeParameters({ withdraw: `Patient/${p2}` }));
    expect(await names(p2)).toEqual([]);
  });
});

describe('a drop of the plan', () => {
  it('has, refers to and withdraws no received resource', async () => {
    await people();
    await sent('Coverage', received(coverage(p1, id('v1')), other));
    const own = await load({
      files: [
        { type: 'Coverage', rows: [coverage(p1, id('v1'), { version: 9 }), coverage(p1, 'received-2')] },
        { type: 'ExplanationOfBenefit', rows: [claim(p1, 'c1', { coverage: `Coverage/${id('v1')}` })] },
        {
          type: 'Parameters',
          rows: [changeParameters({ withdraw: `Coverage/${id('v1')}`, patient: `Patient/${p1}` })],
        },
      ],
    });
    expect(own.codes).toEqual([1, 2, 1, 1].map((line) => [line, 'reserved_id']));
    expect(JSON.parse((await textOf(p1, 'Coverage', id('v1'))) ?? '').meta.source).toBe(other);
  });
});
