/** Commands `operators …`: the users of the portal's console. */

import type { CommandGroup } from '../command-line/command.ts';
import { isConfirmed } from '../command-line/confirm.ts';
import type { CommandContext } from '../command-line/operation.ts';
import { pairs, table } from '../command-line/table.ts';
import type { ExitCode } from '../command-line/terminal.ts';
import {
  type CommandRequest,
  portalOptions,
  printAnswer,
  sendCommandRequest,
  sendUnlessDryRun,
} from './command-request.ts';

/** `operators …`: the operators of the portal's console. */
export const operatorCommands: CommandGroup = {
  name: 'operators',
  about: 'Manages the operators of the portal’s console.',
  commands: [
    {
      name: 'create',
      about:
        'Prints a password once. At the first sign-in a code goes to the phone, a US number; then the operator sets up an authenticator app.',
      options: ['email', 'first-name', 'last-name', 'phone', 'dry-run', ...portalOptions],
      run: create,
    },
    { name: 'list', about: 'Lists the operators.', options: portalOptions, run: list },
    {
      name: 'remove <operator id or e-mail address>',
      about: 'Ends the operator’s sessions at once; the address can be used again.',
      options: ['dry-run', 'yes', ...portalOptions],
      run: remove,
    },
    {
      name: 'reset-authenticator <operator id or e-mail address>',
      about:
        'For an operator who lost the app: ends the sessions, and sends a code to the phone at the next sign-in. Verify the person’s identity first.',
      options: ['dry-run', ...portalOptions],
      run: resetAuthenticator,
    },
  ],
};

async function create(operation: CommandContext): Promise<ExitCode> {
  const { values } = operation;
  const request = {
    action: 'create-operator',
    person: {
      firstName: values['first-name'],
      lastName: values['last-name'],
      email: values.email,
      phone: values.phone,
    },
  } as CommandRequest<'create-operator'>;
  const unknown =
    'Check with `operators list`. If the operator exists, remove it and create it again: its password is lost.';
  return printAnswer(operation, await sendUnlessDryRun(operation, request, unknown), ({ email, made }) => {
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

const repeatIt = 'Repeat the command; it is carried out once.';

async function remove(operation: CommandContext): Promise<ExitCode> {
  const [operatorId = ''] = operation.words;
  const request = { action: 'remove-operator', operatorId } as const;
  const isDryRun = operation.values['dry-run'] === true;
  if (!isDryRun && !(await isConfirmed(operation, `Remove the operator ${operatorId}?`))) return 1;
  return printAnswer(operation, await sendUnlessDryRun(operation, request, repeatIt), ({ name, email }) =>
    isDryRun ? `dry run: would remove ${name}, ${email}` : `removed: ${name}, ${email}`,
  );
}

async function resetAuthenticator(operation: CommandContext): Promise<ExitCode> {
  const [operatorId = ''] = operation.words;
  const request = { action: 'reset-authenticator', operatorId } as const;
  return printAnswer(operation, await sendUnlessDryRun(operation, request, repeatIt), ({ name, email }) =>
    operation.values['dry-run'] === true
      ? `dry run: would reset ${name}, ${email}`
      : `reset: ${name}, ${email}; a code goes to the phone at the next sign-in`,
  );
}
