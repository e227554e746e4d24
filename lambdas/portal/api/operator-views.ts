/** Bodies of the portal API's responses to operators. Times are ISO 8601 in UTC. None contains member data. */

import type { Environment } from '../../catalog/environments.ts';
import type { Interface } from '../../catalog/fhir/interfaces.ts';
import type { DecisionCriterion } from '../catalog/application-states.ts';
import type { AccountView, ApplicationView, CallView, Difference, PreflightCheck } from './views.ts';

/** Counts of a pre-flight's results. */
export interface Verdict {
  /** Checks that failed. */
  readonly fix: number;
  /** Warnings, which an operator judges. */
  readonly check: number;
  /** Addresses that the portal's network cannot reach, so that an operator opens them. */
  readonly open: number;
  readonly passed: number;
}

/** An operator's own act after which another operator decides: the rejection that is appealed, or the first of two approvals. */
export type OperatorsOwnAct = 'reject' | 'approve';

export interface QueueItem {
  readonly kind: 'application' | 'change' | 'account';
  readonly id: string;
  readonly name: string;
  readonly company: string;
  readonly since: string;
  /** The day by which a decision is expected, `2026-12-04`. */
  readonly expectedBy: string;
  /** The interfaces that an application or a change calls. */
  readonly products?: readonly Interface[];
  /** The results of the pre-flight when an application or a change was submitted. */
  readonly verdict?: Verdict;
  /** Present if the entry is the appeal of a rejection. */
  readonly appeal?: true;
  /** Name of the first of two operators who must approve, once that operator has. */
  readonly approvedBy?: string;
  /** The viewer's own earlier act, after which another operator must decide. */
  readonly ownAct?: OperatorsOwnAct;
}

/** An act of an operator on an application or account. */
export interface OperatorActView {
  readonly at: string;
  readonly kind: 'application' | 'account';
  readonly id: string;
  /** Name of the application or account at the time of the act. */
  readonly name: string;
  readonly act: string;
  readonly criterion?: DecisionCriterion;
  readonly words?: string;
}

/** An operator's own acts, newest first. */
export interface OperatorActsView {
  readonly acts: readonly OperatorActView[];
  /** Cursor of the next, older page, for the parameter `after`. */
  readonly next?: string;
}

/** Verified identifiers of an application's organization, in each environment that has a client of it. */
export interface VerifiedOrganizationView {
  readonly environments: readonly {
    readonly environment: Environment;
    readonly identifiers: readonly { readonly system: string; readonly value: string }[];
  }[];
}

export interface OperatorAccountView extends AccountView {
  /** Fields given at sign-up, without the password. */
  readonly signUp: Readonly<Record<string, unknown>>;
  readonly timeline: readonly {
    readonly at: string;
    readonly actor: string;
    readonly act: string;
    readonly words?: string;
  }[];
  /** Applications that continue although the account is suspended, or stay suspended although it was resumed. */
  readonly notice?: string;
  /** The account's team, with the facts that a suspension depends on; absent in lists. */
  readonly team?: {
    /** Names of the team's other people whose accounts are active. */
    readonly others: readonly string[];
    /** The team's applications that may call production. */
    readonly approved: readonly { readonly applicationId: string; readonly name: string }[];
  };
  /** Applications that were suspended with the account. `waiting`: production stops it as soon as it answers. */
  readonly suspended?: readonly {
    readonly applicationId: string;
    readonly name: string;
    readonly outcome: 'suspended' | 'waiting';
  }[];
}

export interface OperatorApplicationView extends ApplicationView {
  readonly developer: OperatorAccountView;
  readonly preflight: readonly PreflightCheck[];
  /** Sandbox and production values that differ. */
  readonly sandboxDifference: readonly Difference[];
  readonly sandboxCalls: readonly CallView[];
  readonly approvedBy?: string;
  /** The viewer's own earlier act; `allowed` leaves out the acts that another operator must decide because of it. */
  readonly ownAct?: OperatorsOwnAct;
}
