/** Checks operators' decisions by the rules that their schema cannot express. */

import type { ApplicationDecision } from '../api/operations.ts';
import { type PortalProblem, problem } from '../api/route-handler.ts';
import type { ProblemField } from '../api/views.ts';
import { type DecisionCriterion, decisionCriteria } from '../catalog/application-states.ts';
import { configurationFields } from './configuration-fields.ts';

const mayReject = Object.keys(decisionCriteria).filter(
  (name) => decisionCriteria[name as DecisionCriterion].mayReject,
);

type CriterionDecision = Extract<ApplicationDecision, { readonly criterion: string }>;
const criterionActs: readonly ApplicationDecision['act'][] = [
  'request_changes',
  'reject',
  'request_change_changes',
  'reject_change',
] satisfies CriterionDecision['act'][];

function namesCriterion(decision: ApplicationDecision): decision is CriterionDecision {
  return criterionActs.includes(decision.act);
}

/** Checks a decision: the criterion of a rejection must allow rejection, and a named field must exist. */
export function decisionProblem(decision: ApplicationDecision): PortalProblem | undefined {
  if (!namesCriterion(decision)) return undefined;
  const { act, criterion, field } = decision;
  const errors: ProblemField[] = [];
  const rejects = act === 'reject' || act === 'reject_change';
  if (rejects && !decisionCriteria[criterion].mayReject) {
    const expected = `a criterion that allows rejection (${mayReject.join(', ')}). Request changes for the other criteria`;
    errors.push({ pointer: '/criterion', code: 'invalid', expected });
  }
  if (field !== undefined && !(configurationFields as readonly string[]).includes(field)) {
    errors.push({ pointer: '/field', code: 'invalid', expected: 'the name of a field of the application' });
  }
  return errors.length === 0 ? undefined : problem('invalid_request', { errors });
}

/** Whether an act is an approval, which two operators may have to give. */
export function isApproval(act: string): act is 'approve' | 'approve_change' {
  return act === 'approve' || act === 'approve_change';
}
