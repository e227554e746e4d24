/**
 * `npm run durability:directory -- --rounds 50 --seed 1`: builds of the Provider Directory, each killed (`kill -9`) at a random time that
 * depends on the seed. After each kill the last publication must answer in full, and after the next build nothing of the killed one may
 * remain.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { directoryTypes } from '../../lambdas/catalog/fhir/directory-types.ts';
import { digests } from '../../lambdas/platform/runtime/digests.ts';
import type { PublicationPointer } from '../../lambdas/provider-directory/publication/publication-bucket-port.ts';
import { searchDirectory } from '../../lambdas/provider-directory/search/directory-search.ts';
import { createKeptPublications } from '../../lambdas/provider-directory/sqlite/kept-publications.ts';
import { createDirectoryBuilds } from '../../lambdas/provider-directory/store/directory-builds.ts';
import { assemblyOf } from '../../local/assembly/resources.ts';
import { pseudoRandom } from '../../ops/generator/record/pseudo-random.ts';
import { resource } from '../local/aws/declarations.ts';
import { started } from '../local/aws/started.ts';
import { startTestEngine } from '../support/engine.ts';
import { type BuildPlace, type BuildTurn, bucketOf, buildOnce, lob, tableOf } from './directory-build.ts';
import { ended, killed } from './runner-process.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
});
const bucketName = 'publications';
const aws = await started({
  assembly: assemblyOf([
    resource(
      'AWS::S3::Bucket',
      bucketName,
      {},
      { physicalId: bucketName, arn: `arn:aws:s3:::${bucketName}` },
    ),
  ]),
});
const engine = await startTestEngine();
const disk = mkdtempSync(join(tmpdir(), 'member-data-directory-kills-'));
const { endpoint, region, credentials } = aws.asOperator;
const place: BuildPlace = {
  table: { tableName: engine.tableName, access: engine.access },
  s3: { endpoint, region, credentials },
  bucketName,
  folder: join(disk, 'builds'),
  roles: 300,
};
try {
  process.exitCode = (await killBuilds(Number(values.rounds))) ? 0 : 1;
} finally {
  await aws.stopAndForget();
  await engine.stop();
  rmSync(disk, { recursive: true, force: true });
}

async function killBuilds(rounds: number): Promise<boolean> {
  const random = pseudoRandom(`directory kills ${values.seed}`);
  // Builds are further apart than the longest build takes, as loads are.
  const turn = (round: number): BuildTurn => ({ seed: round + 1, at: Date.now() + round * 3_600_000 });
  for (const round of [0, 1]) await buildOnce(place, turn(round));
  const undisturbed = await millisecondsOf(turn(2));
  const found: string[] = [];
  const reached = { killed: 0, switched: 0, afterEnd: 0 };
  for (let round = 3; round < 3 + rounds; round += 1) {
    const before = await pointer();
    const child = begin(turn(round * 2));
    await begun(child);
    await sleep(random.integer(0, Math.ceil(undisturbed)));
    const hasEnded = child.exitCode !== null;
    await killed(child);
    const after = await pointer();
    const isSwitched = after.current.id !== before.current.id;
    reached[hasEnded ? 'afterEnd' : isSwitched ? 'switched' : 'killed'] += 1;
    const told = (what: string) => found.push(`round ${round - 2}: ${what}`);
    await answersWhole(after, told);
    const next = await buildOnce(place, turn(round * 2 + 1));
    if (next !== 'published') told(`the next build is ${next}`);
    await nothingIsLeft(told);
  }
  console.log(
    `${rounds} kills within ${Math.round(undisturbed)} ms of a build: ${reached.killed} before its publication was switched to, ` +
      `${reached.switched} after it, ${reached.afterEnd} builds had ended; ${found.length} faults`,
  );
  for (const fault of found) console.log(`  ${fault}`);
  return found.length === 0;
}

function begin(turn: BuildTurn): ChildProcess {
  const script = join(import.meta.dirname, 'directory-build.ts');
  return spawn(process.execPath, [script, JSON.stringify({ place, turn })], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

async function begun(child: ChildProcess): Promise<void> {
  await new Promise((resolve) => child.once('message', resolve));
}

async function millisecondsOf(turn: BuildTurn): Promise<number> {
  const child = begin(turn);
  await begun(child);
  const from = performance.now();
  await ended(child);
  return performance.now() - from;
}

async function pointer(): Promise<PublicationPointer> {
  const reading = await bucketOf(place).readPointer(lob);
  if (reading.kind !== 'pointer') throw new Error('there is no publication');
  return reading.pointer;
}

/** Opens both publications as a search function does; they must have all resources that the pointer counts. */
async function answersWhole({ current, previous }: PublicationPointer, told: (what: string) => void) {
  const folder = join(disk, 'search');
  const publications = createKeptPublications({
    bucket: bucketOf(place),
    lob,
    folder,
    now: Date.now,
    log: (_level, code) => told(code),
  });
  if ((await publications.current()).id !== current.id) told('another publication answers');
  for (const { id, resources } of [current, previous ?? current]) {
    const opened = await publications.kept(id);
    if (opened === undefined) {
      told(`${id} is not kept`);
      continue;
    }
    const services = {
      publications: { current: async () => opened, kept: async () => opened },
      sha256: digests.sha256Hex,
      now: Date.now,
    };
    for (const type of directoryTypes) {
      const parameters = [
        ['_lastUpdated', 'ge1900'],
        ['active', 'true,false'],
        ['_summary', 'count'],
      ] as const;
      const answer = await searchDirectory(services, { type, parameters, strict: false, base: 'https://x' });
      const total = answer.kind === 'bundle' ? JSON.parse(answer.body).total : answer.kind;
      if (total !== resources[type] && resources[type] > 0)
        told(`${id} has ${total} of ${resources[type]} ${type}`);
    }
  }
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Checks that the bucket has only the objects of the two publications that are kept, that no build is recorded as running, and that the
 * disk is empty.
 */
async function nothingIsLeft(told: (what: string) => void): Promise<void> {
  const client = new S3Client({ ...place.s3, forcePathStyle: true });
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucketName }));
  const { current, previous } = await pointer();
  const kept = [current.id, previous?.id];
  const left = Contents.map(({ Key = '' }) => Key.split('/')).filter(
    ([, id, ...name]) => name.length > 0 && !kept.includes(id),
  );
  if (left.length > 0) told(`left in the bucket: ${left.map((key) => key.join('/')).join(', ')}`);
  const running = (await createDirectoryBuilds(tableOf(place)).list(lob, 50)).filter(
    ({ state }) => state === 'running',
  );
  if (running.length > 0) told(`recorded as running: ${running.map(({ id }) => id).join(', ')}`);
  const files = readdirSync(place.folder);
  if (files.length > 0) told(`left on the disk: ${files.join(', ')}`);
}
