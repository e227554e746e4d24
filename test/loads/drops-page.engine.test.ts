import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dropManifest } from '../../lambdas/loads/ledger/manifest.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import { patientPartition } from '../../lambdas/platform/table/table-keys.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { startTestEngine } from '../support/engine.ts';
import { createLoads, memoryBucket, upload } from './load-world.ts';

const page = readFileSync(join(repositoryRoot, 'docs', 'drops.md'), 'utf8');
const examples = [...page.matchAll(/```ndjson (\w+)\n([\s\S]*?)\n```/g)].map(([, type = '', rows = '']) => ({
  type,
  rows: rows.split('\n'),
}));

const engine = await startTestEngine();
afterAll(() => engine.stop());

describe('the page on drops', () => {
  it('has a manifest as it must be, for the files it shows', () => {
    const [, text = ''] = /```json manifest\n([\s\S]*?)\n```/.exec(page) ?? [];
    const manifest = dropManifest.parse(JSON.parse(text.replaceAll('…', 'a'.repeat(64))));
    expect(manifest.files.map(({ type, rows }) => [type, rows])).toEqual(
      examples.map(({ type, rows }) => [type, rows.length]),
    );
  });

  it('has rows that load, each of them', async () => {
    const table = createSignedTable(engine);
    const memory = memoryBucket();
    const loads = createLoads(table, memory, { toleratedPercent: 0 });
    const ended = await loads.run(upload(memory, { files: examples }));
    expect(ended).toMatchObject({ state: 'reconciled' });
    expect(loads.report()).toMatchObject({ controlTotal: 19, loaded: 19, rejected: 0 });
    const { items } = await table.query({
      pk: patientPartition('DSNP', 'p-1001'),
      skBeginsWith: 'RESOURCE#',
    });
    expect(items.map(({ sk }) => sk)).toEqual([
      'RESOURCE#Condition#d-1001',
      'RESOURCE#Coverage#c-1001',
      'RESOURCE#ExplanationOfBenefit#e-1001',
      'RESOURCE#MedicationRequest#m-1001',
      'RESOURCE#Observation#o-1001',
      'RESOURCE#Organization#payer-1',
      'RESOURCE#Patient#p-1001',
    ]);
  });
});
