/** Commands `jobs …`: asynchronous jobs of Payer Access. */

import type { LineOfBusiness } from '../lambdas/catalog/lines-of-business.ts';
import type {
  JobOperation,
  JobOperationAnswer,
  JobSummary,
} from '../lambdas/fhir/jobs/job-operations-contract.ts';
import { allowOnly, linesOfBusinessOf, UsageError } from './command-line.ts';
import { type CommandContext, commonOptions, functionName } from './operation.ts';
import { pairs, table } from './table.ts';
import type { ExitCode } from './terminal.ts';

const verbs = ['list', 'show', 'cancel'] as const;

/** `jobs list|show|cancel`. */
export async function jobsCommand(verb: string, operation: CommandContext): Promise<ExitCode> {
  const known = verbs.find((each) => each === verb);
  if (known === undefined) throw new UsageError(`jobs ${verb} is not a command; use ${verbs.join(', ')}`);
  allowOnly(operation.values, [...commonOptions, 'lob'], `jobs ${known}`);
  const lob = lobOf(operation);
  if (known === 'list') return await list(operation, lob);
  const [jobId] = operation.words;
  if (jobId === undefined) throw new UsageError('name the job; jobs list shows them');
  return known === 'show' ? await show(operation, lob, jobId) : await cancel(operation, lob, jobId);
}

function lobOf({ values }: CommandContext): LineOfBusiness {
  const [lob, ...others] = linesOfBusinessOf(values.lob ?? []);
  if (lob === undefined || others.length > 0) throw new UsageError('jobs needs one --lob');
  return lob;
}

async function ask<Kind extends JobOperationAnswer['kind']>(
  operation: CommandContext,
  request: JobOperation,
  kind: Kind,
): Promise<Extract<JobOperationAnswer, { kind: Kind }> | undefined> {
  const name = functionName(operation, 'jobOperations');
  const answer = (await operation.invoke(name, request)) as JobOperationAnswer;
  if (answer.kind === kind) return answer as Extract<JobOperationAnswer, { kind: Kind }>;
  if (answer.kind !== 'refused') throw new Error(`job-operations answered ${answer.kind}`);
  operation.print(answer.reason === 'no_such_job' ? 'refused: no such job' : 'refused: the job has ended');
  return undefined;
}

async function list(operation: CommandContext, lob: LineOfBusiness): Promise<ExitCode> {
  const answer = await ask(operation, { action: 'list', lob }, 'list');
  if (answer === undefined) return 1;
  const { print, values } = operation;
  if (values.json === true) print(JSON.stringify(answer.jobs));
  else {
    const rows = answer.jobs.map(({ jobId, kind, state, members, done, acceptedAt, clientId }) => [
      ...[jobId, kind, state, `${done}/${members}`, acceptedAt, clientId],
    ]);
    print(table(['JOB', 'KIND', 'STATE', 'MEMBERS', 'ACCEPTED', 'APPLICATION'], rows));
  }
  return 0;
}

async function show(operation: CommandContext, lob: LineOfBusiness, jobId: string): Promise<ExitCode> {
  const answer = await ask(operation, { action: 'show', lob, jobId }, 'show');
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

async function cancel(operation: CommandContext, lob: LineOfBusiness, jobId: string): Promise<ExitCode> {
  const answer = await ask(operation, { action: 'cancel', lob, jobId }, 'cancelled');
  if (answer === undefined) return 1;
  operation.print(`${jobId} is cancelled, and its files are removed`);
  return 0;
}
