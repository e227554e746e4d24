import { afterAll, expect, it } from 'vitest';
import { carryOutLoadOperation } from '../../../lambdas/loads/course/load-operations.ts';
import type { Load } from '../../../lambdas/loads/ledger/load.ts';
import { createLoadLedger } from '../../../lambdas/loads/store/load-ledger.ts';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import { startTestEngine } from '../../support/engine.ts';
import { memoryBucket } from '../load-world.ts';

const engine = await startTestEngine();
afterAll(() => engine.stop());

const load = (at: number): Load => ({
  ...{ lob: 'DSNP', jobId: `daily.${String(at).padStart(8, '0')}`, source: 'claims', drop: 'daily' },
  ...{ kind: 'full', folder: 'DSNP/claims/daily/', state: 'accepted', execution: 'e', attempt: 1 },
  acceptedAt: new Date(Date.UTC(2026, 10, 1, 0, at)).toISOString(),
  manifest: {
    ...{ lob: 'DSNP', source: 'claims', kind: 'full', createdAt: '2026-11-01T00:00:00Z' },
    files: [{ name: 'Patient.ndjson', type: 'Patient', rows: 1, sha256: '0'.repeat(64) }],
  },
});

const file = { versionId: 'v', bytes: 9, rowsFound: 3 };

it('lists every load once, newest first and with what a failed one did; and does not retry one that has nothing to load', async () => {
  const ledger = createLoadLedger(createSignedTable(engine));
  for (let at = 0; at < 23; at += 1) await ledger.accept(load(at));
  const deps = {
    ...{ ledger, bucket: memoryBucket().bucket, bucketName: 'b', now: Date.now },
    start: async () => {},
    reportLate: () => {},
    sweep: async () => ({ kind: 'swept', started: [], ended: [], unnamed: [] }) as const,
  };
  const listed: string[] = [];
  let after: string | undefined;
  do {
    const page = await carryOutLoadOperation(deps, { action: 'list', lob: 'DSNP', ...(after && { after }) });
    if (page.kind !== 'list') throw new Error(page.kind);
    listed.push(...page.loads.map(({ jobId }) => jobId));
    after = page.next;
  } while (after !== undefined);
  expect(listed).toEqual(Array.from({ length: 23 }, (_, at) => load(22 - at).jobId));

  // A load whose execution failed; its finished ranges remain loaded.
  const failed = load(22);
  const range = { ...{ file: 0, range: 0, from: 0, to: 9, firstLine: 1, rows: 3, wave: 0 }, looks: 0 };
  const planned = { ...range, unresolved: 0, resolved: 0 };
  await ledger.plan(failed, { ...{ file: 0, name: 'Patient.ndjson', type: 'Patient', rows: 3 }, ...file }, [
    planned,
  ]);
  const counts = { loaded: 2, unchanged: 1, older: 0, rejected: 0 };
  await ledger.finishRange(failed, planned, { looks: 1, counts, unresolved: 0 });
  await ledger.act(failed, 'fail', { reason: 'execution_failed' });
  const newest = await carryOutLoadOperation(deps, { action: 'list', lob: 'DSNP', limit: 1 });
  expect(newest).toMatchObject({ loads: [{ jobId: failed.jobId, state: 'failed', counts }] });

  const name = { lob: 'DSNP', jobId: load(0).jobId } as const;
  await ledger.act(name, 'start');
  await ledger.act(name, 'reconcile', { counts: { loaded: 1, unchanged: 0, older: 0, rejected: 0 } });
  const retry = await carryOutLoadOperation(deps, { action: 'retry', ...name });
  expect(retry).toEqual({ kind: 'refused', reason: 'nothing_to_retry' });
});
