import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { createDropBucket } from '../../lambdas/loads/aws/drop-bucket.ts';
import type {
  LoadOperationAnswer,
  LoadSummary,
} from '../../lambdas/loads/course/load-operations-contract.ts';
import { hasLoadEnded } from '../../lambdas/loads/ledger/load.ts';
import { createSdkTable } from '../../lambdas/platform/table/sdk-table.ts';
import { createInvoke } from '../../ops/command-line/invoke.ts';
import type { LocalSystem } from '../../ops/command-line/system.ts';
import { readDropFolder } from '../../ops/loads/drop-folder.ts';
import { uploadDrop } from '../../ops/loads/upload.ts';
import {
  filesOf,
  type LoadedState,
  loadedState,
  manifestOf,
  type NamedDrop,
} from '../faults/loads/loaded-state.ts';

import type { KilledWork } from './kills.ts';
import { operatorClient, sandboxTable } from './sandbox.ts';

/**
 * The work of `npm run durability:loads`: in each round a load of a new drop. A load that was killed and resumed must end with the same
 * result as an undisturbed one.
 */
export function loadWork(): KilledWork<LoadedState> {
  const directory = mkdtempSync(join(tmpdir(), 'member-data-drops-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const sent = new Set<number>();
  let tableName = '';
  return {
    functions: 'Load(Steps|Range)',
    async prepare(_system, assemblyDirectory) {
      tableName = sandboxTable(assemblyDirectory);
    },
    async follow(system, round) {
      const drop = dropOf(round);
      if (!sent.has(round)) {
        sent.add(round);
        await send(system, drop, directory);
      }
      return await loaded(system, tableName, drop);
    },
  };
}

const dropOf = (round: number): NamedDrop => ({ name: `k${String(round).padStart(4, '0')}`, groups: 9 });

async function operate(system: LocalSystem, request: object): Promise<LoadOperationAnswer> {
  const name = system.functions.sandbox.loadOperations ?? '';
  return (await createInvoke(system)(name, request)) as LoadOperationAnswer;
}

async function bucketName(system: LocalSystem): Promise<string> {
  const answer = await operate(system, { action: 'bucket' });
  if (answer.kind !== 'bucket') throw new Error(`the bucket is not told: ${answer.kind}`);
  return answer.bucket;
}

/** Uploads the drop, its manifest last. The kill may come before S3 has answered. */
async function send(system: LocalSystem, drop: NamedDrop, directory: string): Promise<void> {
  const path = join(directory, drop.name);
  mkdirSync(path);
  const files = filesOf(drop);
  for (const { name, text } of files) writeFileSync(join(path, name), text);
  writeFileSync(join(path, 'manifest.json'), manifestOf(files));
  const folder = await readDropFolder(path, { lob: 'DSNP' });
  const bucket = await bucketName(system);
  await uploadDrop(new S3Client(operatorClient(system)), bucket, folder, () => {}).catch(() => undefined);
}

const patienceMs = 120_000;

/** Waits for the end of the drop's load, and reads what it left. */
async function loaded(system: LocalSystem, tableName: string, drop: NamedDrop): Promise<LoadedState> {
  const load = await endedLoad(system, drop);
  const client = operatorClient(system);
  const table = createSdkTable({ tableName, client: new DynamoDBClient(client) });
  const bucket = createDropBucket(new S3Client(client), await bucketName(system));
  return await loadedState(table, bucket.readText, drop, load.counts);
}

async function endedLoad(system: LocalSystem, { name }: NamedDrop): Promise<LoadSummary> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const answer = await operate(system, { action: 'list', lob: 'DSNP', limit: 5 });
    const load =
      answer.kind === 'list' ? answer.loads.find(({ jobId }) => jobId.startsWith(`${name}.`)) : undefined;
    if (load !== undefined && hasLoadEnded(load.state)) return load;
    await sleep(100);
  }
  throw new Error(`the load of ${name} has not ended`);
}
