/** Commands `loads …`: upload a drop, and watch, list, show, retry or cancel loads. */

import { S3Client } from '@aws-sdk/client-s3';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { hasLoadEnded, rowsIn } from '../../lambdas/loads/job.ts';
import {
  isJobId,
  type LoadOperation,
  type LoadOperationAnswer,
  type LoadSummary,
} from '../../lambdas/loads/load-operations-contract.ts';
import { loadProducts } from '../../lambdas/loads/load-products.ts';
import { dropKinds } from '../../lambdas/loads/manifest.ts';
import { fileRefusals } from '../../lambdas/loads/rejects.ts';
import { allowOnly, UsageError } from '../command-line.ts';
import {
  askFunction,
  type CommandContext,
  commonOptions,
  dryRunOptions,
  lineOfBusinessOf,
} from '../operation.ts';
import { table } from '../table.ts';
import type { ExitCode } from '../terminal.ts';
import { type DropFolder, readDropFolder } from './drop-folder.ts';
import { checkDrop } from './dry-run.ts';
import { showProgress } from './progress.ts';
import { uploadDrop } from './upload.ts';

const verbs = ['start', 'watch', 'list', 'show', 'rejects', 'retry', 'cancel', 'freshness'] as const;

/** `loads start|watch|list|show|rejects|retry|cancel|freshness`: drops of members' data, from the upload to the report. */
export async function loadsCommand(verb: string, operation: CommandContext): Promise<ExitCode> {
  const { values } = operation;
  const known = verbs.find((each) => each === verb);
  if (known === undefined) throw new UsageError(`loads ${verb} is not a command; use ${verbs.join(', ')}`);
  const own =
    known === 'start' ? (['lob', 'source', 'drop', 'kind', 'product'] as const) : (['lob'] as const);
  const common = ['start', 'retry', 'cancel'].includes(known) ? dryRunOptions : commonOptions;
  allowOnly(values, [...common, ...(known === 'freshness' ? [] : own)], `loads ${known}`);
  switch (known) {
    case 'start':
      return await start(operation);
    case 'watch':
      return await watch(operation, jobOf(operation));
    case 'list':
      return await list(operation);
    case 'show':
      return await show(operation);
    case 'rejects':
      return await rejects(operation);
    case 'retry':
    case 'cancel':
      return await act(operation, known);
    case 'freshness':
      return await freshness(operation);
  }
}

async function ask<Kind extends LoadOperationAnswer['kind']>(
  operation: CommandContext,
  request: LoadOperation,
  kind: Kind,
): Promise<Extract<LoadOperationAnswer, { kind: Kind }> | undefined> {
  return await askFunction<LoadOperationAnswer, Kind>(
    operation,
    'loadOperations',
    request,
    kind,
    ({ reason }) => (reason === 'no_such_load' ? 'no such load' : 'the load is in another state'),
  );
}

const lobOf = ({ values }: CommandContext) => lineOfBusinessOf(values, 'loads');

interface Job {
  readonly lob: LineOfBusiness;
  readonly jobId: string;
}

function jobOf(operation: CommandContext): Job {
  const [jobId] = operation.words;
  if (jobId === undefined) throw new UsageError('name the load; loads list shows them');
  if (!isJobId(jobId)) throw new UsageError(`${jobId} is no name of a load; loads list shows them`);
  return { lob: lobOf(operation), jobId };
}

async function start(operation: CommandContext): Promise<ExitCode> {
  const { values, words, print } = operation;
  const [folder] = words;
  if (folder === undefined) throw new UsageError('loads start needs the folder of the drop');
  const kind = values.kind;
  if (kind !== undefined && !(dropKinds as readonly string[]).includes(kind)) {
    throw new UsageError(`--kind is one of ${dropKinds.join(', ')}`);
  }
  const { source, drop } = values;
  const [product] = values.product ?? [];
  if (product !== undefined && !(loadProducts as readonly string[]).includes(product)) {
    throw new UsageError(`--product is one of ${loadProducts.join(', ')}`);
  }
  const read = await readDropFolder(folder, { lob: lobOf(operation), source, drop, kind, product });
  if (values['dry-run'] === true) return await dryRun(operation, read);
  const before = await ask(operation, { action: 'list', lob: read.place.lob, limit: 50 }, 'list');
  const bucket = await ingestBucketOf(operation);
  if (before === undefined) return 1;
  const progress = showProgress(operation, 'uploaded', read.bytes);
  let sent = 0;
  await uploadDrop(s3Client(operation), bucket, read, (bytes) => {
    sent += bytes;
    progress.at(sent);
  });
  progress.end();
  const known = new Set(before.loads.map(({ jobId }) => jobId));
  const job = await begun(operation, read, known);
  if (job !== undefined) return await watch(operation, job);
  print(`no load has begun: see ${read.place.folder}report.json in ${bucket}`);
  return 1;
}

/** Asks for the bucket that drops are uploaded to. */
export async function ingestBucketOf(operation: CommandContext): Promise<string> {
  const answer = await ask(operation, { action: 'bucket' }, 'bucket');
  if (answer === undefined) throw new Error('load-operations names no bucket');
  return answer.bucket;
}

/** S3, where the command goes to. */
export function s3Client({ system }: CommandContext): S3Client {
  return new S3Client(
    system === undefined
      ? {}
      : {
          endpoint: system.awsEndpoint,
          region: system.region,
          credentials: system.credentials,
          forcePathStyle: true,
        },
  );
}

