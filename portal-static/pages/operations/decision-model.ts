/** Decisions of the operators' console: which are possible, and what each asks for. */

import type { ConfigurationField } from '../../../lambdas/portal/api/applications.ts';
import type { AccountDecision, ApplicationDecision } from '../../../lambdas/portal/api/operations.ts';
import type { OperatorAccountView } from '../../../lambdas/portal/api/operator-views.ts';
import type { PreflightCheck } from '../../../lambdas/portal/api/views.ts';
import {
  type ApplicationState,
  applicationStateNames,
  type DecisionCriterion,
  decisionCriteria,
  decisionCriterionNames,
} from '../../../lambdas/portal/catalog/application-states.ts';
import type { FieldValues } from '../../forms/values.ts';

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
  /** The key that chooses it on the review page. */
  readonly key?: string;
  /** Said on the page that follows. */
  readonly done: string;
}

export const decisions: Readonly<Record<DecisionAct, DecisionDescription>> = {
  approve: {
    label: 'Approve',
    consequence: 'The application may call production with the configuration shown here.',
    words: 'note',
    criterion: false,
    tone: 'plain',
    key: 'a',
    done: 'Approved',
  },
  request_changes: {
    label: 'Request changes',
    consequence: 'The developer can correct the application and submit it again.',
    words: 'reason',
    criterion: true,
    tone: 'plain',
    key: 'c',
    done: 'Changes requested',
  },
  reject: {
    label: 'Reject',
    consequence:
      'The application is rejected. The developer can correct it and submit it again, or appeal once.',
    words: 'reason',
    criterion: true,
    rejection: true,
    tone: 'danger',
    key: 'r',
    done: 'Rejected',
  },
  approve_change: {
    label: 'Approve change',
    consequence: 'Production uses the changed configuration.',
    words: 'note',
    criterion: false,
    tone: 'plain',
    key: 'a',
    done: 'Change approved',
  },
  request_change_changes: {
    label: 'Request corrections to change',
    consequence: 'The approved configuration keeps running. The developer can submit the change again.',
    words: 'reason',
    criterion: true,
    tone: 'plain',
    key: 'c',
    done: 'Corrections requested',
  },
  reject_change: {
    label: 'Reject change',
    consequence: 'The approved configuration keeps running.',
    words: 'reason',
    criterion: true,
    rejection: true,
    tone: 'danger',
    key: 'r',
    done: 'Change rejected',
  },
  suspend: {
    label: 'Suspend',
    consequence: 'Production calls fail within 30 seconds. You can reinstate the application later.',
    words: 'reason',
    criterion: false,
    tone: 'danger',
    done: 'Suspended',
  },
  resume: {
    label: 'Reinstate',
    consequence: 'Production calls work again.',
    words: 'note',
    criterion: false,
    tone: 'plain',
    done: 'Reinstated',
  },
  revoke: {
    label: 'Revoke',
    consequence: 'Production calls fail permanently within 30 seconds. You cannot undo this.',
    words: 'reason',
    criterion: false,
    tone: 'danger',
    done: 'Revoked',
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

/** The values of a draft that hold for a decision: a criterion that cannot be chosen for it is left out with its texts. */
export function textsFor(act: DecisionAct, draft: FieldValues): FieldValues {
  const { criterion, field, ...texts } = draft;
  if (criterion === undefined || criteriaFor(act).some((name) => name === criterion)) return draft;
  return { ...texts, ...withCriterion(draft, '', []) };
}

/** The field that a criterion is usually about. */
const criterionFields: Readonly<Partial<Record<DecisionCriterion, ConfigurationField>>> = {
  'privacy-policy': 'privacyUri',
  'terms-of-service': 'tosUri',
  'misleading-name': 'applicationName',
  'support-contact': 'contactEmail',
};

/** Texts that a criterion begins with; an operator may write others. */
function suggestionFor(criterion: unknown, checks: readonly PreflightCheck[]) {
  const name = decisionCriterionNames.find((one) => one === criterion);
  if (name === undefined) return { reason: '', field: '' };
  const silent = checks.find(
    ({ id, result }) => id.startsWith('address-') && ['fail', 'warn'].includes(result),
  );
  const field = name === 'uri-not-reachable' ? silent?.field : criterionFields[name];
  return { reason: decisionCriteria[name].reason, field: field ?? '' };
}

/**
 * The values of the form after a criterion was chosen in place of another.
 *
 * @returns those to set: what an operator has written or chosen stays.
 */
export function withCriterion(
  values: FieldValues,
  criterion: string,
  checks: readonly PreflightCheck[],
): FieldValues {
  const before = suggestionFor(values.criterion, checks);
  const after = suggestionFor(criterion, checks);
  const isSuggested = (name: keyof typeof before) => (values[name] || before[name]) === before[name];
  return {
    criterion,
    ...(isSuggested('reason') && { reason: after.reason }),
    ...(isSuggested('field') && { field: after.field }),
  };
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

export const accountDecisions: Readonly<
  Record<
    AccountDecision['act'],
    {
      readonly label: string;
      readonly consequence: string;
      readonly reason: boolean;
      /** Said on the page that follows. */
      readonly done: string;
    }
  >
> = {
  verify_organization: {
    label: 'Verify organization',
    consequence: 'The account becomes active.',
    reason: false,
    done: 'Organization verified',
  },
  refuse_organization: {
    label: 'Refuse organization',
    consequence: 'The account is closed. The developer gets your reason.',
    reason: true,
    done: 'Organization refused',
  },
  suspend: {
    label: 'Suspend account',
    consequence: 'All sessions of the account end, and no one can sign in with it.',
    reason: true,
    done: 'Account suspended',
  },
  resume: {
    label: 'Reinstate account',
    consequence: 'The developer can sign in again.',
    reason: false,
    done: 'Account reinstated',
  },
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
  /** Whether to suspend, with the account, all applications of a team in which nobody else is active. */
  readonly unattended?: boolean | undefined;
  /** IDs of the applications to suspend with the account. */
  readonly applications?: readonly string[] | undefined;
}

/** The request of a decision about an account. */
export function accountDecisionRequest(
  act: AccountDecision['act'],
  { reason = '', unattended = false, applications = [] }: AccountDecisionWords,
  version: number,
): Readonly<Record<string, unknown>> {
  const along = unattended ? 'unattended' : applications;
  return {
    act,
    version,
    ...(accountDecisions[act].reason ? { reason } : {}),
    ...(act === 'suspend' && along.length > 0 ? { applications: along } : {}),
  };
}

/** Formats a waiting time, rounded down to its largest unit. */
export function ageWords(since: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / 60_000));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60)];
  const [amount, unit] = days > 0 ? [days, 'day'] : hours > 0 ? [hours, 'hour'] : [minutes, 'minute'];
  if (amount === 0) return 'just now';
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}

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
