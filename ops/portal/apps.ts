/** Commands `ops apps …` of an operator: list and show the portal's applications, and approve, reject, suspend or revoke them. */

import type { ApplicationDecision } from '../../lambdas/portal/api/operations.ts';
import type { OperatorApplicationView } from '../../lambdas/portal/api/operator-views.ts';
import {
  applicationStateNames,
  decisionCriteria,
  decisionCriterionNames,
} from '../../lambdas/portal/catalog/application-states.ts';
import type { Command, CommandGroup } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/operation.ts';
import type { OptionName, OptionValues } from '../command-line/options.ts';
import { table } from '../command-line/table.ts';
import type { ExitCode } from '../command-line/terminal.ts';
import { applicationText } from './application-text.ts';
import { type CommandRequest, portalOptions, printAnswer, sendCommandRequest } from './command-request.ts';
import { queueText } from './queue-text.ts';
import { sendDecision } from './send-decision.ts';

/** Options of an act that goes against the developer, such as a rejection. */
const against: readonly OptionName[] = ['criterion', 'field', 'reason'];
type Act = ApplicationDecision['act'];

const criteria = Object.entries(decisionCriteria)
  .map(([name, { name: title, mayReject }]) => `${name} (${title}${mayReject ? ', may reject' : ''})`)
  .join(', ');

/**
 * Declares the command of a decision.
 *
 * @param own options for the decision's details.
 */
const decision = (name: string, act: Act, about: string, own: readonly OptionName[]): Command => ({
  ...{ name: `${name} <application id>`, about },
  options: [...own, 'version', 'dry-run', ...portalOptions],
  own: {
    criterion: {
      about: `a published criterion; only a security risk may keep members’ data from an application: ${criteria}`,
      choices: decisionCriterionNames,
    },
  },
  run: async (operation) => await decide(operation, act, own),
});

/** `apps …`: the portal's applications, and decisions about them. */
export const applicationCommands: CommandGroup = {
  name: 'apps',
  about: 'Shows and decides on applications in the developer portal.',
  commands: [
    {
      name: 'queue',
      about: 'Lists what waits for a decision, oldest first.',
      options: portalOptions,
      run: async (operation) =>
        printAnswer(operation, await sendCommandRequest(operation, { action: 'queue' }), ({ items }) =>
          queueText(items, ({ kind }) => kind !== 'account'),
        ),
    },
    {
      name: 'list',
      about: 'Lists applications.',
      options: ['state', ...portalOptions],
      own: { state: { choices: applicationStateNames } },
      run: list,
    },
    {
      name: 'show <application id>',
      about: 'Shows everything a decision needs: values, differences, pre-flight, calls, timeline.',
      options: portalOptions,
      run: async (operation) => printAnswer(operation, await read(operation), applicationText),
    },
    decision(
      'approve',
      'approve',
      'Approves it. Refused if two operators must approve; they approve on the console, where each signs in.',
      ['note'],
    ),
    decision('request-changes', 'request_changes', 'Asks the developer for changes.', against),
    decision('reject', 'reject', 'Rejects it.', against),
    decision('suspend', 'suspend', 'Refuses its production calls from then on.', ['reason']),
    decision('resume', 'resume', 'Ends a suspension.', ['note']),
    decision('revoke', 'revoke', 'Refuses its production calls from then on. Final.', ['reason']),
    decision(
      'approve-change',
      'approve_change',
      'Approves the change that an approved application proposes. Refused if two operators must approve.',
      ['note'],
    ),
    decision('request-change-changes', 'request_change_changes', 'Asks for changes to the change.', against),
    decision('reject-change', 'reject_change', 'Rejects the change.', against),
  ],
};

async function read(operation: CommandContext) {
  const [applicationId = ''] = operation.words;
  return await sendCommandRequest(operation, { action: 'application', applicationId });
}

async function list(operation: CommandContext): Promise<ExitCode> {
  const state = applicationStateNames.find((name) => name === operation.values.state);
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
  act: Act,
  options: readonly OptionName[],
): Promise<ExitCode> {
  const [applicationId = ''] = operation.words;
  return await sendDecision<OperatorApplicationView>(operation, {
    read: async () => await read(operation),
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

/** The values of the decision's options, by the member names of the request. */
function said(values: OptionValues, options: readonly OptionName[]): Record<string, unknown> {
  return Object.fromEntries(
    options.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  );
}
