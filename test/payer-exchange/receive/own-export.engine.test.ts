import { afterAll, expect, it } from 'vitest';
import { labeledValues } from '../../../lambdas/fhir/labels/resource-label.ts';
import type { SearchEntry } from '../../../lambdas/fhir/values/patient-compartment.ts';
import { releasedResources } from '../../../lambdas/payer-access/release/released-resources.ts';
import { payerProvenances } from '../../../lambdas/payer-exchange/receive/payer-provenance.ts';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import { patientPartition } from '../../../lambdas/platform/table/table-keys.ts';
import { populationMembers } from '../../../ops/generator/population.ts';
import { patient } from '../../loads/drop-rows.ts';
import { createLoads, memoryBucket, upload } from '../../loads/load-world.ts';
import { startTestEngine } from '../../support/engine.ts';
import { context, translate } from './translation-world.ts';

const engine = await startTestEngine();
afterAll(() => engine.stop());
const table = createSignedTable(engine);
const now = Date.parse('2026-11-22T00:00:00Z');

type Resource = { readonly resourceType: string; readonly id: string; readonly json: string };

/** The rows of a member that Payer Access of this service exports. */
async function exported(patientId: string, resources: readonly Resource[]): Promise<readonly string[]> {
  const contents = resources.map(({ json }) => JSON.parse(json));
  const entries = contents.map((content): SearchEntry => {
    const { label: _label, ...values } = labeledValues(content);
    const { versionId, lastUpdated } = content.meta;
    return { resourceType: content.resourceType, id: content.id, versionId, lastUpdated, values };
  });
  const compartment = {
    entries: async () => ({ grant: undefined, entries, labels: new Map() }),
    resources: async (_patientId: string, names: readonly { resourceType: string; id: string }[]) =>
      names.map(({ resourceType, id }) => {
        const found = resources.find((each) => each.resourceType === resourceType && each.id === id);
        return found && { json: found.json, versionId: '1', lastUpdated: '2026-11-20T00:00:00Z' };
      }),
  };
  const selection = { policy: 'sensitive', scope: 'patient/*.rs' } as const;
  const rows: string[] = [];
  for await (const { json } of releasedResources(compartment, { patientId, grantId: 'g' }, selection, now)) {
    rows.push(json);
  }
  return rows;
}

it('the export of this service is loaded without a reject, and again without a change', async () => {
  const population = { lob: 'DSNP', seed: 'received', month: '2026-11-01' } as const;
  const files = new Map<string, Map<string, string>>();
  const add = (type: string, id: string, json: string) =>
    files.set(type, (files.get(type) ?? new Map()).set(id, json));
  const patients: object[] = [];
  const types = new Set<string>();
  for (const member of populationMembers(population, 6)) {
    const own = `own-${patients.length}`;
    patients.push(patient(own, `M${patients.length}`));
    const targets: string[] = [];
    for (const text of await exported(member.patientId, member.resources)) {
      const row = translate(text, { ...context, members: new Map([[member.patientId, own]]) });
      if (row.kind === 'skipped') continue;
      if (row.kind === 'reject') throw new Error(`${JSON.stringify(row)} of ${text.slice(0, 300)}`);
      add(row.type, row.id, row.json);
      types.add(row.type);
      if (row.patientId !== undefined) targets.push(`${row.type}/${row.id}`);
    }
    for (const { id, json } of payerProvenances(context, own, targets, context.transactionTime)) {
      add('Provenance', id, json);
      expect(payerProvenances(context, own, targets.toReversed(), context.transactionTime)).toContainEqual({
        id,
        json,
      });
    }
  }
  expect([...types]).toEqual(expect.arrayContaining(['Coverage', 'ExplanationOfBenefit', 'Condition']));
  const run = async (product: string, contents: readonly { type: string; rows: readonly unknown[] }[]) => {
    const memory = memoryBucket();
    const each = createLoads(table, memory, { rangeBytes: 8_000_000 });
    await each.run(upload(memory, { product, source: 'payer-old', files: contents }));
    const folder = 'DSNP/payer-old/d1/';
    return { report: each.report(folder), rejects: each.rejects(folder) };
  };
  await run('members', [{ type: 'Patient', rows: patients }]);
  const contents = [...files].map(([type, rows]) => ({ type, rows: [...rows.values()] }));
  const rows = contents.reduce((sum, each) => sum + each.rows.length, 0);
  expect(rows).toBeGreaterThan(1_000);
  const first = await run('received', contents);
  expect(
    first.rejects.map(({ file, code, resource, ...rest }) => ({ file, code, resource, ...rest })),
  ).toEqual([]);
  expect(first.report).toMatchObject({ state: 'reconciled', loaded: rows, rejected: 0 });
  expect((await run('received', contents)).report).toMatchObject({ loaded: 0, unchanged: rows });
  const { items } = await table.query({
    pk: patientPartition('DSNP', 'own-0'),
    skBeginsWith: 'RESOURCE#Provenance#received-',
  });
  expect(items).not.toHaveLength(0);
});
