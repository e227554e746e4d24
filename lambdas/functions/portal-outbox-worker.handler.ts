import { setTimeout } from 'node:timers/promises';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { createMessageClients } from '../aws/member-messages.ts';
import { createUserRemoval } from '../portal/accounts/remove-user.ts';
import { findAccount } from '../portal/adapters/account-items.ts';
import { createPortalAccountStore } from '../portal/adapters/account-store.ts';
import { createDeveloperDirectory } from '../portal/adapters/developer-directory.ts';
import { createMailCarrier, createPortalMessages } from '../portal/adapters/messages.ts';
import { claimOutboxEntry, runOutboxRounds } from '../portal/adapters/outbox.ts';
import { problem } from '../portal/api/route-handler.ts';
import { systemClock } from '../runtime/clock.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { guardInvocation } from '../runtime/invocation.ts';
import { consoleLog } from '../runtime/log.ts';
import { systemRandom } from '../runtime/random.ts';
import { sdkRetries } from '../runtime/sdk-retries.ts';
import { conditionHolds } from '../table/conditional-writes.ts';
import { createSdkTable } from '../table/sdk-table.ts';
import { createPortal, createPortalAccounts } from './portal-application-services.ts';

const settings = readEnvironment([
  'tableName',
  'portalOrigin',
  'messageSender',
  'developerPoolId',
  'developerPoolClientId',
  'provisioningFunctions',
  'environmentAddresses',
  'portalTiers',
]);
const table = createSdkTable({ tableName: settings.tableName });
const pool = { userPoolId: settings.developerPoolId, clientId: settings.developerPoolClientId };
const { outbox } = createPortal(settings, {
  table,
  user: createUserRemoval({
    accounts: { find: async (accountId) => await findAccount(table, accountId) },
    directory: createDeveloperDirectory(
      new CognitoIdentityProviderClient({ retryStrategy: sdkRetries }),
      pool,
    ),
    claim: async (entryId) => await conditionHolds(table, [claimOutboxEntry(entryId)]),
  }),
  mail: createMailCarrier(createPortalMessages(createMessageClients(), settings.messageSender, consoleLog)),
  accounts: (carrier) =>
    createPortalAccounts(
      createPortalAccountStore(table, { outbox: carrier, random: systemRandom, now: systemClock }),
      // Nobody is signed in here.
      async () => problem('signed_out'),
    ),
});

/**
 * Carries out what was decided in the portal and could not be carried out at once: called by the schedule, every three seconds until
 * shortly before the next call; called by hand, once. What still can't be carried out stays.
 *
 * @returns how many entries are done, and how many are left.
 */
export const handler = guardInvocation('portal-outbox-worker', async (payload) => {
  const isScheduled = (payload as { readonly source?: unknown } | null)?.source === 'aws.events';
  const result = isScheduled
    ? await runOutboxRounds(outbox, { now: systemClock, sleep: (milliseconds) => setTimeout(milliseconds) })
    : await outbox.carryOutLeft();
  if (result.left > 0) consoleLog('warn', 'outbox_entries_left', { reason: String(result.left) });
  return result;
});
