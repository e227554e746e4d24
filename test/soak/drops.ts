/** The plan's data team of a soak: sends drops of every line of business, some of them faulty. */

import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { hasLoadEnded, type LoadState } from '../../lambdas/loads/ledger/load.ts';
import { loadIdOf, manifestName } from '../../lambdas/loads/ledger/manifest.ts';
import { digests } from '../../lambdas/platform/runtime/digests.ts';
import { createInvoke } from '../../ops/command-line/invoke.ts';
import { writePopulationDrop } from '../../ops/generator/population-drop.ts';
import { readDropFolder } from '../../ops/loads/drop-folder.ts';
import { runningSystem } from '../journeys/journey.ts';
import type { World } from './world.ts';

/** A drop whose load has an ID. */
export interface SentDrop {
  readonly lob: LineOfBusiness;
  readonly jobId: string;
}

/**
 * Kinds of drops by the beginning of their names, with the states in which their loads may end. The first kind that matches a name counts.
 */
const kindsOfDrops = [
  // Rows that are not JSON, many more than are tolerated.
  { begins: 'faulty-', ends: ['failed too_many_rejects'] },
  // The manifest is uploaded before its files. The load either finds the files or reports which are missing.
  { begins: 'early-', ends: ['reconciled', 'not-reconciled file_refused'] },
  { begins: '', ends: ['reconciled'] },
] as const;

/**
 * Sends drops of one line of business, one after the other, until the soak is over.
 *
 * @returns the drops that were acknowledged.
 */
export async function nightOf(
  world: World,
  lob: LineOfBusiness,
  members: number,
): Promise<readonly SentDrop[]> {
  const sent: SentDrop[] = [];
  for (let number = 0; !world.over; number += 1) {
    // The second drop of each night is faulty; all others are loaded whole.
    const name = number === 1 ? `faulty-${number}` : `night-${number}`;
    const jobId = await sendDrop(world, writeDrop(lob, { name, members }));
    if (jobId !== undefined) sent.push({ lob, jobId });
    await world.pause(3_000);
  }
  return sent;
}

/**
 * Rejected rows for each member of a faulty drop. A member has about 350 rows, and one row in a hundred may be rejected, so this is far too
 * many in a drop of any size.
 */
const badRowsOfMember = 20;

interface Drop {
  /** The name, which gives the kind of drop: `faulty-…`, `early-…`, or any other. */
  readonly name: string;
  readonly members: number;
}

/** A drop written to a folder on this machine, without a manifest. */
export interface WrittenDrop {
  readonly lob: LineOfBusiness;
  readonly folder: string;
  /** Deletes the folder. */
  readonly remove: () => void;
}

/** Generates members and writes them as a drop. */
export function writeDrop(lob: LineOfBusiness, { name, members }: Drop): WrittenDrop {
  const parent = mkdtempSync(join(tmpdir(), 'member-data-soak-'));
  const folder = join(parent, name);
  writePopulationDrop({ folder, members, lob, seed: name, month: '2026-11-01' });
  rmSync(join(folder, 'manifest.json'));
  if (name.startsWith('faulty-')) {
    const rows = '{"resourceType":"Coverage"\n'.repeat(badRowsOfMember * members);
    appendFileSync(join(folder, 'Coverage.ndjson'), rows);
  }
  return { lob, folder, remove: () => rmSync(parent, { recursive: true, force: true }) };
}

/**
 * Longest time in which a drop is sent again and again: longer than fifty kills take, between which a busy machine hardly starts a command.
 */
const sendingMs = 30 * 60_000;

/**
 * Sends a drop until its load has an ID, repeating after failures as a data team does. An early drop is put into the bucket directly.
 */
export async function sendDrop(
  world: World,
  { lob, folder, remove }: WrittenDrop,
): Promise<string | undefined> {
  try {
    const send = basename(folder).startsWith('early-') ? putDrop : startLoad;
    for (const until = Date.now() + sendingMs; Date.now() < until && !world.over; ) {
      const jobId = await send(world, lob, folder);
      if (jobId !== undefined) return jobId;
      await world.pause(2_000);
    }
    return undefined;
  } finally {
    remove();
  }
}

