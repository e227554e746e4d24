import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../lambdas/kernel/canonical-json.ts';
import type { ApplicationConfiguration } from '../../../lambdas/portal/api/applications.ts';
import * as acts from '../../../lambdas/portal/applications/acts.ts';
import { awaited } from '../../../lambdas/portal/applications/allowed-acts.ts';
import type { Actor, Application } from '../../../lambdas/portal/applications/application.ts';
import { applicationView } from '../../../lambdas/portal/applications/application-view.ts';
import { decided } from '../../../lambdas/portal/applications/decisions.ts';
import { desiredClient } from '../../../lambdas/portal/applications/registration.ts';
import { applicationStateNames } from '../../../lambdas/portal/catalog/applications.ts';
import fc from '../../support/property.ts';
import { application, configuration, terms } from './configurations.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const developer: Actor = { kind: 'developer', accountId: 'dev', name: 'Dana Dev' };
const operators: readonly Actor[] = [
  { kind: 'operator', accountId: 'op-1', name: 'Olga One' },
  { kind: 'operator', accountId: 'op-2', name: 'Omar Two' },
];
const against = { version: 1, criterion: 'security-risk', reason: 'A reason.' } as const;

interface Try {
  readonly act: (before: Application, at: string) => acts.Stepped | { readonly problem: string };
}

/** What anybody could try next, with a configuration that differs by its name. */
const tries = fc.oneof(
  fc.constantFrom<Try>({ act: (before, at) => acts.submit(before, { by: developer, at }) }),
  ...[acts.recall, acts.submitChange, acts.discardChange, acts.attest].map((act) =>
    fc.constant<Try>({ act: (before, at) => act(before, { by: developer, at }) }),
  ),
  fc.constant<Try>({ act: (before, at) => acts.appeal(before, 'Please look again.', { by: developer, at }) }),
  fc
    .tuple(
      fc.constantFrom(acts.editSandbox, acts.promote, acts.editProduction, acts.proposeChange),
      fc.integer({ min: 1, max: 5 }),
    )
    .map(
      ([act, serial]): Try => ({
        act: (before, at) =>
          act(before, configuration({ applicationName: `Name ${serial}` }), { by: developer, at }),
      }),
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
    .map(
      ([act, by, fourEyes]): Try => ({
        act: (before, at) =>
          decided({ fourEyes, sha256 }, before, { act, ...against } as never, { by, at }).stepped,
      }),
    ),
);

/** What ends an application, seldom: else no sequence would get far. */
const endings = fc.constantFrom<Try>(
  { act: (before, at) => acts.withdraw(before, { by: developer, at }) },
  {
    act: (before, at) =>
      decided(
        { fourEyes: false, sha256 },
        before,
        { act: 'revoke', version: 1, reason: 'A reason.' },
        { by: operators[0] as Actor, at },
      ).stepped,
  },
);
const anyTry = fc.oneof({ arbitrary: tries, weight: 60 }, { arbitrary: endings, weight: 1 });

const named = { recall: acts.recall, submit: acts.submit, attest: acts.attest };
const names = ['recall', 'submit', 'attest'] as const;

const hashOf = (it: ApplicationConfiguration) => sha256(canonicalJson(it));

function holds(before: Application, after: Application) {
  expect(after.version).toBe(before.version + 1);
  expect(after.updatedAt > before.updatedAt).toBe(true);
  expect(after.awaitingSince !== undefined).toBe(awaited(after) !== undefined);
  expect(after.change !== undefined).toBe(after.changeState !== 'none');
  if (after.approved !== undefined) expect(after.approved.sha256).toBe(hashOf(after.approved.configuration));
  if (after.firstApproval !== undefined) expect(awaited(after)).toBeDefined();

  const production = desiredClient(after, 'production', terms);
  expect(production?.state === 'active').toBe(after.state === 'approved');
  // What runs changes by an operator's approval only.
  if (before.approved !== undefined && after.approved !== before.approved) {
    expect(awaited(before)).toBeDefined();
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
        for (const { act } of sequence) {
          time += 1000;
          const stepped = act(at, new Date(time).toISOString());
          if ('problem' in stepped) {
            if (stepped.problem !== 'state_conflict') expect(stepped.problem).toBe('four_eyes');
            continue;
          }
          holds(at, stepped.after);
          at = stepped.after;
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
    // The property is about something: the sequences get about.
    expect(reached.size).toBe(applicationStateNames.length);
  });

  it('never lets one operator approve alone where two must', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('approve' as const, ...names), { maxLength: 20 }), (sequence) => {
        let at = application({ state: 'promoted_to_production', production: configuration() });
        for (const [index, name] of sequence.entries()) {
          const moment = {
            by: developer,
            at: new Date(Date.parse(at.updatedAt) + index + 1).toISOString(),
          };
          const by = operators[0] as Actor;
          const stepped =
            name === 'approve'
              ? decided({ fourEyes: true, sha256 }, at, { act: 'approve', version: 1 }, { ...moment, by })
                  .stepped
              : named[name](at, moment);
          if (!('problem' in stepped)) at = stepped.after;
          expect(at.state).not.toBe('approved');
        }
      }),
    );
  });
});
