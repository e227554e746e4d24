import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { createDropBucket } from '../../lambdas/aws/drop-bucket.ts';
import { hasLoadEnded } from '../../lambdas/loads/job.ts';
import type { LoadOperationAnswer, LoadSummary } from '../../lambdas/loads/load-operations-contract.ts';
import { createSdkTable } from '../../lambdas/table/sdk-table.ts';
import { loadAssembly } from '../../local/assembly/load-assembly.ts';
import { bundleIfStale, synthesize } from '../../local/synthesize.ts';
import { pseudoRandom } from '../../ops/generator/pseudo-random.ts';
import { createInvoke } from '../../ops/invoke.ts';
import { readDropFolder } from '../../ops/loads/drop-folder.ts';
import { uploadDrop } from '../../ops/loads/upload.ts';
import type { LocalSystem } from '../../ops/system.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import {
  filesOf,
  type LoadedState,
  loadedState,
  manifestOf,
  type NamedDrop,
} from '../faults/loads/loaded-state.ts';
import { freePort } from '../support/free-port.ts';
import { ended, killed, startRunner, systemIn } from './runner-process.ts';

/**
 * Kills the running system (`kill -9`) while it loads a drop, at a call of the load's functions that is drawn by the seed, starts it
 * again, and compares what the load ends with to what an undisturbed load left.
 */
export interface LoadKills {
  readonly rounds: number;
  /** Calls of an undisturbed load to AWS: the points it is killed at. */
  readonly calls: number;
  /** One sentence for each load that did not end like the undisturbed one. */
  readonly differences: readonly string[];
}

export async function killLoads(options: {
  readonly rounds: number;
  readonly seed: number;
  readonly progress: (line: string) => void;
}): Promise<LoadKills> {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'member-data-load-kills-'));
  const assemblyDirectory = join(stateDirectory, 'assembly-of-all-rounds');
  const port = await freePort();
  const differences: string[] = [];
  try {
    await bundleIfStale(repositoryRoot);
    await synthesize(repositoryRoot, assemblyDirectory, { configuration: 'local', port });
    const tableName = tableIn(assemblyDirectory);
    const start = () => startRunner([repositoryRoot, stateDirectory, assemblyDirectory, String(port)]);
    let runner = await start();
    let calls = 0;
    runner.on('message', () => {
      calls += 1;
    });
    const first = dropOf(0);
    await send(systemIn(stateDirectory), first, stateDirectory);
    const undisturbed = await loaded(systemIn(stateDirectory), tableName, first);
    const pointsOfAll = calls;
    const random = pseudoRandom(`kills ${options.seed}`);
    for (let round = 1; round <= options.rounds; round += 1) {
      const drop = dropOf(round);
      const point = random.integer(0, pointsOfAll - 1);
      runner.send({ killAfterCalls: point });
      await send(systemIn(stateDirectory), drop, stateDirectory);
      await Promise.race([ended(runner), sleep(60_000)]);
      const hadToBeKilled = runner.signalCode === null;
      if (hadToBeKilled) await killed(runner);
      runner = await start();
      const found = await loaded(systemIn(stateDirectory), tableName, drop);
      const differing = Object.keys(undisturbed).filter(
        (part) =>
          !isDeepStrictEqual(found[part as keyof LoadedState], undisturbed[part as keyof LoadedState]),
      );
      for (const part of differing) {
        const told = JSON.stringify(found[part as keyof LoadedState]).slice(0, 400);
        differences.push(`round ${round}, killed at call ${point}: other ${part}: ${told}`);
      }
      const how = hadToBeKilled ? 'not reached, killed after it' : 'killed';
      options.progress(
        `round ${round}: call ${point} of ${pointsOfAll} ${how}, ${differences.length} differences`,
      );
    }
    await killed(runner);
    return { rounds: options.rounds, calls: pointsOfAll, differences };
  } finally {
    rmSync(stateDirectory, { recursive: true, force: true });
  }
}

const dropOf = (round: number): NamedDrop => ({ name: `k${String(round).padStart(4, '0')}`, groups: 9 });

function tableIn(assemblyDirectory: string): string {
  const tables = loadAssembly(assemblyDirectory).ofType('AWS::DynamoDB::GlobalTable');
  const found = tables.find(({ environment }) => environment === 'sandbox');
  if (found === undefined) throw new Error('the sandbox has no table');
  return found.physicalId;
}

async function operate(system: LocalSystem, request: object): Promise<LoadOperationAnswer> {
  const name = system.functions.sandbox.loadOperations ?? '';
  return (await createInvoke(system)(name, request)) as LoadOperationAnswer;
}

async function bucketName(system: LocalSystem): Promise<string> {
  const answer = await operate(system, { action: 'bucket' });
  if (answer.kind !== 'bucket') throw new Error(`the bucket is not told: ${answer.kind}`);
  return answer.bucket;
}

function clientOf({ awsEndpoint: endpoint, region, credentials }: LocalSystem) {
  return { endpoint, region, credentials, forcePathStyle: true };
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
  await uploadDrop(new S3Client(clientOf(system)), bucket, folder, () => {}).catch(() => undefined);
}

const patienceMs = 120_000;

/** Waits for the end of the drop's load, and reads what it left. */
async function loaded(system: LocalSystem, tableName: string, drop: NamedDrop): Promise<LoadedState> {
  const job = await endedJob(system, drop);
  const client = clientOf(system);
  const table = createSdkTable({ tableName, client: new DynamoDBClient(client) });
  const bucket = createDropBucket(new S3Client(client), await bucketName(system));
  return await loadedState(table, bucket.readText, drop, job.counts);
}

async function endedJob(system: LocalSystem, { name }: NamedDrop): Promise<LoadSummary> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const answer = await operate(system, { action: 'list', lob: 'DSNP', limit: 5 });
    const job =
      answer.kind === 'list' ? answer.loads.find(({ jobId }) => jobId.startsWith(`${name}.`)) : undefined;
    if (job !== undefined && hasLoadEnded(job.state)) return job;
    await sleep(100);
  }
  throw new Error(`the load of ${name} has not ended`);
}
