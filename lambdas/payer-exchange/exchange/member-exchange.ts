/** An exchange: one member with one other payer that this plan asks for the member's data. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { ExchangeState } from '../../catalog/payer/exchange-states.ts';

/** The plan that a member had or has elsewhere, as the member or the enrollment system wrote it. */
export interface NamedPlan {
  readonly name: string;
  /** Member number on that plan's card. */
  readonly memberNumber?: string | undefined;
  readonly groupNumber?: string | undefined;
}

/** A member's permission to ask the other payer (HRex Consent is made of it). Times are ISO 8601. */
export interface ExchangePermission {
  readonly givenAt: string;
  /** The member, a personal representative (by the plan's identifier), or the plan, which attests that the member gave it. */
  readonly by: { readonly kind: 'member' | 'representative' | 'plan'; readonly id: string };
  /** `sensitive`: including data that other laws protect, such as about substance use. */
  readonly policy: 'regular' | 'sensitive';
  /** End of the permission; without it, the permission lasts until the member ends it. */
  readonly until?: string | undefined;
}

/** The member at the other payer. */
export interface ExchangeMatch {
  /** Group of the other payer that has the member, and its Patient's ID there. */
  readonly groupId: string;
  readonly patientId: string;
}

/** The last export that was received. */
export interface ReceivedData {
  readonly at: string;
  /** `transactionTime` of the export, from which the next one asks for changes. */
  readonly since: string;
  /** Resources of the export that were handed to the loader. */
  readonly resources: number;
}

export interface ExchangeName {
  readonly lob: LineOfBusiness;
  readonly patientId: string;
  readonly exchangeId: string;
}

/** An exchange as the store has it. Times are ISO 8601. */
export interface MemberExchange extends ExchangeName {
  readonly state: ExchangeState;
  readonly plan: NamedPlan;
  /** The other payer in the operators' table, once it is known. */
  readonly payerId?: string | undefined;
  /** Whether the other plan covers the member at the same time, so that it is asked each quarter. */
  readonly isConcurrent: boolean;
  readonly permission?: ExchangePermission | undefined;
  /** Start of the member's coverage here, `YYYY-MM-DD`. */
  readonly coverageStart?: string | undefined;
  /** Time from which there is something to do; absent while there is nothing. */
  readonly nextAt?: string | undefined;
  /** Time by which the member must be offered the exchange, or the other payer asked. */
  readonly dueAt?: string | undefined;
  /** The run that is at work on it, or was last. */
  readonly runId?: string | undefined;
  readonly match?: ExchangeMatch | undefined;
  readonly received?: ReceivedData | undefined;
  /** Code of the reason of the last act, e.g. `payer_unreachable`. */
  readonly because?: string | undefined;
  /**
   * Time of the last decision of the member, or of the plan for the member: a row of a drop that was decided before changes nothing. Absent
   * while nobody has decided.
   */
  readonly decidedAt?: string | undefined;
  readonly changedAt: string;
  /** Counts the changes, so that one made from an old reading is refused. */
  readonly version: number;
}

/** Whether the permission has ended by its own date. */
export function hasPermissionEnded({ permission }: Pick<MemberExchange, 'permission'>, now: number): boolean {
  return permission?.until !== undefined && Date.parse(permission.until) <= now;
}
