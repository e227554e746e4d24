/** Commands `loads …`: upload a drop, and watch, list, show, retry or cancel loads. */

import { createHash } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import {
  isLoadId,
  type LoadOperation,
  type LoadOperationAnswer,
  type LoadOperationRefusal,
} from '../../lambdas/loads/course/load-operations-contract.ts';
import { loadProducts } from '../../lambdas/loads/ledger/load-products.ts';
import { dropKinds, loadIdOf } from '../../lambdas/loads/ledger/manifest.ts';
import { fileRefusals } from '../../lambdas/loads/ledger/rejects.ts';
import type { CommandGroup } from '../command-line/command.ts';
import { UsageError } from '../command-line/command-line.ts';
import { isConfirmed } from '../command-line/confirm.ts';
import {
  askerOf,
  type CommandContext,
  commonOptions,
  dryRunOptions,
  isDryRun,
  lineOfBusinessOf,
} from '../command-line/operation.ts';
import { awsConfiguration } from '../command-line/system.ts';
import { table } from '../command-line/table.ts';
import type { ExitCode } from '../command-line/terminal.ts';
import { type DropFolder, readDropFolder } from './drop-folder.ts';
import { checkDrop } from './dry-run.ts';
import { loadTable } from './load-table.ts';
import { showProgress } from './progress.ts';
import { uploadDrop } from './upload.ts';
import { comeBack, type WatchedLoad, watchLoad } from './watch.ts';

const notReconciled = 'refused, or not reconciled';

/** `loads …`: drops of members' data, from upload to report. */
export const loadCommands: CommandGroup = {
  name: 'loads',
  about:
    'Drops: files of members’ data from the plan’s systems (docs/drops.md). The arrival of a drop’s manifest in the ingest bucket starts its load; these commands upload, watch and mend.',
  commands: [
    {
      name: 'start <folder>',
      about:
        'Uploads the folder’s files, then its manifest.json, prints the load’s ID, and watches the load. Without a manifest one is made of the .ndjson files, whose names begin with their type. With --dry-run checks every row on this machine, and uploads nothing.',
      options: ['lob', 'source', 'drop', 'kind', 'product', ...dryRunOptions],
      own: {
        kind: { choices: dropKinds },
        product: { choices: loadProducts, about: 'what the drop is of; default: members' },
      },
      failure: notReconciled,
      run: startLoad,
    },
    {
      name: 'watch <load>',
      about:
        'Waits until the load has ended. A load does not depend on the command that began it: this one comes back to it.',
      options: ['lob', ...commonOptions],
      failure: notReconciled,
      run: async (operation) => await watchLoad(operation, loadOf(operation)),
    },
    {
      name: 'list',
      about: 'Lists the newest 20 loads, or those before one.',
      options: ['lob', 'limit', 'after', ...commonOptions],
      own: { after: { value: 'load', about: 'the loads before this one' } },
      run: list,
    },
    {
      ...{ name: 'show <load>', about: 'Shows the counts of each file.' },
      ...{ options: ['lob', ...commonOptions], run: show },
    },
    {
      name: 'rejects <load>',
      about: 'Prints every row that was not loaded: file, line, code, and how to fix it, as NDJSON.',
      options: ['lob', ...commonOptions],
      run: rejects,
    },
    {
      name: 'retry <load>',
      about: 'Loads what was not loaded, and what was rejected, once more, and watches it.',
      options: ['lob', ...dryRunOptions],
      failure: notReconciled,
      run: async (operation) => await act(operation, 'retry'),
    },
    {
      name: 'cancel <load>',
      about: 'Ends a load that runs. What is loaded stays.',
      options: ['lob', 'yes', ...dryRunOptions],
      run: async (operation) => await act(operation, 'cancel'),
    },
    {
      name: 'freshness',
      about: 'Shows when each source was last reconciled.',
      options: commonOptions,
      failure: 'refused, or a source is late',
      run: freshness,
    },
    {
      name: 'sweep',
      about:
        'Starts each drop of the last seven days that has no load after 15 minutes, and fails each load whose execution has ended; a schedule does so every five minutes.',
      options: commonOptions,
      run: sweep,
    },
  ],
};

