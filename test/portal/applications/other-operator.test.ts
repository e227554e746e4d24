import { describe, expect, it } from 'vitest';
import type { Actor, Application } from '../../../lambdas/portal/applications/application.ts';
import { decisionExpectedBy } from '../../../lambdas/portal/applications/decision-time.ts';
import { isLeftToAnother, ownActOn } from '../../../lambdas/portal/applications/other-operator.ts';
import { application } from './configurations.ts';

const operator = (accountId: string, name: string): Actor => ({ kind: 'operator', accountId, name });
const olga = operator('op-1', 'Olga One');
const omar = operator('op-2', 'Omar Two');
const onCommandLine = (name: string) => operator(`command-line:${name.toLowerCase()}`, name);

const appealOf = ({ accountId, name }: Actor): Application =>
  application({
    state: 'awaiting_operator_approval',
    appealed: true,
    decision: { act: 'reject', words: 'A risk.', at: '2026-11-20T10:00:00Z', by: { accountId, name } },
  });

describe('the appeal of a rejection', () => {
  it('is left to another operator by the one who rejected, whatever the decision', () => {
    const ownAct = ownActOn({ fourEyes: false }, appealOf(olga), olga);
    expect(ownAct).toBe('reject');
    expect(['approve', 'request_changes', 'reject'].every((act) => isLeftToAnother(ownAct, act))).toBe(true);
    expect(ownActOn({ fourEyes: false }, appealOf(olga), omar)).toBeUndefined();
  });

  it('is left to another operator on the command line too, which knows operators by name', () => {
    expect(ownActOn({ fourEyes: false }, appealOf(olga), onCommandLine('olga one'))).toBe('reject');
    expect(ownActOn({ fourEyes: false }, appealOf(onCommandLine('Olga One')), olga)).toBe('reject');
    expect(ownActOn({ fourEyes: false }, appealOf(olga), onCommandLine('Omar Two'))).toBeUndefined();
  });

  it('can be decided by anybody where it is a new submission, or nobody was kept', () => {
    const resubmitted = { ...appealOf(olga), appealed: false };
    expect(ownActOn({ fourEyes: false }, resubmitted, olga)).toBeUndefined();
    const { by: _by, ...decision } = appealOf(olga).decision as NonNullable<Application['decision']>;
    expect(ownActOn({ fourEyes: false }, { ...appealOf(olga), decision }, olga)).toBeUndefined();
  });
});

describe('the first of two approvals', () => {
  const approved = application({
    state: 'awaiting_operator_approval',
    firstApproval: { accountId: 'op-1', name: 'Olga One', at: '2026-11-20T10:00:00Z' },
  });

  it('leaves the second to another operator, and not a request for changes', () => {
    const ownAct = ownActOn({ fourEyes: true }, approved, olga);
    expect(isLeftToAnother(ownAct, 'approve')).toBe(true);
    expect(isLeftToAnother(ownAct, 'request_changes')).toBe(false);
    expect(ownActOn({ fourEyes: true }, approved, omar)).toBeUndefined();
  });

  it('leaves nothing to another where one operator is enough by now', () => {
    expect(ownActOn({ fourEyes: false }, approved, olga)).toBeUndefined();
  });
});

describe('the day by which a decision is expected', () => {
  it.each([
    ['2026-11-20T10:00:00.000Z', '2026-11-30'],
    ['2026-11-28T23:59:59.000Z', '2026-12-04'],
  ])('of a submission at %s is %s, five business days later', (since, day) => {
    expect(decisionExpectedBy(since)).toBe(day);
  });
});
