/** Carries out what is left in the portal's outbox, by a schedule. */

import { setTimeout } from 'node:timers/promises';
import { createUserRemoval } from '../portal/accounts/remove-user.ts';
import { createAccountReader } from '../portal/adapters/account-store.ts';
import { createMailCarrier } from '../portal/adapters/messages.ts';
import { claimOutboxEntry, runOutboxRounds } from '../portal/adapters/outbox.ts';
import { systemClock } from '../runtime/clock.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { guardInvocation } from '../runtime/invocation.ts';
import { consoleLog } from '../runtime/log.ts';
import { conditionHolds } from '../table/conditional-writes.ts';
import { createSdkTable } from '../table/sdk-table.ts';
import { createMessages, createPoolDirectory } from './compose-portal-adapters.ts';
import { createPortal } from './compose-portal-applications.ts';

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
const { outbox } = createPortal(settings, {
  table,
  mail: createMailCarrier(createMessages(settings)),
  user: createUserRemoval({
    accounts: createAccountReader(table),
    directory: createPoolDirectory(settings),
    claim: async (entryId) => await conditionHolds(table, [claimOutboxEntry(entryId)]),
  }),
});

/**
 * Carries out the entries of the portal's outbox that could not be carried out at once: called by the schedule, every three seconds
 * until shortly before the next call; called by hand, once. What still can't be carried out stays.
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
