/** The command `members sweep-accounts`. */

import type { AccountSweepRequest } from '../lambdas/authorization/accounts/account-sweep-contract.ts';
import type { AccountSweep } from '../lambdas/authorization/accounts/disabled-accounts.ts';
import { allowOnly, UsageError } from './command-line.ts';
import { type CommandContext, dryRunOptions, functionName } from './operation.ts';
import type { ExitCode } from './terminal.ts';

/** `members sweep-accounts`: has refreshes see at once which accounts were disabled or enabled in the user pool. */
export async function sweepAccountsCommand(operation: CommandContext): Promise<ExitCode> {
  const { values, words, print } = operation;
  allowOnly(values, dryRunOptions, 'members sweep-accounts');
  if (words.length > 0) throw new UsageError('members sweep-accounts takes no words, only options');
  const request: AccountSweepRequest = { action: 'sweep' };
  if (values['dry-run'] === true) {
    print(JSON.stringify(request));
    return 0;
  }
  const sweep = (await operation.invoke(functionName(operation, 'accountSweep'), request)) as AccountSweep;
  const { disabled, enabled, deleted } = sweep;
  const text = `${disabled} disabled, ${enabled} enabled and ${deleted} deleted since the last sweep`;
  print(values.json === true ? JSON.stringify(sweep) : text);
  return 0;
}
