/** Acts that each state of an application allows; the state table itself is `catalog/portal-applications`. */

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

/** The states that no act leads out of. */
const ended: readonly ApplicationState[] = ['revoked', 'withdrawn'];

/** Whether no act leads out of a state. */
export function isEnded(state: ApplicationState): boolean {
  return ended.includes(state);
}

/** The states in which an application is edited. A submission is recalled first. */
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

/** The states of an application and its change. */
export interface States {
  readonly state: ApplicationState;
  readonly changeState: ChangeState;
}

/** The states an act may begin in; the store's condition is made of it. */
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

/** The actor of an act. */
function actorOf(act: PortalAct): PortalActor {
  if (isEdit(act)) return 'developer';
  return (applicationTable[act] ?? changeTable[act])?.by ?? 'service';
}

export function originOf(act: PortalAct): ActCondition {
  if (isEdit(act)) return { states: editStates[act] };
  // A change is part of an application that is approved.
  if (isChange(act)) return { states: ['approved'], changeStates: changeTransitions[act].from };
  return { states: applicationTransitions[act].from };
}

/** @returns the states an act leads to, or undefined where the tables have no such edge for this actor. */
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
  // A change ends with its application.
  return { state: to, changeState: isEnded(to) ? 'none' : at.changeState };
}

const transitionActs = [
  ...Object.keys(applicationTransitions),
  ...Object.keys(changeTransitions),
] as readonly (ApplicationAct | ChangeAct)[];

/** The transitions open to an actor from here. */
export function allowedActs(
  application: Application,
  by: PortalActor,
): readonly (ApplicationAct | ChangeAct)[] {
  return transitionActs.filter((act) => statesAfter(application, act, by) !== undefined);
}

/** The decision an operator must take now. */
export function awaitedDecision(at: States): 'application' | 'change' | undefined {
  if (at.state === 'awaiting_operator_approval') return 'application';
  return at.state === 'approved' && at.changeState === 'awaiting_operator_approval' ? 'change' : undefined;
}
