import type { OutboxResult, SuspensionEntry } from '../api/outbox.ts';
import type { ClientServices, CommandServices } from './application-ports.ts';
import { executeCommand } from './execute-command.ts';
import { reconcileClient } from './reconcile-client.ts';

/**
 * Suspends an application together with its developer's account, by the same operator and for the same reason. The outbox entry is deleted
 * in the act's transaction, so an application that was resumed since is not suspended again.
 */
export async function suspendWithAccount(
  portal: CommandServices,
  { applicationId, by, reason }: SuspensionEntry,
  entryId: string,
): Promise<OutboxResult> {
  const result = await executeCommand(portal, {
    act: 'suspend',
    reason,
    applicationId,
    by: { kind: 'operator', ...by },
    settles: entryId,
  });
  if (result.kind === 'executed') return 'done';
  // In any other state the application is not approved, so there is nothing to suspend.
  return result.problem === 'state_conflict' || result.problem === 'not_found' ? 'done' : 'later';
}

/**
 * Whether production refuses an application's calls: the application is no longer approved, and its client in production has been changed
 * accordingly.
 */
export async function isStopped(portal: ClientServices, applicationId: string): Promise<boolean> {
  const loaded = await portal.applications.load(applicationId);
  if (loaded === undefined || loaded.application.state === 'approved') return false;
  return (await reconcileClient(portal, applicationId, 'production', false)) === 'done';
}
