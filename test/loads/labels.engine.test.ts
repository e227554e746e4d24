import { afterAll, describe, expect, it } from 'vitest';
import { createRecordLabeling } from '../../lambdas/fhir/store/label-writes.ts';
import { createPatientCompartment } from '../../lambdas/fhir/store/resource-store.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import { auditKey, patientLabelsKey } from '../../lambdas/platform/table/table-keys.ts';
import { startTestEngine } from '../support/engine.ts';
import { changeParameters, patient } from './drop-rows.ts';
import { createLoads, memoryBucket, upload } from './load-world.ts';

const engine = await startTestEngine();
afterAll(() => engine.stop());
const table = createSignedTable(engine);

type Row = Readonly<Record<string, unknown>>;

const icd10 = 'http://hl7.org/fhir/sid/icd-10-cm';
const clinical = 'http://terminology.hl7.org/CodeSystem/condition-clinical';
const categories = 'http://terminology.hl7.org/CodeSystem/condition-category';

/** Makes rows of one Patient, each with its own version. */
function rowsOf(patientId: string) {
  const row = (resourceType: string, id: string, profile: string, version: number, elements: Row): Row => ({
    resourceType,
    id,
    meta: {
      versionId: String(version),
      lastUpdated: new Date(1_790_000_000_000 + version * 1_000).toISOString(),
      profile: [`http://hl7.org/fhir/us/core/StructureDefinition/${profile}|6.1.0`],
    },
    subject: { reference: `Patient/${patientId}` },
    ...elements,
  });
  const medicationCodeableConcept = { text: 'A medicine' };
  return {
    condition: (code: string, version = 1) =>
      row('Condition', 'c', 'us-core-condition-encounter-diagnosis', version, {
        clinicalStatus: { coding: [{ system: clinical, code: 'active' }] },
        category: [{ coding: [{ system: categories, code: 'encounter-diagnosis' }] }],
        code: { coding: [{ system: icd10, code }] },
      }),
    request: (reason: boolean, version = 1) =>
      row('MedicationRequest', 'r', 'us-core-medicationrequest', version, {
        ...{ status: 'active', intent: 'order', medicationCodeableConcept, authoredOn: '2026-03-05' },
        requester: { reference: `Patient/${patientId}` },
        ...(reason && { reasonReference: [{ reference: 'Condition/c', display: 'Alcohol dependence' }] }),
      }),
    dispense: () =>
      row('MedicationDispense', 'd', 'us-core-medicationdispense', 1, {
        ...{ status: 'completed', medicationCodeableConcept, whenHandedOver: '2026-03-06' },
        authorizingPrescription: [{ reference: 'MedicationRequest/r' }],
      }),
  };
}

async function load(...rows: readonly Row[]): Promise<void> {
  const memory = memoryBucket();
  const loads = createLoads(table, memory);
  const files = [...Map.groupBy(rows, ({ resourceType }) => String(resourceType))].map(([type, of]) => ({
    ...{ type, rows: [...of] },
  }));
  expect(await loads.run(upload(memory, { files }))).toMatchObject({ state: 'reconciled' });
  expect(loads.rejects()).toEqual([]);
}

async function labelsOf(patientId: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const compartment = createPatientCompartment(table, 'DSNP');
  const asked = { resourceType: 'Condition', references: false };
  const { labels } = await compartment.entries(patientId, 'none', asked);
  const read = await compartment.read(patientId, 'none', 'Condition', 'c');
  expect(read.labels).toEqual(labels);
  return Object.fromEntries([...labels].map(([name, label]) => [name, label.categories]));
}

const use = ['substance-use'];

describe('the labels of a record', () => {
  it('are written with what is loaded, and reach what is about it at any distance', async () => {
    const { condition, request, dispense } = rowsOf('l1');
    await load(patient('l1', 'L1'), condition('F10.20'), request(true), dispense());
    expect(await labelsOf('l1')).toEqual({
      'Condition/c': use,
      'MedicationRequest/r': use,
      'MedicationDispense/d': use,
    });
  });

  it('grow with a later version of what others are about, and go with a version without', async () => {
    const { condition, request, dispense } = rowsOf('l2');
    await load(patient('l2', 'L2'), condition('I10'), request(true), dispense());
    expect(await labelsOf('l2')).toEqual({});
    await load(condition('F10.20', 2));
    const all = { 'Condition/c': use, 'MedicationRequest/r': use, 'MedicationDispense/d': use };
    expect(await labelsOf('l2')).toEqual(all);
    await load(request(false, 2), condition('I10', 3));
    // The dispense keeps the label that it got from the request until a new version of the dispense is loaded.
    expect(await labelsOf('l2')).toEqual({ 'MedicationDispense/d': use });
  });

  it('are completed where two loads wrote beside each other, neither having seen the other', async () => {
    const { condition, request } = rowsOf('l3');
    await load(patient('l3', 'L3'), condition('F10.20'), request(true));
    const key = patientLabelsKey('DSNP', 'l3');
    await table.transact([{ attributes: { key, set: {}, remove: ['.MedicationRequest/r'] } }]);
    expect(await labelsOf('l3')).toEqual({ 'Condition/c': use });
    const event = { put: { ...auditKey('DSNP', { patientId: 'l3' }, 't', 'e') } };
    await createRecordLabeling(table, 'DSNP').settle(['l3'], () => event);
    expect(await table.get(event.put)).toBeDefined();
    expect(await labelsOf('l3')).toEqual({ 'Condition/c': use, 'MedicationRequest/r': use });
  });

  it('move with a record that is merged, and go with one that is withdrawn', async () => {
    const { condition, request } = rowsOf('l4');
    await load(patient('l4', 'L4'), patient('l5', 'L5'), condition('F10.20'), request(true));
    await load(changeParameters({ 'source-patient': 'Patient/l4', 'target-patient': 'Patient/l5' }));
    expect(await labelsOf('l5')).toEqual({ 'Condition/c': use, 'MedicationRequest/r': use });
    expect(await table.get(patientLabelsKey('DSNP', 'l4'))).toBeUndefined();
    await load(changeParameters({ withdraw: 'Patient/l5' }));
    expect(await table.get(patientLabelsKey('DSNP', 'l5'))).toBeUndefined();
  });

  it('stay with the name of a resource that is withdrawn: others still have it', async () => {
    const { condition, request } = rowsOf('l6');
    await load(patient('l6', 'L6'), condition('F10.20'), request(true));
    await load(changeParameters({ withdraw: 'Condition/c', patient: 'Patient/l6' }));
    expect(await labelsOf('l6')).toEqual({ 'Condition/c': use, 'MedicationRequest/r': use });
  });

  it('are missing of what an earlier version of the service stored, which is not served', async () => {
    const { condition } = rowsOf('l7');
    await load(patient('l7', 'L7'), condition('I10'));
    const compartment = createPatientCompartment(table, 'DSNP');
    const read = () => compartment.read('l7', 'none', 'Condition', 'c');
    expect((await read()).resource?.versionId).toBe('1');
    await table.update({
      key: { pk: 'DSNP#PATIENT#l7', sk: 'RESOURCE#Condition#c' },
      expression: 'REMOVE labeled',
      condition: 'attribute_exists(pk)',
    });
    expect((await read()).resource).toBeUndefined();
  });
});
