/** Rules for decisions that an operator must leave to another: appeals of their own rejection, and the second of two approvals. */

import type { OperatorsOwnAct } from '../api/operator-views.ts';
import type { Actor, Application } from './application.ts';
import type { Portal } from './application-ports.ts';
import { isApproval } from './decision-problem.ts';

/** Account IDs of acts by the command line, which knows operators by name only. */
const commandLine = /^command-line:/;

type Operator = Pick<Actor, 'accountId' | 'name'>;

/** Whether two acts are by the same operator. If one was made on the command line, names are compared instead of account IDs. */
function isSameOperator(one: Operator, other: Operator): boolean {
  const byName = [one, other].some(({ accountId }) => commandLine.test(accountId));
  return one.accountId === other.accountId || (byName && one.name.toLowerCase() === other.name.toLowerCase());
}

/** Finds the operator whose rejection is appealed; undefined if no appeal waits for a decision, or if the operator was not recorded. */
export function appealedOperator({ state, appealed, decision }: Application): Operator | undefined {
  const isAwaited = state === 'awaiting_operator_approval' && appealed;
  return isAwaited && decision?.act === 'reject' ? decision.by : undefined;
}

/**
 * Finds the act of an operator after which somebody else decides: the rejection that is appealed, or the first of two approvals.
 *
 * @param earlier who acted on what is awaited.
 */
export function ownActOf(
  { fourEyes }: Pick<Portal, 'fourEyes'>,
  by: Operator,
  earlier: { readonly rejectedBy: Operator | undefined; readonly approverId: string | undefined },
): OperatorsOwnAct | undefined {
  if (earlier.rejectedBy !== undefined && isSameOperator(earlier.rejectedBy, by)) return 'reject';
  return fourEyes && earlier.approverId === by.accountId ? 'approve' : undefined;
}

/** Finds the act of an operator after which somebody else decides about an application. */
export function ownActOn(
  portal: Pick<Portal, 'fourEyes'>,
  application: Application,
  by: Actor,
): OperatorsOwnAct | undefined {
  if (by.kind !== 'operator') return undefined;
  const approverId = application.firstApproval?.accountId;
  return ownActOf(portal, by, { rejectedBy: appealedOperator(application), approverId });
}

/** Whether an operator's own act leaves a decision to another: any about an appeal, an approval after the first of two. */
export function isLeftToAnother(ownAct: OperatorsOwnAct | undefined, act: string): boolean {
  return ownAct === 'reject' || (ownAct === 'approve' && isApproval(act));
}
