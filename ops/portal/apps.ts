/** Commands `apps …`: show the portal's applications and decide about them. */

import type { ApplicationDecision } from '../../lambdas/portal/api/operations.ts';
import type { OperatorApplicationView } from '../../lambdas/portal/api/operator-views.ts';
import {
  applicationStateNames,
  decisionCriterionNames,
} from '../../lambdas/portal/catalog/application-states.ts';
import { allowOnly, type OptionName, type OptionValues, UsageError } from '../command-line.ts';
import type { CommandContext } from '../operation.ts';
import { table } from '../table.ts';
import type { ExitCode } from '../terminal.ts';
import { applicationText } from './application-text.ts';
import {
  type CommandRequest,
  portalOptions,
  printAnswer,
  readOneArgument,
  refuseArguments,
  sendCommandRequest,
} from './command-request.ts';
import { queueText } from './queue-text.ts';
import { sendDecision } from './send-decision.ts';

const against: readonly OptionName[] = ['criterion', 'field', 'reason'];
type Act = ApplicationDecision['act'];

/** The acts by their commands, with the options of each in addition to `--version` and `--dry-run`. */
const decisions: Readonly<Record<string, { readonly act: Act; readonly options: readonly OptionName[] }>> = {
  approve: { act: 'approve', options: ['note'] },
  'request-changes': { act: 'request_changes', options: against },
  reject: { act: 'reject', options: against },
  suspend: { act: 'suspend', options: ['reason'] },
  resume: { act: 'resume', options: ['note'] },
  revoke: { act: 'revoke', options: ['reason'] },
  'approve-change': { act: 'approve_change', options: ['note'] },
  'request-change-changes': { act: 'request_change_changes', options: against },
  'reject-change': { act: 'reject_change', options: against },
};

/** `apps <verb> …`: the portal's applications, and decisions about them. */
export async function appsCommand(verb: string, operation: CommandContext): Promise<ExitCode> {
  const { values, words } = operation;
  const decision = Object.hasOwn(decisions, verb) ? decisions[verb] : undefined;
  if (decision !== undefined) {
    allowOnly(values, [...portalOptions, 'version', 'dry-run', ...decision.options], `apps ${verb}`);
    const { criterion } = values;
    if (criterion !== undefined && !(decisionCriterionNames as readonly string[]).includes(criterion)) {
      throw new UsageError(`--criterion must be one of ${decisionCriterionNames.join(', ')}`);
    }
    return await decide(operation, readOneArgument(words, `apps ${verb} <application id>`), decision);
  }
  switch (verb) {
    case 'queue':
      return await queue(operation);
    case 'list':
      return await list(operation);
    case 'show': {
      allowOnly(values, portalOptions, 'apps show');
      const applicationId = readOneArgument(words, 'apps show <application id>');
      return printAnswer(
        operation,
        await sendCommandRequest(operation, { action: 'application', applicationId }),
        applicationText,
      );
    }
    default:
      throw new UsageError(
        `apps ${verb} is not a command; use queue, list, show, ${Object.keys(decisions).join(', ')}`,
      );
  }
}

async function queue(operation: CommandContext): Promise<ExitCode> {
  allowOnly(operation.values, portalOptions, 'apps queue');
  refuseArguments(operation.words, 'apps queue');
  return printAnswer(operation, await sendCommandRequest(operation, { action: 'queue' }), ({ items }) =>
    queueText(items, ({ kind }) => kind !== 'account'),
  );
}

async function list(operation: CommandContext): Promise<ExitCode> {
  const { values, words } = operation;
  allowOnly(values, [...portalOptions, 'state'], 'apps list');
  refuseArguments(words, 'apps list');
  const state = applicationStateNames.find((name) => name === values.state);
  if (state === undefined && values.state !== undefined) {
    throw new UsageError(`--state must be one of ${applicationStateNames.join(', ')}`);
  }
  const request = { action: 'applications', ...(state === undefined ? {} : { state }) } as const;
  return printAnswer(operation, await sendCommandRequest(operation, request), ({ applications }) => {
    if (applications.length === 0) return 'no application';
    return table(
      ['application id', 'state', 'change', 'version', 'updated', 'name'],
      applications.map((each) => [
        each.applicationId,
        each.state,
        each.changeState === 'none' ? '' : each.changeState,
        String(each.version),
        each.updatedAt,
        each.name,
      ]),
    );
  });
}

async function decide(
  operation: CommandContext,
  applicationId: string,
  { act, options }: (typeof decisions)[string],
): Promise<ExitCode> {
  return await sendDecision<OperatorApplicationView>(operation, {
    read: async () => await sendCommandRequest(operation, { action: 'application', applicationId }),
    request: (version) =>
      ({
        action: 'decide-application',
        applicationId,
        decision: { act, version, ...said(operation.values, options) },
      }) as CommandRequest<'decide-application'>,
    text: applicationText,
    lookCommand: `apps show ${applicationId}`,
  });
}

/** The values of the options, by the names of the decision. */
function said(values: OptionValues, options: readonly OptionName[]): Record<string, unknown> {
  return Object.fromEntries(
    options.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  );
}