const pollMs = 700;
/** The event of an upload arrives within seconds. */
const patienceMs = 60_000;

/** The load that the manifest's arrival begins. */
async function begun(
  operation: CommandContext,
  { place }: DropFolder,
  known: ReadonlySet<string>,
): Promise<Job | undefined> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const answer = await ask(operation, { action: 'list', lob: place.lob, limit: 20 }, 'list');
    const found = answer?.loads.find(
      ({ jobId, source }) =>
        !known.has(jobId) && source === place.source && jobId.startsWith(`${place.drop}.`),
    );
    if (found !== undefined) return { lob: found.lob, jobId: found.jobId };
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return undefined;
}

async function dryRun({ print, values }: CommandContext, drop: DropFolder): Promise<ExitCode> {
  const files = await checkDrop(drop, print);
  const isGood = files.every(
    ({ refusal, rejected, rows, controlTotal }) =>
      refusal === undefined && rejected === 0 && rows === controlTotal,
  );
  if (values.json === true) print(JSON.stringify({ folder: drop.place.folder, files }));
  else {
    const rows = files.map(({ name, controlTotal, rows: found, rejected, refusal }) => [
      name,
      String(controlTotal),
      String(found),
      String(rejected),
      refusal === undefined ? '' : fileRefusals[refusal].problem,
    ]);
    print(table(['file', 'control total', 'rows', 'rejected', ''], rows));
    print('Nothing was uploaded. References and versions are checked when the drop is loaded.');
  }
  return isGood ? 0 : 1;
}

async function watch(operation: CommandContext, job: Job): Promise<ExitCode> {
  let progress: ReturnType<typeof showProgress> | undefined;
  for (;;) {
    const answer = await ask(operation, { action: 'show', ...job }, 'show');
    if (answer === undefined) return 1;
    const { load } = answer;
    progress ??= showProgress(operation, 'rows loaded', load.controlTotal);
    progress.at(rowsIn(load.counts));
    if (hasLoadEnded(load.state)) {
      progress.end();
      return told(operation, load);
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

function told({ values, print }: CommandContext, load: LoadSummary): ExitCode {
  if (values.json === true) print(JSON.stringify(load, undefined, 2));
  else print(table(loadColumns, [loadRow(load)]));
  return load.state === 'reconciled' ? 0 : 1;
}

const loadColumns = [
  'load',
  'source',
  'kind',
  'state',
  'reason',
  'accepted',
  'control total',
  'loaded',
  'unchanged',
  'rejected',
];

function loadRow({
  jobId,
  source,
  kind,
  state,
  reason,
  acceptedAt,
  controlTotal,
  counts,
}: LoadSummary): string[] {
  const numbers = [controlTotal, counts.loaded, counts.unchanged, counts.rejected].map(String);
  return [jobId, source, kind, state, reason ?? '', acceptedAt, ...numbers];
}

async function list(operation: CommandContext): Promise<ExitCode> {
  const answer = await ask(operation, { action: 'list', lob: lobOf(operation) }, 'list');
  if (answer === undefined) return 1;
  if (operation.values.json === true) operation.print(JSON.stringify(answer.loads, undefined, 2));
  else operation.print(table(loadColumns, answer.loads.map(loadRow)));
  return 0;
}

async function show(operation: CommandContext): Promise<ExitCode> {
  const answer = await ask(operation, { action: 'show', ...jobOf(operation) }, 'show');
  if (answer === undefined) return 1;
  const { load, files } = answer;
  if (operation.values.json === true) {
    operation.print(JSON.stringify({ ...load, files }, undefined, 2));
    return 0;
  }
  operation.print(table(loadColumns, [loadRow(load)]));
  const rows = files.map(({ name, controlTotal, counts, refusal, ranges, openRanges }) => [
    name,
    ...[controlTotal, counts.loaded, counts.unchanged, counts.rejected].map(String),
    `${ranges - openRanges} of ${ranges}`,
    refusal ?? '',
  ]);
  const columns = ['file', 'control total', 'loaded', 'unchanged', 'rejected', 'ranges done', 'refused'];
  operation.print(`\n${table(columns, rows)}\n\nreport: ${load.report}`);
  return 0;
}

/** NDJSON, a reject a line: for a person, and for `jq`. */
async function rejects(operation: CommandContext): Promise<ExitCode> {
  const job = jobOf(operation);
  let after = 0;
  for (;;) {
    const answer = await ask(operation, { action: 'rejects', ...job, after }, 'rejects');
    if (answer === undefined) return 1;
    const text = answer.text.trimEnd();
    if (text !== '') operation.print(text);
    if (answer.next === undefined) return 0;
    after = answer.next;
  }
}

async function act(operation: CommandContext, action: 'retry' | 'cancel'): Promise<ExitCode> {
  const job = jobOf(operation);
  if (operation.values['dry-run'] === true) {
    operation.print(JSON.stringify({ action, ...job }));
    return 0;
  }
  const answer = await ask(operation, { action, ...job }, 'done');
  if (answer === undefined) return 1;
  if (action === 'retry') return await watch(operation, job);
  operation.print(operation.values.json === true ? JSON.stringify(answer) : `${job.jobId}: ${answer.state}`);
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
