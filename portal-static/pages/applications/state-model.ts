/** Labels of an application's states and acts, and the order of its events. */

import type {
  ApplicationEvent,
  ApplicationSummary,
  TimelineEvent,
} from '../../../lambdas/portal/api/views.ts';
import type {
  ApplicationAct,
  ApplicationState,
  ChangeAct,
  ChangeState,
} from '../../../lambdas/portal/catalog/application-states.ts';

/** `kind` of the Tag component. */
export type Tone = 'neutral' | 'waiting' | 'good' | 'bad';

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

/** Whether an application is listed under an environment. A withdrawn application is listed in the sandbox only. */
export function isListedIn(environment: 'sandbox' | 'production', { state }: ApplicationSummary): boolean {
  return environment === 'sandbox' || (state !== 'registered_in_sandbox' && state !== 'withdrawn');
}

type Act = ApplicationAct | ChangeAct | ApplicationEvent;

/** Texts of an application's events, to follow the name of the person who acted. */
export const actWords: Readonly<Record<Act, string>> = {
  register: 'registered the application in the sandbox',
  promote: 'promoted it to production',
  submit: 'submitted it for approval',
  appeal: 'appealed the rejection',
  recall: 'recalled the submission',
  approve: 'approved it',
  request_changes: 'requested changes',
  reject: 'rejected it',
  suspend: 'suspended it in production',
  resume: 'reinstated it',
  revoke: 'revoked it',
  withdraw: 'withdrew it',
  propose_change: 'edited a change to the approved configuration',
  submit_change: 'submitted the change for approval',
  discard_change: 'discarded the change',
  approve_change: 'approved the change',
  request_change_changes: 'requested corrections to the change',
  reject_change: 'rejected the change',
  edit_sandbox: 'edited the sandbox values',
  edit_production: 'edited the production values',
  attest: 'attested the application',
  view_credentials: 'viewed credentials',
  rotate_secret: 'rotated the client secret',
  rotate_key: 'rotated the subscription key',
  stop_secret: 'stopped the older client secret',
  stop_key: 'stopped the older subscription key',
  verify_organization: 'verified the identifiers of the organization',
  cancel_job: 'cancelled a job',
  first_approval: 'approved it, pending a second operator',
};

/** Sorts events, newest first. */
export function newestFirst(events: readonly TimelineEvent[]): readonly TimelineEvent[] {
  return [...events].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

/** Merges consecutive views of the same secrets by the same person into the newest; keeps all other events. */
export function withoutRepeats(events: readonly TimelineEvent[]): readonly TimelineEvent[] {
  return events.filter((event, index) => {
    const newer = events[index - 1];
    return !(
      event.act === 'view_credentials' &&
      newer?.act === event.act &&
      newer.words === event.words &&
      newer.actor.name === event.actor.name
    );
  });
}
