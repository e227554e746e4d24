/** Determines the acts that each state of an application allows. The state table is in `catalog/application-states.ts`. */

import type { PortalActor, PortalTransition } from '../catalog/account-states.ts';
import {
  type ApplicationAct,
  type ApplicationState,
  applicationTransitions,
  type ChangeAct,
  type ChangeState,
  changeTransitions,
} from '../catalog/application-states.ts';
import type { Application, EditAct, PortalAct } from './application.ts';

/** The final states, which no act leaves. */
const ended: readonly ApplicationState[] = ['revoked', 'withdrawn'];

/** Whether a state is final. */
export function isEnded(state: ApplicationState): boolean {
  return ended.includes(state);
}

/**
 * The states in which each edit is allowed. Production values of a submitted application can be edited only after the submission is
 * recalled.
 */
export const editStates = {
  edit_sandbox: [
    'registered_in_sandbox',
    'promoted_to_production',
    'awaiting_operator_approval',
    'approved',
    'changes_requested',
    'rejected',
    'suspended',
  ],
  edit_production: ['promoted_to_production', 'changes_requested', 'rejected'],
  attest: [
    'registered_in_sandbox',
    'promoted_to_production',
    'awaiting_operator_approval',
    'approved',
    'changes_requested',
    'rejected',
    'suspended',
  ],
} as const satisfies Readonly<Record<EditAct, readonly ApplicationState[]>>;

/** The state of an application, and of the change submitted for it. */
export interface States {
  readonly state: ApplicationState;
  readonly changeState: ChangeState;
}

/** The states in which an act may begin, from which the store makes its write condition. */
export interface ActCondition {
  readonly states: readonly ApplicationState[];
  readonly changeStates?: readonly ChangeState[];
}

const applicationTable: Readonly<Record<string, PortalTransition<ApplicationState>>> = applicationTransitions;
const changeTable: Readonly<Record<string, PortalTransition<ChangeState>>> = changeTransitions;

function isEdit(act: PortalAct): act is EditAct {
  return Object.hasOwn(editStates, act);
}
function isChange(act: PortalAct): act is ChangeAct {
  return Object.hasOwn(changeTransitions, act);
}

/** The kind of actor that may take an act. */
function actorOf(act: PortalAct): PortalActor {
  if (isEdit(act)) return 'developer';
  return (applicationTable[act] ?? changeTable[act])?.by ?? 'service';
}

export function originOf(act: PortalAct): ActCondition {
  if (isEdit(act)) return { states: editStates[act] };
  // Only an approved application can have a change.
  if (isChange(act)) return { states: ['approved'], changeStates: changeTransitions[act].from };
  return { states: applicationTransitions[act].from };
}

/**
 * Computes the states after an act.
 *
 * @returns undefined where the tables have no such transition for this actor.
 */
export function statesAfter(
  at: States & { readonly appealed?: boolean },
  act: PortalAct,
  by: PortalActor,
): States | undefined {
  const { states, changeStates } = originOf(act);
  if (actorOf(act) !== by || !states.includes(at.state)) return undefined;
  if (changeStates !== undefined && !changeStates.includes(at.changeState)) return undefined;
  if (act === 'appeal' && at.appealed === true) return undefined;
  if (isEdit(act)) return { state: at.state, changeState: at.changeState };
  if (isChange(act)) return { state: at.state, changeState: changeTransitions[act].to };
  const { to } = applicationTransitions[act];
  // A final state also ends the application's change.
  return { state: to, changeState: isEnded(to) ? 'none' : at.changeState };
}

const transitionActs = [
  ...Object.keys(applicationTransitions),
  ...Object.keys(changeTransitions),
] as readonly (ApplicationAct | ChangeAct)[];

/** Lists the acts of the state tables that an actor may take now. */
export function allowedActs(
  application: Application,
  by: PortalActor,
): readonly (ApplicationAct | ChangeAct)[] {
  return transitionActs.filter((act) => statesAfter(application, act, by) !== undefined);
}

/** The decision that an operator must take now: about the application, about its change, or none. */
export function awaitedDecision(at: States): 'application' | 'change' | undefined {
  if (at.state === 'awaiting_operator_approval') return 'application';
  return at.state === 'approved' && at.changeState === 'awaiting_operator_approval' ? 'change' : undefined;
}
