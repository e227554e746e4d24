/** The operator's command line: `npm run ops -- <command>`. */

import { auditCommands } from './audit.ts';
import { clientCommands } from './clients.ts';
import { type Command, type CommandGroup, readCommandLine } from './command-line/command.ts';
import { type CommandContext, createOperation } from './command-line/operation.ts';
import { type ExitCode, exitCodeOf, type Terminal } from './command-line/terminal.ts';
import { directoryCommands } from './directory/directory.ts';
import { grantCommands } from './grants.ts';
import { jobCommands } from './jobs.ts';
import { keyCommands } from './keys.ts';
import { loadCommands } from './loads/loads.ts';
import { memberCommands, seedCommand } from './members.ts';
import { payerExchangeCommands } from './payer-exchange.ts';
import { payerCommands } from './payers.ts';
import { accountCommands } from './portal/accounts.ts';
import { applicationCommands } from './portal/apps.ts';
import { operatorCommands } from './portal/operators.ts';
import { statusCommands } from './portal/status.ts';
import { testMemberCommands } from './portal/test-members.ts';
import { recoveryCommands } from './recovery/recovery.ts';

/** Every command. */
export const commands: readonly (CommandGroup | Command)[] = [
  clientCommands,
  memberCommands,
  loadCommands,
  jobCommands,
  payerExchangeCommands,
  payerCommands,
  directoryCommands,
  grantCommands,
  auditCommands,
  keyCommands,
  recoveryCommands,
  applicationCommands,
  accountCommands,
  operatorCommands,
  testMemberCommands,
  statusCommands,
  seedCommand,
];

/** Runs the command that a command line names. */
export async function runOps(
  args: readonly string[],
  variables: CommandContext['variables'],
  terminal: Terminal,
): Promise<ExitCode> {
  const { out: print, err: note, live, ask } = terminal;
  const program = async () => {
    const line = readCommandLine(commands, args, print);
    if (line === undefined) return 0;
    const { command, words, values } = line;
    return await command.run(createOperation({ values, words, variables, print, note, live, ask }));
  };
  return await exitCodeOf(program, 'npm run ops -- --help', terminal, args.includes('--json'));
}
