import { canonicalJson } from '../../kernel/canonical-json.ts';
import type { PortalProblem } from '../api/exchange.ts';
import type { ApplicationDecision } from '../api/operations.ts';
import type { ProblemField } from '../api/views.ts';
import { type DecisionCriterion, decisionCriteria } from '../catalog/applications.ts';
import { decisionTransition, firstApproval, type Moment, type Stepped } from './acts.ts';
import type { Application } from './application.ts';
import { configurationFields } from './configuration-fields.ts';
import type { Portal } from './ports.ts';

const mayReject = Object.keys(decisionCriteria).filter(
  (name) => decisionCriteria[name as DecisionCriterion].mayReject,
);

/** What a decision may say beyond its form: criteria that may keep an application out, and fields there are. */
export function decisionProblem(decision: ApplicationDecision): PortalProblem | undefined {
  const errors: ProblemField[] = [];
  if ('criterion' in decision) {
    const rejects = decision.act === 'reject' || decision.act === 'reject_change';
    if (rejects && !decisionCriteria[decision.criterion].mayReject) {
      const expected = `to reject, a risk to the security of member data (${mayReject.join(', ')}); ask for changes by the others`;
      errors.push({ pointer: '/criterion', code: 'invalid', expected });
    }
    const { field } = decision;
    if (field !== undefined && !(configurationFields as readonly string[]).includes(field)) {
      errors.push({ pointer: '/field', code: 'invalid', expected: 'the name of a field of the application' });
    }
  }
  return errors.length === 0 ? undefined : { problem: 'invalid_request', errors };
}

type Approval = Extract<ApplicationDecision, { readonly act: 'approve' | 'approve_change' }>;

export function isApproval(decision: ApplicationDecision): decision is Approval {
  return decision.act === 'approve' || decision.act === 'approve_change';
}

/**
 * What an operator's decision makes of an application. Where two must approve, the first approval is kept and nothing follows
 * from it; the second must be another operator's.
 */
export function decided(
  { fourEyes, sha256 }: Pick<Portal, 'fourEyes' | 'sha256'>,
  application: Application,
  decision: ApplicationDecision,
  moment: Moment,
): { readonly stepped: Stepped | PortalProblem; readonly awaitsSecond: boolean } {
  const hash = (configuration: unknown) => sha256(canonicalJson(configuration));
  const whole = decisionTransition(application, decision, moment, hash);
  if (!fourEyes || !isApproval(decision) || 'problem' in whole)
    return { stepped: whole, awaitsSecond: false };
  const first = application.firstApproval;
  if (first === undefined) {
    return { stepped: firstApproval(application, decision.act, moment), awaitsSecond: true };
  }
  return first.accountId === moment.by.accountId
    ? { stepped: { problem: 'four_eyes' }, awaitsSecond: true }
    : { stepped: whole, awaitsSecond: false };
}
