/** Commands `grants list` and `grants end`. */

import { randomUUID } from 'node:crypto';
import {
  type EndReason,
  endReasons,
  type ListedApplication,
  type OperatorGrantsAnswer,
  type OperatorGrantsRequest,
} from '../lambdas/authorization/connected-apps/operator-grants-contract.ts';
import type { CommandGroup } from './command-line/command.ts';
import { UsageError } from './command-line/command-line.ts';
import { isConfirmed } from './command-line/confirm.ts';
import { type CommandContext, dryRunOptions, functionName, isDryRun } from './command-line/operation.ts';
import type { OptionName } from './command-line/options.ts';
import { table } from './command-line/table.ts';
import type { ExitCode } from './command-line/terminal.ts';
import { memberReference } from './member-reference.ts';

const memberOptions: readonly OptionName[] = [...dryRunOptions, 'lob', 'member', 'patient'];
const reasons = Object.entries(endReasons)
  .map(([code, meaning]) => `${code} (${meaning})`)
  .join(', ');

/** `grants …`: a member's grants to applications, for members who call the plan. */
export const grantCommands: CommandGroup = {
  name: 'grants',
  about: 'Lists and ends a member’s grants in one line of business, for a member who phones.',
  commands: [
    {
      name: 'list',
      about: 'Lists each application with its scopes, start, end and last access.',
      options: memberOptions,
      run: async (operation) => await run('list', operation),
    },
    {
      name: 'end',
      about:
        'Ends the grants of one application (--client) or of all (--all), like the member’s own "Stop sharing". The application’s next call and its refresh token are refused. Audited. Safe to repeat.',
      options: [...memberOptions, 'client', 'all', 'reason', 'yes'],
      own: { reason: { value: 'code', about: reasons, choices: Object.keys(endReasons) } },
      run: async (operation) => await run('end', operation),
    },
  ],
};

async function run(verb: OperatorGrantsRequest['action'], operation: CommandContext): Promise<ExitCode> {
  const { values, print } = operation;
  const request =
    verb === 'list' ? { action: verb, ...memberReference(operation.values) } : endRequest(operation);
  if (isDryRun(operation, request)) return 0;
  const ended = values.client ?? 'every application';
  const question = `End what the member shares with ${ended}?`;
  if (verb === 'end' && !(await isConfirmed(operation, question))) return 1;
  const answer = (await operation.invoke(
    functionName(operation, 'operatorGrants'),
    request,
  )) as OperatorGrantsAnswer;
  print(values.json === true ? JSON.stringify(answer, undefined, 2) : answerText(answer));
  return answer.kind === 'refusal' ? 1 : 0;
}

function endRequest(operation: CommandContext): OperatorGrantsRequest {
  const { client, all, reason } = operation.values;
  const whom = memberReference(operation.values);
  if ((client === undefined) === (all !== true)) {
    throw new UsageError(
      'the application is missing; give either --client (`grants list` shows the IDs) or --all',
    );
  }
  if (reason === undefined || !isReason(reason)) {
    throw new UsageError(`--reason must be one of ${Object.keys(endReasons).join(', ')}`);
  }
  const applications = client === undefined ? ('all' as const) : { clientId: client };
  return { action: 'end', ...whom, applications, reason, requestId: randomUUID() };
}

function isReason(text: string): text is EndReason {
  return Object.hasOwn(endReasons, text);
}

function answerText(answer: OperatorGrantsAnswer): string {
  if (answer.kind === 'refusal') {
    return answer.reason === 'member_unknown'
      ? 'refused: no member with this ID in this line of business and environment'
      : 'refused: the member shares nothing with this application; `grants list` shows the applications';
  }
  if (answer.kind === 'applications') return applicationsText(answer.patientId, answer.applications);
  const { ended, patientId } = answer;
  if (ended.length === 0) return `Patient ${patientId} shares nothing. No grant was ended.`;
  return [
    table(
      ['ended grant', 'application'],
      ended.map(({ grantId, clientId }) => [grantId, clientId]),
    ),
    '',
    'The next call by each of these applications is refused.',
  ].join('\n');
}

function applicationsText(patientId: string, applications: readonly ListedApplication[]): string {
  if (applications.length === 0) return `Patient ${patientId} shares data with no application.`;
  const rows = applications.map((application) => [
    application.name ?? '(no longer registered)',
    application.clientId,
    application.since,
    application.until,
    lastAccess(application),
    application.scopes.join(' '),
  ]);
  return [
    `Patient ${patientId} shares data with:`,
    '',
    table(['application', 'client ID', 'since', 'until', 'last access', 'scopes'], rows),
  ].join('\n');
}

function lastAccess({ lastAccess: at, notReadSince }: ListedApplication): string {
  if (at !== undefined) return at;
  return notReadSince === undefined ? 'never' : `before ${notReadSince}, or never`;
}
