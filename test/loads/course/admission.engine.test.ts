import { afterAll, describe, expect, it } from 'vitest';
import { carryOutLoadOperation } from '../../../lambdas/loads/course/load-operations.ts';
import { sweepLoads } from '../../../lambdas/loads/course/sweep-loads.ts';
import { digests } from '../../../lambdas/platform/runtime/digests.ts';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import { startTestEngine } from '../../support/engine.ts';
import { organization } from '../drop-rows.ts';
import { createLoads, memoryBucket, upload } from '../load-world.ts';

const engine = await startTestEngine();
afterAll(() => engine.stop());
const table = createSignedTable(engine);

const noon = Date.parse('2026-11-24T12:00:00Z');
const files = [{ type: 'Organization', rows: [organization('o1')] }];

/**
 * Loads of one bucket, one second apart, and the operators' requests about them.
 *
 * @param running names of the executions that are running.
 */
function world(running: ReadonlySet<string> = new Set()) {
  const memory = memoryBucket();
  let seconds = 0;
  const now = () => noon + 1_000 * ++seconds;
  const loads = createLoads(table, memory, { now });
  const { writtenAt } = memory;
  writtenAt.value = noon;
  const swept: string[] = [];
  const startedBy: object[] = [];
  const operations = {
    ledger: loads.ledger,
    bucketName: 'ingest',
    bucket: memory.bucket,
    now: () => noon,
    sha256: digests.sha256Hex,
    start: async (input: object) => void startedBy.push(input),
    reportLate: () => {},
    sweep: () => sweepLoads({ ...operations, isRunning, report }),
  };
  const isRunning = async (execution: string) => running.has(execution);
  const report = (code: string, lob: string) => void swept.push(`${code} ${lob}`);
  return {
    loads,
    swept,
    startedBy,
    writtenAt,
    put: memory.put,
    drop: (name: string, lob: 'MAPD' | 'DSNP' | 'EGWP' | 'CHPDC' | 'CHPMD') =>
      upload(memory, { files, name, lob, source: 'claims' }),
    operate: (request: object) => carryOutLoadOperation(operations, request),
    async accept(event: ReturnType<typeof upload>, execution: string) {
      const accepted = await loads.step({ step: 'accept', event, execution });
      if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
      const { lob, jobId } = accepted;
      return { lob, jobId, execution };
    },
  };
}

describe('the line of a LOB', () => {
  it('lets one load run at a time, in the order of arrival', async () => {
    const { loads, drop, accept, operate } = world();
    const [a, b, c] = ['a', 'b', 'c'].map((name) => drop(name, 'MAPD'));
    const first = await accept(a as never, 'e-a');
    const second = await accept(b as never, 'e-b');
    const third = await accept(c as never, 'e-c');
    expect(await loads.step({ step: 'admit', ...third })).toEqual({ kind: 'waiting', seconds: 5, ahead: 2 });
    expect(await loads.step({ step: 'admit', ...first })).toEqual({ kind: 'admitted' });
    expect(await loads.step({ step: 'admit', ...first })).toEqual({ kind: 'admitted' });
    expect(await loads.step({ step: 'admit', ...second })).toMatchObject({ kind: 'waiting', ahead: 1 });
    const { lob, jobId } = third;
    expect(await operate({ action: 'show', lob, jobId })).toMatchObject({
      load: { state: 'accepted', ahead: 2 },
    });
    await loads.step({ step: 'fail', lob, jobId: first.jobId });
    expect(await loads.step({ step: 'admit', ...third })).toMatchObject({ kind: 'waiting', ahead: 1 });
    expect(await loads.step({ step: 'admit', ...second })).toEqual({ kind: 'admitted' });
    await operate({ action: 'cancel', lob, jobId: second.jobId });
    expect(await loads.step({ step: 'admit', ...third })).toEqual({ kind: 'admitted' });
    expect(await loads.step({ step: 'admit', ...second })).toEqual({ kind: 'ended' });
  });

  it('starts one of those who ask at once', async () => {
    const { loads, drop, accept } = world();
    const event = drop('once', 'EGWP');
    const load = await accept(event, 'e-1');
    const duplicate = await loads.step({ step: 'accept', event, execution: 'e-2' });
    expect(duplicate).toEqual({ kind: 'duplicate' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => loads.step({ step: 'admit', ...load })),
    );
    // A load that lost the race for its turn asks again, and is told of the start that won.
    expect(answers.filter(({ kind }) => kind === 'admitted').length).toBeGreaterThan(0);
    expect(await loads.step({ step: 'admit', ...load })).toEqual({ kind: 'admitted' });
    expect(await loads.step({ step: 'admit', ...load, execution: 'e-2' })).toEqual({ kind: 'ended' });
  });

  it('asks less often the longer it waits, and takes a retry in once it has an execution', async () => {
    const { loads, drop, accept, operate } = world();
    const [first, second] = [
      await accept(drop('a', 'CHPDC'), 'e-a'),
      await accept(drop('b', 'CHPDC'), 'e-b'),
    ];
    await loads.step({ step: 'admit', ...first });
    for (let asked = 0; asked < 150; asked += 1) await loads.step({ step: 'admit', ...second });
    expect(await loads.step({ step: 'admit', ...second })).toMatchObject({ seconds: 8 });
    const { lob, jobId } = first;
    await loads.step({ step: 'fail', lob, jobId });
    await operate({ action: 'retry', lob, jobId });
    // The retry comes first in line and has no execution yet; it does not delay the second load.
    expect(await loads.step({ step: 'admit', ...second })).toEqual({ kind: 'admitted' });
    const retried = await loads.step({ step: 'accept', event: { retry: { lob, jobId } }, execution: 'e-c' });
    expect(retried).toMatchObject({ kind: 'accepted', jobId });
    expect(await loads.step({ step: 'admit', lob, jobId, execution: 'e-c' })).toMatchObject({ ahead: 1 });
  });

  it('gives each LOB that loads its share of the ranges', async () => {
    const { loads, drop, accept } = world();
    const load = await accept(drop('share', 'CHPMD'), 'e-s');
    await loads.step({ step: 'admit', ...load });
    const { lob, jobId } = load;
    await loads.step({ step: 'plan', lob, jobId, file: 0 });
    // Twelve ranges are loaded at once, shared with the three loads that run since the tests before (MAPD, EGWP and CHPDC).
    expect(await loads.step({ step: 'next', lob, jobId, after: -1 })).toMatchObject({ rangesAtOnce: 3 });
  });
});

