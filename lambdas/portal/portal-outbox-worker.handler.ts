/** Handler of `portal-outbox-worker`, invoked by a schedule each minute: carries out the entries that remain in the portal's outbox. */

import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { conditionHolds } from '../platform/table/conditional-writes.ts';
import { createSdkTable } from '../platform/table/sdk-table.ts';
import { createUserRemoval } from './accounts/remove-user.ts';
import { createAccountReader } from './adapters/account-store.ts';
import { createMailCarrier } from './adapters/messages.ts';
import { claimOutboxEntry, runOutboxRounds } from './adapters/outbox.ts';
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
 * Carries out outbox entries that could not be carried out at once. Invoked by the schedule, it works in rounds every three seconds until
 * shortly before the next invocation; invoked by an operator, it does one round. Entries that fail stay.
 *
 * @returns how many entries were carried out, and how many remain.
 */
export const handler = guardInvocation('portal-outbox-worker', async (payload) => {
  const isScheduled = (payload as { readonly source?: unknown } | null)?.source === 'aws.events';
  const result = isScheduled
    ? await runOutboxRounds(outbox, { now: systemClock, sleep: (milliseconds) => setTimeout(milliseconds) })
    : await outbox.carryOutLeft();
  if (result.left > 0) consoleLog('warn', 'outbox_entries_left', { reason: String(result.left) });
  return result;
});
