/** Names of an application's states, and the colors of their tags. */

import type { ApplicationState, ChangeState } from '../../../lambdas/portal/catalog/application-states.ts';

/** `kind` of the Tag component. */
type Tone = 'neutral' | 'waiting' | 'good' | 'bad';

export const stateWords: Readonly<Record<ApplicationState, { readonly name: string; readonly tone: Tone }>> =
  {
    registered_in_sandbox: { name: 'Registered in sandbox', tone: 'neutral' },
    promoted_to_production: { name: 'Promoted to production', tone: 'neutral' },
    awaiting_operator_approval: { name: 'Awaiting operator approval', tone: 'waiting' },
    approved: { name: 'Approved', tone: 'good' },
    changes_requested: { name: 'Changes requested', tone: 'bad' },
    rejected: { name: 'Rejected', tone: 'bad' },
    suspended: { name: 'Suspended', tone: 'bad' },
    revoked: { name: 'Revoked', tone: 'bad' },
    withdrawn: { name: 'Withdrawn', tone: 'neutral' },
  };

export const changeWords: Readonly<
  Record<Exclude<ChangeState, 'none'>, { readonly name: string; readonly tone: Tone }>
> = {
  draft: { name: 'Change not submitted', tone: 'neutral' },
  awaiting_operator_approval: { name: 'Change awaiting approval', tone: 'waiting' },
  changes_requested: { name: 'Corrections to the change requested', tone: 'bad' },
  rejected: { name: 'Change rejected', tone: 'bad' },
};