const refusals: Readonly<Record<LoadOperationRefusal, string>> = {
  no_such_load: 'no such load; loads list shows them',
  not_in_this_state:
    'a load is cancelled while it runs, and retried after it has ended; loads show tells its state',
  nothing_to_retry: 'the load is reconciled and rejected no row: there is nothing to load again',
};
const ask = askerOf<LoadOperation, LoadOperationAnswer>('loadOperations', ({ reason }) => refusals[reason]);

const lobOf = ({ values }: CommandContext) => lineOfBusinessOf(values, 'loads');

function loadOf(operation: CommandContext): WatchedLoad {
  const [jobId = ''] = operation.words;
  if (!isLoadId(jobId)) throw new UsageError(`${jobId} is no name of a load; loads list shows them`);
  return { lob: lobOf(operation), jobId };
}

/** `loads start`. */
export async function startLoad(operation: CommandContext): Promise<ExitCode> {
  const { values, words, note } = operation;
  const [folder = ''] = words;
  const { kind, source, drop } = values;
  const [product] = values.product ?? [];
  if (product !== undefined && !(loadProducts as readonly string[]).includes(product)) {
    throw new UsageError(`--product must be one of ${loadProducts.join(', ')}`);
  }
  const read = await readDropFolder(folder, { lob: lobOf(operation), source, drop, kind, product });
  if (read.unnamed.length > 0) {
    operation.note(`not sent, because the manifest does not name them: ${read.unnamed.join(', ')}`);
  }
  if (values['dry-run'] === true) return await dryRun(operation, read);
  const bucket = await ingestBucketOf(operation);
  const { place } = read;
  const progress = showProgress(operation, { subject: place.folder, unit: 'bytes', total: read.bytes });
  const version = await uploadDrop(s3Client(operation), bucket, read, (done, file) => {
    progress.at({ done, file });
  });
  progress.end();
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const load: WatchedLoad = { lob: place.lob, jobId: loadIdOf(place, version, sha256) };
  note(`load ${load.jobId} of ${place.folder} begins; ${comeBack(load)}`);
  return await watchLoad(operation, load, true);
}

/** Asks for the bucket that drops are uploaded to. */
export async function ingestBucketOf(operation: CommandContext): Promise<string> {
  const answer = await ask(operation, { action: 'bucket' }, 'bucket');
  if (answer === undefined) throw new Error('load-operations names no bucket');
  return answer.bucket;
}

/** Makes an S3 client, for the local system or the operator's AWS account. */
export function s3Client({ system }: CommandContext): S3Client {
  return new S3Client({ ...awsConfiguration(system), forcePathStyle: system !== undefined });
}

async function dryRun({ print, values }: CommandContext, drop: DropFolder): Promise<ExitCode> {
  const { files, outside } = await checkDrop(drop, print);
  const isGood = files.every(
    ({ refusal, rejected, rows, controlTotal }) =>
      refusal === undefined && rejected === 0 && rows === controlTotal,
  );
  if (values.json === true)
    print(JSON.stringify({ folder: drop.place.folder, files, outside, unnamed: drop.unnamed }));
  else {
    const rows = files.map(({ name, controlTotal, rows: found, rejected, refusal }) => [
      name,
      String(controlTotal),
      String(found),
      String(rejected),
      refusal === undefined ? '' : fileRefusals[refusal].problem,
    ]);
    print(table(['file', 'control total', 'rows', 'rejected', ''], rows));
    if (outside.length > 0) {
      print('Resources that no file of the drop has; right, if they were loaded before:');
      const places = outside.map((each) => [
        ...[each.target, String(each.rows), each.file, String(each.line), each.element],
      ]);
      print(table(['resource', 'rows', 'first in file', 'line', 'element'], places));
    }
    print('Nothing was uploaded. What is stored already is only compared when the drop is loaded.');
  }
  return isGood ? 0 : 1;
}

async function list(operation: CommandContext): Promise<ExitCode> {
  const { values, print } = operation;
  const { limit = '20', after } = values;
  if (!/^[1-9]\d?$/.test(limit) || Number(limit) > 50)
    throw new UsageError('--limit is a number from 1 to 50');
  if (after !== undefined && !isLoadId(after)) throw new UsageError('--after is a load of this list');
  const answer = await ask(
    operation,
    { action: 'list', lob: lobOf(operation), limit: Number(limit), ...(after !== undefined && { after }) },
    'list',
  );
  if (answer === undefined) return 1;
  const { loads, next } = answer;
  if (values.json === true) print(JSON.stringify({ loads, next }, undefined, 2));
  else {
    print(loadTable(loads));
    if (next !== undefined) print(`\nThere are older loads: repeat the command with --after ${next}`);
  }
  return 0;
}

