import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../lambdas/platform/kernel/canonical-json.ts';
import type { ApplicationConfiguration } from '../../../lambdas/portal/api/applications.ts';
import { awaitedDecision } from '../../../lambdas/portal/applications/allowed-acts.ts';
import type { Actor, Application } from '../../../lambdas/portal/applications/application.ts';
import { applicationView } from '../../../lambdas/portal/applications/application-view.ts';
import { applyAct, type RequestedAct } from '../../../lambdas/portal/applications/apply-act.ts';
import { desiredClient } from '../../../lambdas/portal/applications/registration.ts';
import { applicationStateNames } from '../../../lambdas/portal/catalog/application-states.ts';
import fc from '../../support/property.ts';
import { application, configuration, terms } from './configurations.ts';

/** Sequences of acts on an application, at random: the state, the conditions and the two approvals hold after each. */

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const developer: Actor = { kind: 'developer', accountId: 'dev', name: 'Dana Dev' };
const operators: readonly Actor[] = [
  { kind: 'operator', accountId: 'op-1', name: 'Olga One' },
  { kind: 'operator', accountId: 'op-2', name: 'Omar Two' },
];
const against = { version: 1, criterion: 'security-risk', reason: 'A reason.' } as const;

interface Try {
  readonly requested: RequestedAct;
  readonly by: Actor;
  readonly fourEyes: boolean;
}
const alone = (requested: RequestedAct): Try => ({ requested, by: developer, fourEyes: false });

/** Acts that may be tried next. Configurations differ by name. */
const tries = fc.oneof(
  ...(
    [
      { act: 'submit' },
      { act: 'recall' },
      { act: 'submit_change' },
      { act: 'discard_change' },
      { act: 'attest', textVersion: '' },
      { act: 'appeal', words: 'Please look again.' },
    ] as const
  ).map((requested) => fc.constant(alone(requested))),
  fc
    .tuple(
      fc.constantFrom('edit_sandbox', 'promote', 'edit_production', 'propose_change'),
      fc.integer({ min: 1, max: 5 }),
    )
    .map(([act, serial]) =>
      alone({ act, configuration: configuration({ applicationName: `Name ${serial}` }) } as RequestedAct),
    ),
  fc
    .tuple(
      fc.constantFrom(
        'approve',
        'approve_change',
        'resume',
        'suspend',
        'reject',
        'reject_change',
        'request_changes',
        'request_change_changes',
      ),
      fc.constantFrom(...operators),
      fc.boolean(),
    )
    .map(([act, by, fourEyes]): Try => ({ requested: { act, ...against } as RequestedAct, by, fourEyes })),
);

/** Acts that end an application. They are chosen rarely, so that sequences get long. */
const endings = fc.constantFrom<Try>(alone({ act: 'withdraw' }), {
  requested: { act: 'revoke', reason: 'A reason.' },
  by: operators[0] as Actor,
  fourEyes: false,
});
const anyTry = fc.oneof({ arbitrary: tries, weight: 60 }, { arbitrary: endings, weight: 1 });

const names = ['recall', 'submit', 'attest'] as const;

const hashOf = (it: ApplicationConfiguration) => sha256(canonicalJson(it));

function holds(before: Application, after: Application) {
  expect(after.version).toBe(before.version + 1);
  expect(after.updatedAt > before.updatedAt).toBe(true);
  expect(after.awaitingSince !== undefined).toBe(awaitedDecision(after) !== undefined);
  expect(after.change !== undefined).toBe(after.changeState !== 'none');
  if (after.approved !== undefined) expect(after.approved.sha256).toBe(hashOf(after.approved.configuration));
  if (after.firstApproval !== undefined) expect(awaitedDecision(after)).toBeDefined();

  const production = desiredClient(after, 'production', terms);
  expect(production?.state === 'active').toBe(after.state === 'approved');
  // The approved configuration changes only by an operator's approval.
  if (before.approved !== undefined && after.approved !== before.approved) {
    expect(awaitedDecision(before)).toBeDefined();
  }
  if (after.state === 'approved') {
    expect(production?.registration.clientName).toBe(after.approved?.configuration.applicationName);
  }
  const sandbox = desiredClient(after, 'sandbox', terms);
  expect(sandbox?.state).toBe(after.state === 'withdrawn' ? 'revoked' : 'active');
}

describe('any sequence of acts', () => {
  it('keeps what runs, what is approved and what is awaited in step', () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(fc.array(anyTry, { minLength: 40, maxLength: 120, size: 'max' }), (sequence) => {
        let at = application();
        let time = Date.parse(at.updatedAt);
        for (const { requested, by, fourEyes } of sequence) {
          time += 1000;
          const moment = { by, at: new Date(time).toISOString() };
          const result = applyAct({ fourEyes, sha256 }, at, requested, moment);
          if (result.kind === 'conflict') continue;
          if (result.kind === 'problem') {
            expect(['four_eyes', 'appeal_own_decision']).toContain(result.problem);
            continue;
          }
          holds(at, result.after);
          at = result.after;
          reached.add(at.state);
          const view = applicationView(
            { application: at, clients: {}, evidence: [], timeline: [], pending: [] },
            'developer',
          );
          expect(view.version).toBe(at.version);
        }
      }),
      { numRuns: 600, seed: 4 },
    );
    // The sequences have reached every state.
    expect(reached.size).toBe(applicationStateNames.length);
  });

  it('never lets one operator approve alone where two must', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('approve' as const, ...names), { maxLength: 20 }), (sequence) => {
        let at = application({ state: 'promoted_to_production', production: configuration() });
        for (const [index, name] of sequence.entries()) {
          const time = new Date(Date.parse(at.updatedAt) + index + 1).toISOString();
          const by = name === 'approve' ? (operators[0] as Actor) : developer;
          const requested: RequestedAct = name === 'attest' ? { act: name, textVersion: '' } : { act: name };
          const result = applyAct({ fourEyes: true, sha256 }, at, requested, { by, at: time });
          if (result.kind === 'transition') at = result.after;
          expect(at.state).not.toBe('approved');
        }
      }),
    );
  });
});
