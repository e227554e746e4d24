import type { TestMemberView } from '../../lambdas/portal/api/views.ts';
import type { CommandGroup } from '../command-line/command.ts';
import { testMembers } from '../generator/personas.ts';
import { type CommandRequest, portalOptions, printAnswer, sendUnlessDryRun } from './command-request.ts';

/** `test-members publish`: shows the sandbox's synthetic members to developers. */
export const testMemberCommands: CommandGroup = {
  name: 'test-members',
  about: 'Publishes the test members that developers see in the portal.',
  commands: [
    {
      name: 'publish',
      about:
        'Replaces the published test members with the sandbox’s synthetic members; `members load` loads them into the sandbox.',
      options: ['dry-run', ...portalOptions],
      run: async (operation) => {
        const unknown = 'Repeat the command; it replaces the published members with the same ones.';
        const answer = await sendUnlessDryRun(operation, publication(testMembers()), unknown);
        return printAnswer(operation, answer, ({ published }) =>
          operation.values['dry-run'] === true
            ? `dry run: would publish ${published} test members`
            : `${published} test members published`,
        );
      },
    },
  ],
};

/** Makes the request that `test-members publish` and `seed` send. */
export function publication(members: readonly TestMemberView[]): CommandRequest<'publish-test-members'> {
  return { action: 'publish-test-members', members: [...members] };
}