async function show(operation: CommandContext): Promise<ExitCode> {
  const answer = await ask(operation, { action: 'show', ...loadOf(operation) }, 'show');
  if (answer === undefined) return 1;
  const { load, files } = answer;
  if (operation.values.json === true) {
    operation.print(JSON.stringify({ ...load, files }, undefined, 2));
    return 0;
  }
  operation.print(loadTable([load]));
  const rows = files.map(({ name, controlTotal, counts, refusal, ranges, openRanges }) => [
    name,
    ...[controlTotal, counts.loaded, counts.unchanged, counts.older, counts.rejected].map(String),
    `${ranges - openRanges} of ${ranges}`,
    refusal ?? '',
  ]);
  const columns = [
    'file',
    'control total',
    'loaded',
    'unchanged',
    'older',
    'rejected',
    'ranges done',
    'refused',
  ];
  operation.print(`\n${table(columns, rows)}\n\nreport: ${load.report}`);
  return 0;
}

/** Prints the rejects of a load as NDJSON, which people and `jq` can read. */
async function rejects(operation: CommandContext): Promise<ExitCode> {
  const load = loadOf(operation);
  let after = 0;
  for (;;) {
    const answer = await ask(operation, { action: 'rejects', ...load, after }, 'rejects');
    if (answer === undefined) return 1;
    const text = answer.text.trimEnd();
    if (text !== '') operation.print(text);
    if (answer.next === undefined) return 0;
    after = answer.next;
  }
}

async function act(operation: CommandContext, action: 'retry' | 'cancel'): Promise<ExitCode> {
  const load = loadOf(operation);
  const { values, print, note } = operation;
  if (isDryRun(operation, { action, ...load })) return 0;
  const question = `Cancel ${load.jobId}? Rows loaded by then stay, and the others are not loaded.`;
  if (action === 'cancel' && !(await isConfirmed(operation, question))) return 1;
  const answer = await ask(operation, { action, ...load }, 'done');
  if (answer === undefined) return 1;
  const { state, rejected } = answer;
  if (action === 'cancel') {
    print(values.json === true ? JSON.stringify(answer) : `${load.jobId}: ${state}`);
    return 0;
  }
  const again =
    rejected === undefined ? 'continues where it stopped' : `reads its ${rejected} rejected rows again`;
  note(`load ${load.jobId} ${again}; ${comeBack(load)}`);
  return await watchLoad(operation, load);
}

async function sweep(operation: CommandContext): Promise<ExitCode> {
  const answer = await ask(operation, { action: 'sweep' }, 'swept');
  if (answer === undefined) return 1;
  const { started, ended, unnamed } = answer;
  if (operation.values.json === true)
    operation.print(JSON.stringify({ started, ended, unnamed }, undefined, 2));
  else {
    const lines = [
      ...started.map((key) => `started: ${key} had no load`),
      ...ended.map((jobId) => `failed: the execution of ${jobId} ended without it; loads retry continues it`),
      ...unnamed.map((key) => `not loaded: no manifest names ${key}`),
    ];
    operation.print(
      lines.length === 0
        ? 'Every drop has its load, every load its execution, and every file its manifest.'
        : lines.join('\n'),
    );
  }
  return 0;
}

async function freshness(operation: CommandContext): Promise<ExitCode> {
  const answer = await ask(operation, { action: 'freshness' }, 'freshness');
  if (answer === undefined) return 1;
  if (operation.values.json === true) operation.print(JSON.stringify(answer.clocks, undefined, 2));
  else {
    const rows = answer.clocks.map(({ lob, source, reconciledAt, freshUntil, late }) => [
      ...[lob, source, reconciledAt, freshUntil],
      late ? 'LATE' : 'fresh',
    ]);
    operation.print(table(['lob', 'source', 'last reconciled', 'fresh until', ''], rows));
  }
  return answer.clocks.some(({ late }) => late) ? 1 : 0;
}
