/** `npm run bench:memory`: measures the memory that planning and loading a large file of a drop takes. */

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadRange, type RangeItem } from '../lambdas/loads/course/load-range.ts';
import { carryOutLoadStep } from '../lambdas/loads/course/load-steps.ts';
import type { DropBucket } from '../lambdas/loads/ledger/drops.ts';
import { createSignedTable } from '../lambdas/platform/table/signed-table.ts';
import { loadServices } from '../test/support/load-services.ts';
import { startSqliteStore } from './sqlite-store.ts';

/**
 * `npm run bench:memory -- <megabytes>`: plans the load of a file of this size, and loads its first, middle and last range. Prints the peak
 * memory, to be compared between sizes. The file is generated while it is read, by repeating a block of rows.
 */
const block = Buffer.from(
  Array.from({ length: 20_000 }, (_, at) => {
    const id = String(at).padStart(8, '0');
    const coding = [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MB' }];
    const profile = ['http://hl7.org/fhir/us/carin-bb/StructureDefinition/C4BB-Patient|2.0.0'];
    return `${JSON.stringify({
      resourceType: 'Patient',
      id: `p${id}`,
      meta: { versionId: '1', lastUpdated: '2026-11-22T00:00:00Z', profile },
      identifier: [{ type: { coding }, system: 'https://plan.example/member', value: `M${id}` }],
      name: [{ family: 'Sampleton', given: ['Ada'] }],
      gender: 'female',
      birthDate: '1970-01-01',
    })}\n`;
  }).join(''),
);
const blocks = Math.max(1, Math.round((Number(process.argv[2] ?? 200) * 1e6) / block.length));
const bytes = blocks * block.length;
const whole = createHash('sha256');
for (let at = 0; at < blocks; at += 1) whole.update(block);
const file = { name: 'Patient.ndjson', type: 'Patient', rows: blocks * 20_000, sha256: whole.digest('hex') };
const manifest = {
  lob: 'DSNP',
  source: 'bench',
  kind: 'full',
  createdAt: '2026-11-22T00:00:00Z',
  files: [file],
};

const texts = new Map([['DSNP/bench/d1/manifest.json', JSON.stringify(manifest)]]);
const bucket: DropBucket = {
  async *read(_key, _versionId, from, to) {
    for (let at = from; at < to; ) {
      const start = at % block.length;
      const piece = block.subarray(start, Math.min(start + 65_536, start + to - at));
      // A copy, since bytes from a network are new buffers as well.
      yield Uint8Array.from(piece);
      at += piece.length;
    }
  },
  head: async () => ({ versionId: '1', bytes }),
  readText: async (key) => texts.get(key),
  put: async (key, text) => void texts.set(key, text),
  async *objects() {},
};

const folder = mkdtempSync(join(tmpdir(), 'member-data-load-memory-'));
const store = await startSqliteStore(join(folder, 'table.db'));
const { steps, ranges: deps } = loadServices(createSignedTable(store), bucket);
const { ledger } = steps;
const peak = () => `${Math.round(process.resourceUsage().maxRSS / 1024)} MB`;

try {
  const event = { detail: { object: { key: 'DSNP/bench/d1/manifest.json', 'version-id': '1' } } };
  const accepted = await carryOutLoadStep(steps, { step: 'accept', event, execution: 'bench' });
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
  const { lob, jobId } = accepted;
  await carryOutLoadStep(steps, { step: 'admit', lob, jobId, execution: 'bench' });
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  await carryOutLoadStep(steps, { step: 'plan', lob, jobId, file: 0 });
  const { user, system } = process.cpuUsage(cpu);
  const [planned, ranges] = await Promise.all([
    ledger.file({ lob, jobId }, 0),
    ledger.ranges({ lob, jobId }),
  ]);
  console.log(
    `${Math.round(bytes / 1e6)} MB, ${planned?.rowsFound} rows, ${ranges.length} ranges: planned in ${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of CPU; peak memory ${peak()}`,
  );
  const next = await carryOutLoadStep(steps, { step: 'next', lob, jobId, after: -1 });
  const items = JSON.parse(next.kind === 'wave' ? (texts.get(next.key) ?? '[]') : '[]') as RangeItem[];
  for (const at of new Set([0, Math.floor(items.length / 2), items.length - 1])) {
    const item = items[at];
    if (item !== undefined) await loadRange(deps, item);
  }
  const loaded = (await ledger.ranges({ lob, jobId })).filter(({ looks }) => looks === 1);
  console.log(
    `${loaded.map(({ rows, counts }) => `${rows} rows ${JSON.stringify(counts)}`).join(', ')}; peak memory ${peak()}`,
  );
} finally {
  await store.stop();
  rmSync(folder, { recursive: true, force: true });
}
