/** Commands `jobs …`: asynchronous jobs of Payer Access. */

import { randomUUID } from 'node:crypto';
import type { LineOfBusiness } from '../lambdas/catalog/lines-of-business.ts';
import {
  type JobOperation,
  type JobOperationAnswer,
  type JobSummary,
  jobOperation,
} from '../lambdas/payer-access/jobs/job-operations-contract.ts';
import type { Command, CommandGroup } from './command-line/command.ts';
import { UsageError } from './command-line/command-line.ts';
import { isConfirmed } from './command-line/confirm.ts';
import {
  askerOf,
  type CommandContext,
  dryRunOptions,
  isDryRun,
  lineOfBusinessOf,
} from './command-line/operation.ts';
import type { OptionName } from './command-line/options.ts';
import { pairs, table } from './command-line/table.ts';
import type { ExitCode } from './command-line/terminal.ts';

const command = (
  name: JobOperation['action'],
  about: string,
  options: readonly OptionName[] = [],
): Command => ({
  ...{ name: name === 'list' ? name : `${name} <job>`, about },
  options: ['lob', ...options, ...dryRunOptions],
  run: async (operation) => await run(name, operation),
});

/** `jobs …`: asynchronous jobs of Payer Access. */
export const jobCommands: CommandGroup = {
  name: 'jobs',
  about: 'Asynchronous jobs of Payer Access: matches of many members, and exports.',
  commands: [
    command('list', 'Lists the newest 20 jobs, with the members that are done, or those before.', ['after']),
    command('show', 'Shows its times and files.'),
    command('cancel', 'Cancels a job, or removes the files of one that has ended.', ['yes']),
  ],
};

async function run(action: JobOperation['action'], operation: CommandContext): Promise<ExitCode> {
  const { values, words } = operation;
  const request = requestOf(action, lineOfBusinessOf(values, 'jobs'), words[0] ?? '', values.after);
  if (isDryRun(operation, request)) return 0;
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
  action: JobOperation['action'],
  lob: LineOfBusiness,
  jobId: string,
  after: string | undefined,
): JobOperation {
  if (action === 'list') {
    const request = { action, lob, ...(after !== undefined && { after }) };
    // Validates with the function's own schema, to report errors by option.
    if (!jobOperation.safeParse(request).success)
      throw new UsageError('--after takes the position that jobs list printed');
    return request;
  }
  if (!jobOperation.safeParse({ action: 'show', lob, jobId }).success)
    throw new UsageError(`${jobId} is no ID of a job; jobs list shows them`);
  return action === 'show' ? { action, lob, jobId } : { action, lob, jobId, requestId: randomUUID() };
}

const ask = askerOf<JobOperation, JobOperationAnswer>('jobOperations', ({ reason }) =>
  reason === 'no_such_job' ? 'no such job' : 'the job was cancelled or has expired',
);

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
