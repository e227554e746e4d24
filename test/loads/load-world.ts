import { createHash, randomUUID } from 'node:crypto';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { loadRange, type RangeItem } from '../../lambdas/loads/course/load-range.ts';
import { carryOutLoadStep } from '../../lambdas/loads/course/load-steps.ts';
import type { LoadStep } from '../../lambdas/loads/course/load-steps-contract.ts';
import type { DropBucket } from '../../lambdas/loads/ledger/drops.ts';
import type { Table } from '../../lambdas/platform/table/table.ts';
import { loadServices } from '../support/load-services.ts';

/** The ingest bucket in memory, with the last version of each object. */
export function memoryBucket() {
  const objects = new Map<string, { readonly body: Uint8Array; readonly versionId: string }>();
  /** Time of writing that a listing reports for every object. */
  const writtenAt = { value: 0 };
  const bucket: DropBucket = {
    async *read(key, versionId, from, to) {
      const found = objects.get(key);
      if (found?.versionId !== versionId) throw new Error(`no version ${versionId} of ${key}`);
      // Chunks that end at any byte, as a network delivers them.
      for (let at = from; at < to; at += 777) yield found.body.subarray(at, Math.min(to, at + 777));
    },
    async head(key) {
      const found = objects.get(key);
      return found && { versionId: found.versionId, bytes: found.body.length };
    },
    async readText(key) {
      const found = objects.get(key);
      return found && new TextDecoder().decode(found.body);
    },
    async put(key, text) {
      put(key, text);
    },
    async *objects(prefix = '') {
      for (const key of objects.keys()) {
        if (key.startsWith(prefix)) yield { key, writtenAt: writtenAt.value };
      }
    },
  };
  function put(key: string, body: string | Uint8Array): string {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const versionId = randomUUID();
    objects.set(key, { body: bytes, versionId });
    return versionId;
  }
  const text = (key: string) => new TextDecoder().decode(objects.get(key)?.body);
  const remove = (key: string) => void objects.delete(key);
  const keys = () => [...objects.keys()];
  return { bucket, put, text, remove, keys, writtenAt };
}

type MemoryBucket = ReturnType<typeof memoryBucket>;

/** A file of a drop, given as rows or as bytes. */
export interface DropContent {
  readonly type: string;
  readonly rows: readonly unknown[];
  /**
   * Bytes of the file.
   *
   * @default those of the rows
   */
  readonly bytes?: Uint8Array;
  /**
   * Values in the manifest.
   *
   * @default those of the file
   */
  readonly declared?: { readonly rows?: number; readonly sha256?: string };
}

export interface Drop {
  readonly files: readonly DropContent[];
  readonly lob?: LineOfBusiness;
  readonly source?: string;
  readonly name?: string;
  /** @default members */
  readonly product?: string;
}

/**
 * Uploads a drop, the manifest last.
 *
 * @returns S3's event for the manifest.
 */
export function upload(
  { put }: MemoryBucket,
  { files, lob = 'DSNP', source = 'claims', name = 'd1', product }: Drop,
) {
  const folder = `${lob}/${source}/${name}/`;
  const entries = files.map(({ type, rows, bytes, declared }, at) => {
    const text = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n');
    const body = bytes ?? new TextEncoder().encode(`${text}\n`);
    const file = `${String(at)}-${type}.ndjson`;
    put(`${folder}${file}`, body);
    const sha256 = createHash('sha256').update(body).digest('hex');
    return { name: file, type, rows: rows.length, sha256, ...declared };
  });
  const manifest = { lob, source, product, kind: 'delta', createdAt: '2026-11-22T02:00:00Z', files: entries };
  const key = `${folder}manifest.json`;
  const versionId = put(key, JSON.stringify(manifest));
  return { detail: { object: { key, 'version-id': versionId } } };
}

/** Runs loads with a table and a bucket: the work of the state machine in one process. */
export function createLoads(
  table: Table,
  memory: MemoryBucket,
  options: {
    readonly rangeBytes?: number;
    readonly toleratedPercent?: number;
    readonly now?: () => number;
  } = {},
) {
  const { now = () => 1_796_000_000_000, rangeBytes = 2_000, toleratedPercent = 100 } = options;
  const { steps, ranges } = loadServices(table, memory.bucket, { now, rangeBytes, toleratedPercent });
  const step = (asked: LoadStep) => carryOutLoadStep(steps, asked);

  return {
    ledger: steps.ledger,
    step,
    /** @returns the load's ID, or the reason why there is no load. */
    async run(
      event: Extract<LoadStep, { step: 'accept' }>['event'],
      execution = 'e1',
      { overtakes = false } = {},
    ) {
      const accepted = await step({ step: 'accept', event, execution });
      if (accepted.kind !== 'accepted') return accepted;
      const { lob, jobId, files } = accepted;
      const turn = await step({ step: 'admit', lob, jobId, execution });
      if (turn.kind !== 'admitted' && !overtakes) return { ...turn, jobId };
      if (turn.kind !== 'admitted') {
        const start = async () =>
          await steps.ledger.start({ lob, jobId }, execution, await steps.ledger.turn(lob));
        while (!(await start()));
      }
      for (const { file } of files) await step({ step: 'plan', lob, jobId, file });
      let after = -1;
      for (;;) {
        const next = await step({ step: 'next', lob, jobId, after });
        if (next.kind !== 'wave') break;
        after = next.wave;
        const items = JSON.parse(memory.text(next.key)) as RangeItem[];
        await Promise.all(items.map((item) => loadRange(ranges, item)));
      }
      const ended = await step({ step: 'finish', lob, jobId });
      return { ...ended, jobId };
    },
    report: (folder = 'DSNP/claims/d1/') => JSON.parse(memory.text(`${folder}report.json`)),
    /** All rejects in the load's report, by line. */
    rejects(folder = 'DSNP/claims/d1/') {
      const { files } = JSON.parse(memory.text(`${folder}report.json`)) as {
        files: { rejects: string[] }[];
      };
      return files
        .flatMap(({ rejects }) => rejects)
        .flatMap((key) => memory.text(key).split('\n'))
        .filter((line) => line !== '')
        .map(
          (line) =>
            JSON.parse(line) as { file: string; line: number; code: string; resource?: string; fix: string },
        );
    },
  };
}
