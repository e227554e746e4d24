import type { TestMemberView } from '../../lambdas/portal/api/views.ts';
import { allowOnly, UsageError } from '../command-line.ts';
import { testMembers } from '../generator/personas.ts';
import type { CommandContext } from '../operation.ts';
import type { ExitCode } from '../terminal.ts';
import {
  type CommandRequest,
  parseCommandRequest,
  portalOptions,
  printAnswer,
  refuseArguments,
  sendCommandRequest,
} from './command-request.ts';

/** `test-members publish`: shows the sandbox's synthetic members to developers. */
export async function testMembersCommand(verb: string, operation: CommandContext): Promise<ExitCode> {
  const { values, words, print } = operation;
  if (verb !== 'publish') throw new UsageError(`test-members ${verb} is not a command; use publish`);
  allowOnly(values, [...portalOptions, 'dry-run'], 'test-members publish');
  refuseArguments(words, 'test-members publish');
  const dryRun = values['dry-run'] === true;
  const request = { ...publication(testMembers()), ...(dryRun ? { dryRun } : {}) } as const;
  if (dryRun && values.json !== true)
    print(JSON.stringify(parseCommandRequest(operation, request), undefined, 2));
  const unknown = 'Repeat the command; it replaces the published members with the same ones.';
  return printAnswer(operation, await sendCommandRequest(operation, request, unknown), ({ published }) =>
    dryRun ? `dry run: would publish ${published} test members` : `${published} test members published`,
  );
}

/** The request that `test-members publish` and `seed` send. */
export function publication(members: readonly TestMemberView[]): CommandRequest<'publish-test-members'> {
  return { action: 'publish-test-members', members: [...members] };
}
