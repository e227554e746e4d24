/** An application's way to production for its developer: where it is, and what comes next. */

import { interfaceFamilies } from '../../../lambdas/catalog/interface-families.ts';
import type { ApplicationView } from '../../../lambdas/portal/api/views.ts';
import type { ApplicationState, ChangeState } from '../../../lambdas/portal/catalog/application-states.ts';
import { isCallAskedFor } from '../../../lambdas/portal/catalog/asked-for-calls.ts';

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
