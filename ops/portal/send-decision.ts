/** Sends an operator's decision about an application or account. */

import type { OperationsAnswer } from '../../lambdas/portal/api/operations-contract.ts';
import type {
  OperatorAccountView,
  OperatorApplicationView,
} from '../../lambdas/portal/api/operator-views.ts';
import type { CommandContext } from '../command-line/operation.ts';
import type { ExitCode } from '../command-line/terminal.ts';
import {
  type CommandRequest,
  parseCommandRequest,
  printAnswer,
  sendUnlessDryRun,
  versionOf,
} from './command-request.ts';

type DecideAction = 'decide-application' | 'decide-account';
type Subject = OperatorApplicationView | OperatorAccountView;

/** Parts of a decision command that differ between applications and accounts. */
export interface DecisionSteps<Shown extends Subject> {
  /** Reads the application or account. */
  readonly read: () => Promise<OperationsAnswer<'application'> | OperationsAnswer<'account'>>;
  readonly request: (version: number) => CommandRequest<DecideAction>;
  readonly text: (subject: Shown) => string;
  /** Command that shows the current state. */
  readonly lookCommand: string;
}

/** Lists the applications that were suspended with an account, one on each line. */
function suspendedText(result: Subject, dryRun: boolean): string {
  if (!('suspended' in result) || result.suspended === undefined) return '';
  if (result.suspended.length === 0) return '\nno application was suspended with it';
  const lines = result.suspended.map(({ applicationId, name, outcome }) => {
    const said = outcome === 'waiting' ? 'decided; production has not confirmed it yet' : 'suspended';
    return `  ${applicationId}  ${name}  ${dryRun ? 'would be suspended' : said}`;
  });
  return ['', 'applications:', ...lines].join('\n');
}

/**
 * Decides about the given version, or about the current one, which is then printed first. With `--dry-run` the portal validates the
 * decision without writing.
 */
export async function sendDecision<Shown extends Subject>(
  operation: CommandContext,
  { read, request, text, lookCommand }: DecisionSteps<Shown>,
): Promise<ExitCode> {
  const { values, print } = operation;
  // Validates the options before anything is read.
  parseCommandRequest(operation, request(1));
  let version = versionOf(values.version);
  if (version === undefined) {
    const present = await read();
    if (present.kind === 'problem') return printAnswer(operation, present, () => '');
    version = present.result.version;
    if (values.json !== true) print(`${text(present.result as Shown)}\n`);
  }
  const dryRun = values['dry-run'] === true;
  const answer = (await sendUnlessDryRun(
    operation,
    request(version),
    `Check the result with \`${lookCommand}\`. A decision on version ${version} is carried out at most once.`,
  )) as OperationsAnswer<DecideAction>;
  return printAnswer(operation, answer, (result) => {
    const done = dryRun ? 'dry run: would be done' : 'done';
    const notice = 'notice' in result && result.notice !== undefined ? `\n${result.notice}` : '';
    return `${done}: ${result.state}, version ${result.version}${notice}${suspendedText(result, dryRun)}`;
  });
}