const source = 'eligibility';

async function startLoad(world: World, lob: LineOfBusiness, folder: string): Promise<string | undefined> {
  const output = await world.ops('load a drop', 'loads', 'start', folder, '--lob', lob, '--source', source);
  const jobId = new RegExp(`\\b${basename(folder)}\\.[0-9a-f]{8}\\b`);
  return jobId.exec(`${output?.out} ${output?.err}`)?.[0];
}

/** Puts the manifest into the bucket, and then the files that it names. */
async function putDrop(world: World, lob: LineOfBusiness, folder: string): Promise<string | undefined> {
  const { place, manifest, manifestText } = await readDropFolder(folder, { lob, source });
  return await world.act('put a drop', async () => {
    const { awsEndpoint: endpoint, region, credentials, functions } = runningSystem();
    const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
    const named = await createInvoke(runningSystem())(functions.sandbox.loadOperations ?? '', {
      action: 'bucket',
    });
    const Bucket = (named as { readonly bucket: string }).bucket;
    const put = async (name: string, Body: string) =>
      await client.send(new PutObjectCommand({ Bucket, Key: `${place.folder}${name}`, Body }));
    try {
      const { VersionId = '' } = await put(manifestName, manifestText);
      for (const { name } of manifest.files) await put(name, readFileSync(join(folder, name), 'utf8'));
      return loadIdOf(place, VersionId, digests.sha256Hex);
    } finally {
      client.destroy();
    }
  });
}

interface ShownLoad {
  readonly jobId: string;
  readonly state: LoadState;
  readonly reason?: string;
}

async function loadsOf(world: World, lob: LineOfBusiness): Promise<readonly ShownLoad[]> {
  const all: ShownLoad[] = [];
  for (let after: string | undefined, more = true; more; more = after !== undefined) {
    const page = after === undefined ? [] : ['--after', after];
    const output = await world.ops(
      'list loads',
      'loads',
      'list',
      '--lob',
      lob,
      '--limit',
      '50',
      '--json',
      ...page,
    );
    if (output?.code !== 0) throw new Error(`the loads of ${lob} can't be listed: ${output?.err}`);
    const { loads, next } = JSON.parse(output.out) as {
      readonly loads: readonly ShownLoad[];
      readonly next?: string;
    };
    all.push(...loads);
    after = next;
  }
  return all;
}

/** Waits until no load is running. Then the load of every acknowledged drop must have ended in a state that its kind allows. */
export async function settleLoads(
  world: World,
  lobs: readonly LineOfBusiness[],
  sent: readonly SentDrop[],
  patienceMs: number,
): Promise<Readonly<Record<string, number>>> {
  const deadline = Date.now() + patienceMs;
  const ended: Record<string, number> = {};
  for (const lob of lobs) {
    let loads = await loadsOf(world, lob);
    while (loads.some(({ state }) => !hasLoadEnded(state)) && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      loads = await loadsOf(world, lob);
    }
    for (const { jobId, state, reason = '' } of loads) {
      ended[state] = (ended[state] ?? 0) + 1;
      const end = `${state} ${reason}`.trim();
      const ends: readonly string[] = kindsOfDrops.find(({ begins }) => jobId.startsWith(begins))?.ends ?? [];
      if (!hasLoadEnded(state)) world.tally.broken(`load ${jobId} of ${lob} is ${state} without end`);
      else if (!ends.includes(end)) world.tally.broken(`a load of ${lob} ended as ${end}`);
    }
    for (const { jobId } of sent.filter((drop) => drop.lob === lob)) {
      if (!loads.some((load) => load.jobId === jobId))
        world.tally.broken(`drop ${jobId} of ${lob} has no load`);
    }
  }
  return ended;
}
