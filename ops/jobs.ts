/** Commands `jobs …`: asynchronous jobs of Payer Access. */

import { randomUUID } from 'node:crypto';
import type { LineOfBusiness } from '../lambdas/catalog/lines-of-business.ts';
import {
  type JobOperation,
  type JobOperationAnswer,
  type JobSummary,
  jobOperation,
} from '../lambdas/payer-access/jobs/job-operations-contract.ts';
import { allowOnly, UsageError } from './command-line.ts';
import { isConfirmed } from './confirm.ts';
import { askFunction, type CommandContext, dryRunOptions, lineOfBusinessOf } from './operation.ts';
import { pairs, table } from './table.ts';
import type { ExitCode } from './terminal.ts';

const verbs = ['list', 'show', 'cancel'] as const;
const own = { list: ['after'], show: [], cancel: ['yes'] } as const;

/** `jobs list|show|cancel`. */
export async function jobsCommand(verb: string, operation: CommandContext): Promise<ExitCode> {
  const known = verbs.find((each) => each === verb);
  if (known === undefined) throw new UsageError(`jobs ${verb} is not a command; use ${verbs.join(', ')}`);
  const { values, words, print } = operation;
  allowOnly(values, [...dryRunOptions, 'lob', ...own[known]], `jobs ${known}`);
  const request = requestOf(known, lineOfBusinessOf(values, 'jobs'), words[0], values.after);
  if (values['dry-run'] === true) {
    print(JSON.stringify(request, undefined, 2));
    return 0;
  }
  switch (request.action) {
    case 'list':
      return await list(operation, request);
    case 'show':
      return await show(operation, request);
    case 'cancel':
      return await cancel(operation, request);
  }
}

function requestOf(
  action: (typeof verbs)[number],
  lob: LineOfBusiness,
  jobId: string | undefined,
  after: string | undefined,
): JobOperation {
  if (action === 'list') {
    const request = { action, lob, ...(after !== undefined && { after }) };
    // The function's own schema: its errors are reported here, by option.
    if (!jobOperation.safeParse(request).success)
      throw new UsageError('--after takes the position that jobs list printed');
    return request;
  }
  if (jobId === undefined) throw new UsageError('name the job; jobs list shows them');
  if (!jobOperation.safeParse({ action: 'show', lob, jobId }).success)
    throw new UsageError(`${jobId} is no ID of a job; jobs list shows them`);
  return action === 'show' ? { action, lob, jobId } : { action, lob, jobId, requestId: randomUUID() };
}

async function ask<Kind extends JobOperationAnswer['kind']>(
  operation: CommandContext,
  request: JobOperation,
  kind: Kind,
): Promise<Extract<JobOperationAnswer, { kind: Kind }> | undefined> {
  return await askFunction<JobOperationAnswer, Kind>(
    operation,
    'jobOperations',
    request,
    kind,
    ({ reason }) => (reason === 'no_such_job' ? 'no such job' : 'the job was cancelled or has expired'),
  );
}

async function list(operation: CommandContext, request: JobOperation): Promise<ExitCode> {
  const answer = await ask(operation, request, 'list');
  if (answer === undefined) return 1;
  const { print, values } = operation;
  const { jobs, next } = answer;
  if (values.json === true) print(JSON.stringify({ jobs, next }));
  else {
    const rows = jobs.map(({ jobId, kind, state, members, done, acceptedAt, clientId }) => [
      ...[jobId, kind, state, `${done}/${members}`, acceptedAt, clientId],
    ]);
    print(table(['JOB', 'KIND', 'STATE', 'MEMBERS', 'ACCEPTED', 'APPLICATION'], rows));
    if (next !== undefined) print(`There are older jobs: repeat the command with --after '${next}'`);
  }
  return 0;
}

async function show(operation: CommandContext, request: JobOperation): Promise<ExitCode> {
  const answer = await ask(operation, request, 'show');
  if (answer === undefined) return 1;
  const { print, values } = operation;
  const { job, parts } = answer;
  if (values.json === true) print(JSON.stringify({ job, parts }));
  else {
    print(pairs(entriesOf(job)));
    const files = parts.flatMap((part) => part.files);
    print(
      table(
        ['FILE', 'LIST', 'LINES'],
        files.map(({ name, list: of, count }) => [name, of, `${count}`]),
      ),
    );
  }
  return 0;
}

function entriesOf({ expiresAt, ...job }: JobSummary): readonly (readonly [string, string])[] {
  const times = { ...job, expiresAt: new Date(expiresAt * 1000).toISOString() };
  return Object.entries(times).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
}

async function cancel(
  operation: CommandContext,
  request: Extract<JobOperation, { action: 'cancel' }>,
): Promise<ExitCode> {
  const question = `Cancel ${request.jobId} and remove its files?`;
  if (!(await isConfirmed(operation, question))) return 1;
  const answer = await ask(operation, request, 'cancelled');
  if (answer === undefined) return 1;
  operation.print(`${request.jobId} is cancelled, and its files are removed`);
  return 0;
}
