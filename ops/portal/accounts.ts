/** Commands `accounts …`: decisions about developers' accounts. */

import type { AccountDecision } from '../../lambdas/portal/api/operations.ts';
import type { OperatorAccountView } from '../../lambdas/portal/api/operator-views.ts';
import { accountStateNames } from '../../lambdas/portal/catalog/account-states.ts';
import type { Command, CommandGroup } from '../command-line/command.ts';
import { listed } from '../command-line/command-line.ts';
import type { CommandContext } from '../command-line/operation.ts';
import type { OptionName } from '../command-line/options.ts';
import { pairs, table } from '../command-line/table.ts';
import type { ExitCode } from '../command-line/terminal.ts';
import { type CommandRequest, portalOptions, printAnswer, sendCommandRequest } from './command-request.ts';
import { queueText } from './queue-text.ts';
import { sendDecision } from './send-decision.ts';

type Act = AccountDecision['act'];

const decision = (name: string, act: Act, about: string, own: readonly OptionName[] = []): Command => ({
  ...{ name: `${name} <account id>`, about },
  options: [...own, 'version', 'dry-run', ...portalOptions],
  run: async (operation) => await decide(operation, act),
});

/** `accounts …`: the portal's accounts, and decisions about them. */
export const accountCommands: CommandGroup = {
  name: 'accounts',
  about: 'Shows and decides on accounts of the developer portal.',
  commands: [
    {
      name: 'queue',
      about: 'Lists organizations that wait for verification, oldest first.',
      options: portalOptions,
      run: async (operation) =>
        printAnswer(operation, await sendCommandRequest(operation, { action: 'queue' }), ({ items }) =>
          queueText(items, ({ kind }) => kind === 'account'),
        ),
    },
    {
      name: 'list',
      about: 'Lists accounts in a state; default: those that wait for verification.',
      options: ['state', ...portalOptions],
      own: { state: { choices: accountStateNames } },
      run: list,
    },
    {
      name: 'show <account id>',
      about: 'Shows an account, its team and its timeline.',
      options: portalOptions,
      run: async (operation) => printAnswer(operation, await read(operation), accountText),
    },
    decision('verify', 'verify_organization', 'Verifies an organization.'),
    decision('refuse', 'refuse_organization', 'Refuses an organization and ends its account.', ['reason']),
    decision(
      'suspend',
      'suspend',
      'Ends its sessions at once. Its team’s applications keep running, except those of --applications.',
      ['reason', 'applications'],
    ),
    decision(
      'resume',
      'resume',
      'Ends a suspension. Applications suspended with it stay suspended (use `apps resume`).',
    ),
  ],
};

async function read(operation: CommandContext) {
  const [accountId = ''] = operation.words;
  return await sendCommandRequest(operation, { action: 'account', accountId });
}

async function list(operation: CommandContext): Promise<ExitCode> {
  const state = accountStateNames.find((name) => name === operation.values.state);
  const request = { action: 'accounts', ...(state === undefined ? {} : { state }) } as const;
  return printAnswer(operation, await sendCommandRequest(operation, request), ({ accounts, next }) => {
    if (accounts.length === 0) return 'no account';
    const rows = accounts.map((each) => [
      each.accountId,
      each.state,
      each.developerType ?? each.role,
      String(each.version),
      `${each.firstName} ${each.lastName}`,
      each.company,
      each.email,
    ]);
    const shownRows = table(['account id', 'state', 'type', 'version', 'name', 'company', 'e-mail'], rows);
    return next === undefined
      ? shownRows
      : `${shownRows}\nMore accounts exist. These are the first ${rows.length}`;
  });
}

async function decide(operation: CommandContext, act: Act): Promise<ExitCode> {
  const [accountId = ''] = operation.words;
  const { reason, applications } = operation.values;
  const said = {
    ...(reason === undefined ? {} : { reason }),
    ...(applications === undefined ? {} : { applications: suspendedOf(applications) }),
  };
  return await sendDecision<OperatorAccountView>(operation, {
    read: async () => await read(operation),
    request: (version) =>
      ({
        action: 'decide-account',
        accountId,
        decision: { act, version, ...said },
      }) as CommandRequest<'decide-account'>,
    text: accountText,
    lookCommand: `accounts show ${accountId}`,
  });
}

/** Parses the applications to suspend: `unattended`, or IDs in several options or separated by commas. */
function suspendedOf(given: readonly string[]): 'unattended' | readonly string[] {
  const names = listed(given);
  return names.length === 1 && names[0] === 'unattended' ? 'unattended' : names;
}

function teamText({ team }: OperatorAccountView): readonly string[] {
  if (team === undefined) return [];
  const { others, approved } = team;
  return [
    '',
    `other active members of its team: ${others.join(', ') || 'nobody'}`,
    `approved applications of its team:${approved.length === 0 ? ' none' : ''}`,
    ...approved.map(({ applicationId, name }) => `  ${applicationId}  ${name}`),
  ];
}

function accountText(account: OperatorAccountView): string {
  const { signUp, timeline, notice } = account;
  const given = Object.entries(signUp).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  );
  return [
    pairs([
      ['account', account.accountId],
      ['state', `${account.state}, version ${account.version}`],
      ['name', `${account.firstName} ${account.lastName}`],
      ['type', account.developerType ?? account.role],
      ['company', account.company],
      ['e-mail', account.email],
      ['since', account.createdAt],
    ]),
    ...(notice === undefined ? [] : ['', notice]),
    ...teamText(account),
    ...(given.length === 0 ? [] : ['', 'entered at sign-up:', pairs(given).replace(/^/gm, '  ')]),
    ...(timeline.length === 0 ? [] : ['', 'timeline:']),
    ...timeline.map(({ at, actor, act, words = '' }) => `  ${at}  ${actor}  ${act}  ${words}`.trimEnd()),
  ].join('\n');
}
