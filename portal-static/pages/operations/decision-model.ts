/** Decisions of the operators' console: which are possible, and what each asks for. */

import * as z from 'zod/mini';
import { type FieldIssue, fieldIssues } from '../../../lambdas/portal/api/applications.ts';
import {
  type AccountDecision,
  type ApplicationDecision,
  accountDecision,
} from '../../../lambdas/portal/api/operations.ts';
import type { OperatorAccountView, QueueItem } from '../../../lambdas/portal/api/operator-views.ts';
import {
  type ApplicationState,
  applicationStateNames,
  type DecisionCriterion,
  decisionCriteria,
  decisionCriterionNames,
} from '../../../lambdas/portal/catalog/application-states.ts';

/** The operator's decisions as the console asks for them. */

export type DecisionAct = ApplicationDecision['act'];

interface DecisionDescription {
  readonly label: string;
  /** Consequences, shown before the decision is confirmed. */
  readonly consequence: string;
  readonly words: 'note' | 'reason';
  readonly criterion: boolean;
  /** Only criteria that are an objective security risk (45 CFR 156.221(e)). */
  readonly rejection?: true;
  readonly tone: 'plain' | 'danger';
}

export const decisions: Readonly<Record<DecisionAct, DecisionDescription>> = {
  approve: {
    label: 'Approve',
    consequence: 'The application may call production with the configuration shown here.',
    words: 'note',
    criterion: false,
    tone: 'plain',
  },
  request_changes: {
    label: 'Request changes',
    consequence: 'The developer can correct the application and submit it again.',
    words: 'reason',
    criterion: true,
    tone: 'plain',
  },
  reject: {
    label: 'Reject',
    consequence:
      'The application is rejected. The developer can correct it and submit it again, or appeal once.',
    words: 'reason',
    criterion: true,
    rejection: true,
    tone: 'danger',
  },
  approve_change: {
    label: 'Approve change',
    consequence: 'Production uses the changed configuration.',
    words: 'note',
    criterion: false,
    tone: 'plain',
  },
  request_change_changes: {
    label: 'Request corrections to change',
    consequence: 'The approved configuration keeps running. The developer can submit the change again.',
    words: 'reason',
    criterion: true,
    tone: 'plain',
  },
  reject_change: {
    label: 'Reject change',
    consequence: 'The approved configuration keeps running.',
    words: 'reason',
    criterion: true,
    rejection: true,
    tone: 'danger',
  },
  suspend: {
    label: 'Suspend',
    consequence: 'Production calls fail within 30 seconds. You can reinstate the application later.',
    words: 'reason',
    criterion: false,
    tone: 'danger',
  },
  resume: {
    label: 'Reinstate',
    consequence: 'Production calls work again.',
    words: 'note',
    criterion: false,
    tone: 'plain',
  },
  revoke: {
    label: 'Revoke',
    consequence: 'Production calls fail permanently within 30 seconds. You cannot undo this.',
    words: 'reason',
    criterion: false,
    tone: 'danger',
  },
};

/** The decisions open from here, in the order of this table. */
export function openDecisions(allowed: readonly string[]): readonly DecisionAct[] {
  return (Object.keys(decisions) as readonly DecisionAct[]).filter((act) => allowed.includes(act));
}

export function criteriaFor(act: DecisionAct): readonly DecisionCriterion[] {
  return decisionCriterionNames.filter(
    (name) => decisions[act].rejection !== true || decisionCriteria[name].mayReject,
  );
}

/** The request of a decision as the form has it; its schema says what is missing. */
export function decisionRequest(
  act: DecisionAct,
  values: Readonly<Record<string, unknown>>,
  version: number,
): Readonly<Record<string, unknown>> {
  const { words, criterion } = decisions[act];
  const names = criterion ? ['criterion', 'field', words] : [words];
  const given = names.flatMap((name) => {
    const value = values[name];
    return typeof value === 'string' && value.trim() !== '' ? [[name, value]] : [];
  });
  return { act, version, ...Object.fromEntries(given) };
}

export type Read<Decision> =
  | { readonly ok: true; readonly decision: Decision }
  | { readonly ok: false; readonly issues: readonly FieldIssue[] };

export const accountDecisions: Readonly<
  Record<
    AccountDecision['act'],
    { readonly label: string; readonly consequence: string; readonly reason: boolean }
  >
> = {
  verify_organization: {
    label: 'Verify organization',
    consequence: 'The account becomes active.',
    reason: false,
  },
  refuse_organization: {
    label: 'Refuse organization',
    consequence: 'The account is closed. The developer gets your reason.',
    reason: true,
  },
  suspend: {
    label: 'Suspend account',
    consequence: 'All sessions of the account end, and no one can sign in with it.',
    reason: true,
  },
  resume: { label: 'Reinstate account', consequence: 'The developer can sign in again.', reason: false },
};

/** Decisions about an account, by its state. */
export function openAccountDecisions(state: OperatorAccountView['state']): readonly AccountDecision['act'][] {
  if (state === 'pending_verification') return ['verify_organization', 'refuse_organization'];
  if (state === 'active' || state === 'locked') return ['suspend'];
  return state === 'suspended' ? ['resume'] : [];
}

/** Values of the decision form, besides the decision itself. */
export interface AccountDecisionWords {
  readonly reason?: string;
  /** Applications to suspend too: all of a team without another active person, or some by ID. */
  readonly unattended?: boolean | undefined;
  readonly applications?: readonly string[] | undefined;
}

export function readAccountDecision(
  act: AccountDecision['act'],
  { reason = '', unattended = false, applications = [] }: AccountDecisionWords,
  version: number,
): Read<AccountDecision> {
  const along = unattended ? 'unattended' : applications;
  const request = {
    act,
    version,
    ...(accountDecisions[act].reason ? { reason } : {}),
    ...(act === 'suspend' && along.length > 0 ? { applications: along } : {}),
  };
  const parsed = z.safeParse(accountDecision, request);
  return parsed.success
    ? { ok: true, decision: parsed.data }
    : { ok: false, issues: fieldIssues(parsed.error) };
}

/** Formats a waiting time, rounded down to its largest unit. */
export function ageWords(since: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / 60_000));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60)];
  const [amount, unit] = days > 0 ? [days, 'day'] : hours > 0 ? [hours, 'hour'] : [minutes, 'minute'];
  if (amount === 0) return 'just now';
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}

export const queueKinds: Readonly<
  Record<QueueItem['kind'], { readonly name: string; readonly path: string }>
> = {
  application: { name: 'Application', path: '/operations/applications' },
  change: { name: 'Change', path: '/operations/applications' },
  account: { name: 'Account', path: '/operations/accounts' },
};

/** The states an operator can list by, those with work in them first. */
export const listedStates: readonly ApplicationState[] = [
  'awaiting_operator_approval',
  ...applicationStateNames.filter((state) => state !== 'awaiting_operator_approval'),
];

/** `pending_verification` as "Pending verification". */
export function accountStateLabel(state: OperatorAccountView['state']): string {
  const words = state.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
