/** Commands `recovery …`. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { CommandGroup } from '../command-line/command.ts';
import { UsageError } from '../command-line/command-line.ts';
import { isConfirmed } from '../command-line/confirm.ts';
import { type CommandContext, localOptions } from '../command-line/operation.ts';
import { awsConfiguration } from '../command-line/system.ts';
import type { ExitCode } from '../command-line/terminal.ts';
import { carriedText } from './carried-text.ts';
import { type CarriedKinds, carryForward, OtherEnvironment } from './carry-forward.ts';
import { recoveryTable } from './dynamodb-tables.ts';
import { UnknownItemKind } from './item-recovery.ts';

/** `recovery …`: what a restore of an environment's table needs (docs/recovery.md). */
export const recoveryCommands: CommandGroup = {
  name: 'recovery',
  about: 'Makes a restored table what may be admitted to traffic.',
  commands: [
    {
      name: 'carry-forward',
      about:
        'Carries what was decided since an earlier second (ended grants, sessions, suspended applications, keys) from the newest table into the one restored to that second, and all of the audit trail. Without a newest table (--lost) it removes everything that gives access to members’ data. Needs your own rights to scan both tables and to write the restored one. Safe to repeat.',
      options: [...localOptions, 'restored', 'newest', 'lost', 'dry-run', 'yes'],
      own: { 'dry-run': { about: 'count, and change nothing' } },
      run: carry,
    },
  ],
};

async function carry(operation: CommandContext): Promise<ExitCode> {
  const { restored, newest, lost } = operation.values;
  if (restored === undefined || (newest === undefined) !== (lost === true) || restored === newest)
    throw new UsageError(
      'recovery carry-forward needs --restored, and --newest with another table, or --lost if there is none',
    );
  const question =
    newest === undefined
      ? `Remove all grants, tokens and sessions from ${restored}? Members have to consent again.`
      : `Write what ${newest} has decided into ${restored}?`;
  const isDry = operation.values['dry-run'] === true;
  if (!isDry && !(await isConfirmed(operation, question))) return 1;
  const client = new DynamoDBClient(awsConfiguration(operation.system));
  const table = (name: string) => recoveryTable(client, name);
  const latest = newest === undefined ? undefined : table(newest);
  let carried: CarriedKinds;
  try {
    carried = await carryForward(latest, table(restored), !isDry);
  } catch (error) {
    const text = refusalText(error, [restored, ...(newest === undefined ? [] : [newest])]);
    if (text === undefined) throw error;
    operation.note(text);
    return 1;
  }
  if (operation.values.json === true) operation.print(JSON.stringify(Object.fromEntries(carried)));
  else for (const line of carriedText(carried)) operation.print(line);
  return 0;
}

/** The text of an error that the operator can do something about. */
function refusalText(error: unknown, tables: readonly string[]): string | undefined {
  if (error instanceof UnknownItemKind || error instanceof OtherEnvironment) return error.message;
  if (!(error instanceof Error)) return undefined;
  const names = tables.join(' and ');
  const texts: Readonly<Record<string, string>> = {
    ResourceNotFoundException: `Not found in this account and Region: ${names}, or one of them. Check the names with \`aws dynamodb list-tables\`.`,
    AccessDeniedException: `You may not read or write ${names}. Expected dynamodb:Scan and dynamodb:BatchGetItem on both, dynamodb:BatchWriteItem on the restored table, and kms:Decrypt on their key.`,
  };
  return texts[error.name];
}
