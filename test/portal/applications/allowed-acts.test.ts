import { describe, expect, it } from 'vitest';
import {
  allowedActs,
  awaitedDecision,
  editStates,
  statesAfter,
} from '../../../lambdas/portal/applications/allowed-acts.ts';
import type { PortalAct } from '../../../lambdas/portal/applications/application.ts';
import type { PortalActor, PortalTransition } from '../../../lambdas/portal/catalog/account-states.ts';
import {
  type ApplicationState,
  applicationStateNames,
  applicationTransitions,
  type ChangeState,
  changeStates,
  changeTransitions,
} from '../../../lambdas/portal/catalog/application-states.ts';
import { application } from './configurations.ts';

const changeStateNames = Object.keys(changeStates) as ChangeState[];
const actors: readonly PortalActor[] = ['developer', 'operator', 'service'];
const applicationTable: Readonly<Record<string, PortalTransition<ApplicationState>>> = applicationTransitions;
const changeTable: Readonly<Record<string, PortalTransition<ChangeState>>> = changeTransitions;
const edits: Readonly<Record<string, readonly ApplicationState[]>> = editStates;

/** Every act by every actor at every pair of states. */
function everywhere(
  acts: readonly string[],
  visit: (act: PortalAct, state: ApplicationState, changeState: ChangeState, by: PortalActor) => void,
) {
  for (const act of acts) {
    for (const state of applicationStateNames) {
      for (const changeState of changeStateNames) {
        for (const by of actors) visit(act as PortalAct, state, changeState, by);
      }
    }
  }
}

describe('the lifecycle', () => {
  it('takes every edge of the applications’ table, by its actor, and no other', () => {
    let taken = 0;
    everywhere(Object.keys(applicationTransitions), (act, state, changeState, by) => {
      const edge = applicationTable[act];
      const expected = edge?.by === by && edge.from.includes(state) ? edge.to : undefined;
      expect(statesAfter({ state, changeState }, act, by)?.state, `${act} from ${state} by ${by}`).toBe(
        expected,
      );
      if (expected !== undefined) taken += 1;
    });
    const edges = Object.values(applicationTable).flatMap(({ from }) => from);
    expect(taken).toBe(edges.length * changeStateNames.length);
  });

  it('takes every edge of the changes’ table for an approved application, by its actor, and no other', () => {
    let taken = 0;
    everywhere(Object.keys(changeTransitions), (act, state, changeState, by) => {
      const edge = changeTable[act];
      const allowed = edge?.by === by && state === 'approved' && edge.from.includes(changeState);
      const expected = allowed ? { state, changeState: edge?.to } : undefined;
      expect(statesAfter({ state, changeState }, act, by), `${act} from ${state}/${changeState}`).toEqual(
        expected,
      );
      if (allowed) taken += 1;
    });
    expect(taken).toBe(Object.values(changeTable).flatMap(({ from }) => from).length);
  });

  it('leaves the state as it is with an edit, where the developer may edit at all', () => {
    everywhere(Object.keys(editStates), (act, state, changeState, by) => {
      const allowed = by === 'developer' && edits[act]?.includes(state);
      expect(statesAfter({ state, changeState }, act, by)).toEqual(
        allowed ? { state, changeState } : undefined,
      );
    });
  });

  it('lets nothing be edited that an operator looks at, and nothing at all once it has ended', () => {
    expect(
      statesAfter(
        { state: 'awaiting_operator_approval', changeState: 'none' },
        'edit_production',
        'developer',
      ),
    ).toBe(undefined);
    for (const state of ['revoked', 'withdrawn'] as const) {
      for (const by of actors) expect(allowedActs(application({ state }), by)).toEqual([]);
    }
  });

  it('ends a change with its application', () => {
    const at = { state: 'approved', changeState: 'draft' } as const;
    expect(statesAfter(at, 'withdraw', 'developer')).toEqual({ state: 'withdrawn', changeState: 'none' });
    expect(statesAfter(at, 'revoke', 'operator')).toEqual({ state: 'revoked', changeState: 'none' });
    expect(statesAfter(at, 'suspend', 'operator')).toEqual({ state: 'suspended', changeState: 'draft' });
  });

  it('lets a rejection be appealed once', () => {
    expect(allowedActs(application({ state: 'rejected' }), 'developer')).toEqual([
      'submit',
      'appeal',
      'withdraw',
    ]);
    expect(allowedActs(application({ state: 'rejected', appealed: true }), 'developer')).toEqual([
      'submit',
      'withdraw',
    ]);
  });

  it('awaits an operator for a submission, and for a change of what is approved', () => {
    expect(awaitedDecision({ state: 'awaiting_operator_approval', changeState: 'none' })).toBe('application');
    expect(awaitedDecision({ state: 'approved', changeState: 'awaiting_operator_approval' })).toBe('change');
    expect(
      awaitedDecision({ state: 'suspended', changeState: 'awaiting_operator_approval' }),
    ).toBeUndefined();
    expect(awaitedDecision({ state: 'approved', changeState: 'draft' })).toBeUndefined();
  });
});
