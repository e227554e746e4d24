import type { OutboxResult, SuspensionEntry } from '../api/outbox.ts';
import { decisionTransition } from './acts.ts';
import { carryOutAct } from './carry-out-act.ts';
import { settleClient } from './environment-client.ts';
import type { Portal } from './ports.ts';

/**
 * Suspends an application whose developer's account was suspended with it, by the operator who decided that and for the same reason.
 * The entry of the outbox ends with the act: an application that was resumed since is not suspended again.
 */
export async function suspendWithAccount(
  portal: Portal,
  { applicationId, by: operator, reason }: SuspensionEntry,
  entryId: string,
): Promise<OutboxResult> {
  const by = { kind: 'operator', ...operator } as const;
  const carried = await carryOutAct(portal, {
    applicationId,
    by,
    settles: entryId,
    decide: ({ application }, at) => {
      const decision = { act: 'suspend', version: application.version, reason } as const;
      return decisionTransition(application, decision, { by, at }, () => '');
    },
  });
  if (!('problem' in carried)) return 'done';
  // From any other state it was stopped, or ended, by another act.
  return carried.problem === 'state_conflict' || carried.problem === 'not_found' ? 'done' : 'later';
}

/** Whether production refuses an application's calls by now, as it was decided. */
export async function isStopped(portal: Portal, applicationId: string): Promise<boolean> {
  const loaded = await portal.applications.load(applicationId);
  if (loaded === undefined || loaded.application.state === 'approved') return false;
  return (await settleClient(portal, applicationId, 'production', false)) === 'done';
}
