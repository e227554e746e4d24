/** Labels of an application's states and acts, and its next step in words. */

import { interfaceFamilies } from '../../../lambdas/catalog/interface-families.ts';
import type {
  ApplicationEvent,
  ApplicationSummary,
  ApplicationView,
  TimelineEvent,
} from '../../../lambdas/portal/api/views.ts';
import type {
  ApplicationAct,
  ApplicationState,
  ChangeAct,
  ChangeState,
} from '../../../lambdas/portal/catalog/application-states.ts';
import { isCallAskedFor } from '../../../lambdas/portal/catalog/asked-for-calls.ts';

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

/** Lists the products that production requires to be called in the sandbox and that have no successful call yet. */
export function untested({
  sandbox,
  evidence,
}: Pick<ApplicationView, 'sandbox' | 'evidence'>): readonly string[] {
  return sandbox.configuration.products
    .filter(
      (product) =>
        isCallAskedFor(product, sandbox.configuration.grantType) &&
        !evidence.some((seen) => seen.product === product),
    )
    .map((product) => interfaceFamilies[product].name);
}

/** The developer's next step, in one sentence. */
export function nextStep(view: ApplicationView): string {
  if (view.state === 'approved' && view.changeState !== 'none') return changeStep[view.changeState];
  if (view.state === 'registered_in_sandbox') return sandboxStep(untested(view));
  return steps[view.state];
}

function sandboxStep(missing: readonly string[]): string {
  if (missing.length === 0) return 'The application is tested in the sandbox. Promote it to production.';
  const list = new Intl.ListFormat('en-US').format(missing);
  return `Make a successful sandbox call to ${list}. You can then promote the application to production.`;
}

const steps: Readonly<Record<Exclude<ApplicationState, 'registered_in_sandbox'>, string>> = {
  promoted_to_production:
    'Fill in the production values, run the pre-flight checks, and submit for approval.',
  awaiting_operator_approval: 'An operator reviews the application. We send you the decision by e-mail.',
  approved: 'The application can call production. View the production credentials and go live.',
  changes_requested: 'Make the changes the operator requested, and submit the application again.',
  rejected: 'Read the reason. Correct the application and submit it again, or appeal the decision once.',
  suspended: 'Production calls are refused. The reason is below. Write to us to resolve it.',
  revoked: 'Production calls are permanently refused. Register a new application to start over.',
  withdrawn: 'The application is withdrawn from both environments. You cannot change it.',
};

const changeStep: Readonly<Record<Exclude<ChangeState, 'none'>, string>> = {
  draft: 'Submit your change for approval. The approved configuration keeps running until then.',
  awaiting_operator_approval: 'An operator reviews your change. The approved configuration keeps running.',
  changes_requested: 'Make the corrections the operator requested, and submit the change again.',
  rejected: 'Your change was rejected. The approved configuration keeps running. Edit or discard the change.',
};

/** The way of an application to production: its steps, and the person who acts in each. */
export const wayToProduction = [
  { step: 'Draft', who: 'You' },
  { step: 'Registered in sandbox', who: 'You' },
  { step: 'Tested in sandbox', who: 'You' },
  { step: 'Submitted', who: 'You' },
  { step: 'Decided', who: 'An operator' },
  { step: 'In production', who: 'You' },
] as const;

const stepIn: Readonly<Record<Exclude<ApplicationState, 'registered_in_sandbox'>, number | undefined>> = {
  promoted_to_production: 3,
  changes_requested: 3,
  rejected: 3,
  awaiting_operator_approval: 4,
  suspended: 5,
  approved: wayToProduction.length,
  revoked: undefined,
  withdrawn: undefined,
};

/** Index of the step that comes next; the number of steps if all are done, undefined if the application has ended. */
export function currentStep(
  view: Pick<ApplicationView, 'state' | 'sandbox' | 'evidence'>,
): number | undefined {
  if (view.state === 'registered_in_sandbox') return untested(view).length > 0 ? 2 : 3;
  return stepIn[view.state];
}

/** Names the person who acts next, in a sentence; undefined if nothing is to be done. */
export function nextActor({ state, changeState }: Pick<ApplicationView, 'state' | 'changeState'>) {
  if (state === 'withdrawn' || state === 'revoked') return undefined;
  if (state === 'suspended' || state === 'awaiting_operator_approval') return 'An operator acts next.';
  if (state !== 'approved') return 'You act next.';
  if (changeState === 'none') return undefined;
  return changeState === 'awaiting_operator_approval' ? 'An operator acts next.' : 'You act next.';
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

/** The configuration that an edit changes, by state. */
export function editTarget(
  view: Pick<ApplicationView, 'state' | 'allowed'>,
  environment: 'sandbox' | 'production',
): 'sandbox' | 'production' | 'change' | undefined {
  if (view.state === 'withdrawn' || view.state === 'revoked') return undefined;
  if (environment === 'sandbox') return 'sandbox';
  // A submitted change cannot be edited while an operator reviews it.
  if (view.state === 'approved') return view.allowed.includes('propose_change') ? 'change' : undefined;
  return ['promoted_to_production', 'changes_requested', 'rejected'].includes(view.state)
    ? 'production'
    : undefined;
}
