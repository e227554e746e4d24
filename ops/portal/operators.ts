/** Commands `operators …`: the people of the portal's console. */

import { allowOnly, UsageError } from '../command-line.ts';
import { isConfirmed } from '../confirm.ts';
import type { CommandContext } from '../operation.ts';
import { pairs, table } from '../table.ts';
import type { ExitCode } from '../terminal.ts';
import {
  type CommandRequest,
  parseCommandRequest,
  portalOptions,
  printAnswer,
  readOneArgument,
  refuseArguments,
  sendCommandRequest,
} from './command-request.ts';

/** `operators create|list|remove|reset-authenticator`: the operators of the portal's console. */
export async function operatorsCommand(verb: string, operation: CommandContext): Promise<ExitCode> {
  switch (verb) {
    case 'create':
      return await create(operation);
    case 'list':
      return await list(operation);
    case 'remove':
      return await remove(operation);
    case 'reset-authenticator':
      return await resetAuthenticator(operation);
    default:
      throw new UsageError(
        `operators ${verb} is not a command; use create, list, remove or reset-authenticator`,
      );
  }
}

async function create(operation: CommandContext): Promise<ExitCode> {
  const { values, words, print } = operation;
  const fields = ['email', 'first-name', 'last-name', 'phone'] as const;
  allowOnly(values, [...portalOptions, 'dry-run', ...fields], 'operators create');
  refuseArguments(words, 'operators create --email … --first-name … --last-name … --phone …');
  const dryRun = values['dry-run'] === true;
  const request = {
    action: 'create-operator',
    person: {
      firstName: values['first-name'],
      lastName: values['last-name'],
      email: values.email,
      phone: values.phone,
    },
    ...(dryRun ? { dryRun } : {}),
  } as CommandRequest<'create-operator'>;
  const read = parseCommandRequest(operation, request);
  if (dryRun && values.json !== true) print(JSON.stringify(read, undefined, 2));
  const unknown =
    'Check with `operators list`. If the operator exists, remove it and create it again: its password is lost.';
  return printAnswer(operation, await sendCommandRequest(operation, request, unknown), ({ email, made }) => {
    if (made === undefined) return `dry run: would create ${email}`;
    return [
      pairs([
        ['operator', made.operatorId],
        ['signs in as', email],
        ['password', made.password],
      ]),
      'This password is shown once. At the first sign-in a code goes to the phone. Then the operator sets up an authenticator app.',
    ].join('\n');
  });
}

async function list(operation: CommandContext): Promise<ExitCode> {
  allowOnly(operation.values, portalOptions, 'operators list');
  refuseArguments(operation.words, 'operators list');
  return printAnswer(
    operation,
    await sendCommandRequest(operation, { action: 'operators' }),
    ({ operators }) => {
      if (operators.length === 0) return 'No operators. Create one with `operators create`.';
      return table(
        ['operator id', 'state', 'authenticator app', 'name', 'e-mail'],
        operators.map(({ operatorId, state, authenticatorSince, name, email }) => [
          operatorId,
          state ?? 'has not signed in yet',
          authenticatorSince === undefined ? 'none' : `since ${authenticatorSince.slice(0, 10)}`,
          name,
          email,
        ]),
      );
    },
  );
}

async function remove(operation: CommandContext): Promise<ExitCode> {
  const { values, words, print } = operation;
  allowOnly(values, [...portalOptions, 'dry-run', 'yes'], 'operators remove');
  const operatorId = readOneArgument(words, 'operators remove <operator id or e-mail address>');
  const dryRun = values['dry-run'] === true;
  const request = { action: 'remove-operator', operatorId, ...(dryRun ? { dryRun } : {}) } as const;
  if (dryRun && values.json !== true)
    print(JSON.stringify(parseCommandRequest(operation, request), undefined, 2));
  if (!dryRun && !(await isConfirmed(operation, `Remove the operator ${operatorId}?`))) return 1;
  const unknown = 'Repeat the command; it is carried out once.';
  return printAnswer(operation, await sendCommandRequest(operation, request, unknown), ({ name, email }) =>
    dryRun ? `dry run: would remove ${name}, ${email}` : `removed: ${name}, ${email}`,
  );
}

async function resetAuthenticator(operation: CommandContext): Promise<ExitCode> {
  const { values, words, print } = operation;
  allowOnly(values, [...portalOptions, 'dry-run'], 'operators reset-authenticator');
  const operatorId = readOneArgument(words, 'operators reset-authenticator <operator id or e-mail address>');
  const dryRun = values['dry-run'] === true;
  const request = { action: 'reset-authenticator', operatorId, ...(dryRun ? { dryRun } : {}) } as const;
  if (dryRun && values.json !== true)
    print(JSON.stringify(parseCommandRequest(operation, request), undefined, 2));
  const unknown = 'Repeat the command; it is carried out once.';
  return printAnswer(operation, await sendCommandRequest(operation, request, unknown), ({ name, email }) =>
    dryRun
      ? `dry run: would reset ${name}, ${email}`
      : `reset: ${name}, ${email}; a code goes to the phone at the next sign-in`,
  );
}