describe('the sweep', () => {
  const minute = 60_000;

  it('starts a drop that has no load after 15 minutes, and none that has one or was refused', async () => {
    const { drop, accept, operate, startedBy, swept, writtenAt } = world(new Set(['e-known']));
    const lost = drop('lost', 'DSNP');
    await accept(drop('known', 'DSNP'), 'e-known');
    writtenAt.value = noon - 14 * minute;
    expect(await operate({ action: 'sweep' })).toMatchObject({ started: [] });
    writtenAt.value = noon - 16 * minute;
    expect(await operate({ action: 'sweep' })).toMatchObject({ started: ['DSNP/claims/lost/manifest.json'] });
    expect(startedBy).toEqual([lost]);
    expect(swept).toContain('drop_without_load DSNP');
    await accept(lost, 'e-known');
    expect(await operate({ action: 'sweep' })).toMatchObject({ started: [] });
    writtenAt.value = noon - 8 * 24 * 60 * minute;
    drop('ancient', 'DSNP');
    expect(await operate({ action: 'sweep' })).toMatchObject({ started: [] });
  });

  it('starts a drop that was sent again under its name, whatever became of the first', async () => {
    const { loads, drop, operate, put, writtenAt } = world();
    const again = 'DSNP/claims/again/manifest.json';
    await loads.run(drop('again', 'DSNP'));
    drop('again', 'DSNP');
    const refused = put('DSNP/claims/wrong/manifest.json', '{}');
    await loads.run({
      detail: { object: { key: 'DSNP/claims/wrong/manifest.json', 'version-id': refused } },
    });
    writtenAt.value = noon - 16 * minute;
    expect(await operate({ action: 'sweep' })).toMatchObject({ started: [again] });
    put('DSNP/claims/wrong/manifest.json', '{');
    expect(await operate({ action: 'sweep' })).toMatchObject({
      started: [again, 'DSNP/claims/wrong/manifest.json'],
    });
  });

  it('tells of a file that no manifest has named for a day', async () => {
    const { loads, drop, operate, put, swept, writtenAt } = world();
    await loads.run(drop('named', 'DSNP'));
    const unnamed = ['DSNP/claims/named/late.ndjson', 'DSNP/claims/waits/Patient.ndjson', 'patients.csv'];
    for (const key of unnamed) put(key, '{}');
    put('DSNP/claims/named/report/other.1/rejects/0000-000000.ndjson', '');
    writtenAt.value = noon - 23 * 60 * minute;
    expect(await operate({ action: 'sweep' })).toMatchObject({ unnamed: [] });
    writtenAt.value = noon - 25 * 60 * minute;
    expect(await operate({ action: 'sweep' })).toMatchObject({ unnamed });
    expect(swept).toContain('file_without_manifest DSNP');
  });

  it('fails a load whose execution was stopped, so that the next has its turn', async () => {
    const { loads, drop, accept, operate, swept } = world(new Set(['e-alive']));
    const [stopped, next] = [
      await accept(drop('stopped', 'EGWP'), 'e-stopped'),
      await accept(drop('next', 'EGWP'), 'e-alive'),
    ];
    expect(await loads.step({ step: 'admit', ...next })).toMatchObject({ kind: 'waiting' });
    const { ended } = (await operate({ action: 'sweep' })) as { ended: readonly string[] };
    expect(ended).toContain(stopped.jobId);
    expect(swept).toContain('load_without_execution EGWP');
    expect(await loads.ledger.load(stopped)).toMatchObject({ state: 'failed', reason: 'execution_failed' });
    expect(await loads.step({ step: 'admit', ...next })).toEqual({ kind: 'admitted' });
  });
});
