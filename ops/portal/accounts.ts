/** The commands `accounts …`: decisions about developers' accounts. */

import type { AccountDecision } from '../../lambdas/portal/api/operations.ts';
import type { OperatorAccountView } from '../../lambdas/portal/api/operator-views.ts';
import { accountStateNames } from '../../lambdas/portal/catalog/account-states.ts';
import { allowOnly, listed, type OptionName, UsageError } from '../command-line.ts';
import type { CommandContext } from '../operation.ts';
import { pairs, table } from '../table.ts';
import type { ExitCode } from '../terminal.ts';
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

type Act = AccountDecision['act'];

const decisions: Readonly<Record<string, { readonly act: Act; readonly options: readonly OptionName[] }>> = {
  verify: { act: 'verify_organization', options: [] },
  refuse: { act: 'refuse_organization', options: ['reason'] },
  suspend: { act: 'suspend', options: ['reason', 'applications'] },
  resume: { act: 'resume', options: [] },
};

/** `accounts <verb> …`: the portal's accounts, and decisions about them. */
export async function accountsCommand(verb: string, operation: CommandContext): Promise<ExitCode> {
  const { values, words } = operation;
  const decision = Object.hasOwn(decisions, verb) ? decisions[verb] : undefined;
  if (decision !== undefined) {
    allowOnly(values, [...portalOptions, 'version', 'dry-run', ...decision.options], `accounts ${verb}`);
    return await decide(operation, readOneArgument(words, `accounts ${verb} <account id>`), decision.act);
  }
  switch (verb) {
    case 'queue': {
      allowOnly(values, portalOptions, 'accounts queue');
      refuseArguments(words, 'accounts queue');
      return printAnswer(operation, await sendCommandRequest(operation, { action: 'queue' }), ({ items }) =>
        queueText(items, ({ kind }) => kind === 'account'),
      );
    }
    case 'list':
      return await list(operation);
    case 'show': {
      allowOnly(values, portalOptions, 'accounts show');
      const accountId = readOneArgument(words, 'accounts show <account id>');
      return printAnswer(
        operation,
        await sendCommandRequest(operation, { action: 'account', accountId }),
        accountText,
      );
    }
    default:
      throw new UsageError(
        `accounts ${verb} is not a command; use queue, list, show, ${Object.keys(decisions).join(', ')}`,
      );
  }
}

async function list(operation: CommandContext): Promise<ExitCode> {
  const { values, words } = operation;
  allowOnly(values, [...portalOptions, 'state'], 'accounts list');
  refuseArguments(words, 'accounts list');
  const state = accountStateNames.find((name) => name === values.state);
  if (state === undefined && values.state !== undefined) {
    throw new UsageError(`--state must be one of ${accountStateNames.join(', ')}`);
  }
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

async function decide(operation: CommandContext, accountId: string, act: Act): Promise<ExitCode> {
  const { reason, applications } = operation.values;
  const said = {
    ...(reason === undefined ? {} : { reason }),
    ...(applications === undefined ? {} : { applications: suspendedOf(applications) }),
  };
  return await sendDecision<OperatorAccountView>(operation, {
    read: async () => await sendCommandRequest(operation, { action: 'account', accountId }),
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

/** `unattended`, or ids, each its own option or separated by commas. */
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
