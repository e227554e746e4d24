/** The command `members sweep-accounts`. */

import type { AccountSweepRequest } from '../lambdas/authorization/accounts/account-sweep-contract.ts';
import type { AccountSweep } from '../lambdas/authorization/accounts/disabled-accounts.ts';
import { type CommandContext, functionName, isDryRun } from './command-line/operation.ts';
import type { ExitCode } from './command-line/terminal.ts';

/**
 * `members sweep-accounts`: runs the sweep, so that token refreshes notice at once which accounts were disabled or enabled in the user
 * pool.
 */
export async function membersSweepAccounts(operation: CommandContext): Promise<ExitCode> {
  const { values, print } = operation;
  const request: AccountSweepRequest = { action: 'sweep' };
  if (isDryRun(operation, request)) return 0;
  const sweep = (await operation.invoke(functionName(operation, 'accountSweep'), request)) as AccountSweep;
  const { disabled, enabled, deleted } = sweep;
  const text = `${disabled} disabled, ${enabled} enabled and ${deleted} deleted since the last sweep`;
  print(values.json === true ? JSON.stringify(sweep) : text);
  return 0;
}
