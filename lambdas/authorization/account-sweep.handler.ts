/** Handler of `account-sweep`, invoked by a schedule and the operator's CLI: updates the list of disabled accounts from the user pool. */

import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { backgroundPatience } from '../platform/table/background-patience.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { accountSweepRequest } from './accounts/account-sweep-contract.ts';
import { sweepAccounts } from './accounts/disabled-accounts.ts';
import { createDisabledUsers } from './aws/disabled-users.ts';
import { createDisabledAccounts } from './store/disabled-accounts.ts';

const { tableName, memberPoolId } = readEnvironment(['tableName', 'memberPoolId']);
const pool = createDisabledUsers(
  new CognitoIdentityProviderClient({ retryStrategy: sdkRetries }),
  memberPoolId,
);
const accounts = createDisabledAccounts(createSignedTable({ tableName, patience: backgroundPatience }));

/**
 * Compares the user pool with the list of disabled accounts. Called by a schedule, and by an operator who wants the list updated at once.
 * Reads users of the pool; writes the list, and ends sessions of disabled accounts.
 */
export const handler = guardInvocation('account-sweep', async (payload) => {
  accountSweepRequest.parse(payload);
  const sweep = await sweepAccounts(pool, accounts);
  if (Object.values(sweep).some((count) => count > 0)) consoleLog('info', 'accounts_swept');
  return sweep;
});
