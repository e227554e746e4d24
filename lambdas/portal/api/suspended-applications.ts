import type { AccountDecision } from './operations.ts';
import type { OperatorAccountView } from './operator-views.ts';
import type { ProblemField } from './views.ts';

type Team = NonNullable<OperatorAccountView['team']>;
type Wanted = Extract<AccountDecision, { readonly act: 'suspend' }>['applications'];

/**
 * Selects the applications that are suspended with an account, and reports requested IDs that are not approved applications of its team.
 */
export function selectSuspended(
  { others, approved }: Team,
  wanted: Wanted,
): { readonly applications: Team['approved']; readonly errors: readonly ProblemField[] } {
  if (wanted === undefined) return { applications: [], errors: [] };
  if (wanted === 'unattended') return { applications: others.length === 0 ? approved : [], errors: [] };
  const known = new Set(approved.map(({ applicationId }) => applicationId));
  const errors = wanted.flatMap((id, at): readonly ProblemField[] => {
    const expected = 'the ID of an approved application of the account’s team';
    return known.has(id) ? [] : [{ pointer: `/applications/${at}`, code: 'invalid', expected }];
  });
  return { applications: approved.filter(({ applicationId }) => wanted.includes(applicationId)), errors };
}
