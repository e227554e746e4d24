/** Loads a drop of ten rows, as the plan's systems send it, and waits until it is reconciled. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { syntheticSource } from '../../lambdas/loads/ledger/freshness.ts';
import { expectEqual, expectObject } from '../demo/expect.ts';
import type { SmokeCheck } from './check.ts';

/** The check of the bucket, its event, the state machine and the functions of loads. No member refers to the rows. */
export const dropCheck: SmokeCheck = {
  id: 'drop',
  writes: true,
  async run({ ops, lob, target }) {
    const folder = mkdtempSync(join(tmpdir(), 'smoke-drop-'));
    try {
      writeFileSync(join(folder, 'Organization.ndjson'), organizationRows(new Date()));
      // A name of its own, because another smoke test at the same time would replace the files of the drop.
      const drop = `smoke-test-${randomUUID().slice(0, 8)}`;
      const place = ['--lob', lob, '--source', syntheticSource, '--drop', drop];
      const words = ['loads', 'start', folder, ...place, '-e', target.environment, '--json'];
      const { code, out, err } = await ops(...words);
      expectEqual('the load of ten rows', { code, said: code === 0 ? '' : out + err }, { code: 0, said: '' });
      const { jobId, state, counts } = expectObject('the load', out);
      expectEqual('the load’s state', state, 'reconciled');
      const { loaded, older, rejected } = counts as Readonly<Record<'loaded' | 'older' | 'rejected', number>>;
      // A smoke test that began later may have loaded its newer rows first.
      expectEqual(
        'the loaded and rejected rows',
        { loaded: loaded + older, rejected },
        { loaded: 10, rejected: 0 },
      );
      return `Load ${jobId} is reconciled: ${loaded} of 10 rows loaded.`;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Ten organizations with the same IDs in each run, and a new version. */
function organizationRows(now: Date): string {
  const lastUpdated = now.toISOString();
  const profile = 'http://hl7.org/fhir/us/carin-bb/StructureDefinition/C4BB-Organization|2.0.0';
  return Array.from({ length: 10 }, (_, index) => ({
    resourceType: 'Organization',
    id: `smoke-test-${index + 1}`,
    meta: { versionId: String(now.getTime()), lastUpdated, profile: [profile] },
    active: true,
    name: `Smoke Test Clinic ${index + 1}`,
  }))
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('');
}
