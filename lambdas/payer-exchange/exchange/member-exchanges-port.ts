/** Port of the store of exchanges. */

import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { ExchangeAct } from '../../catalog/payer/exchange-states.ts';
import type { ExchangeName, MemberExchange } from './member-exchange.ts';

/** Attributes that an act may change beside the state and its times. `undefined` removes one. */
export type ExchangeChanges = Partial<
  Pick<
    MemberExchange,
    | 'plan'
    | 'payerId'
    | 'isConcurrent'
    | 'permission'
    | 'coverageStart'
    | 'decidedAt'
    | 'runId'
    | 'match'
    | 'received'
    | 'because'
    | 'nextAt'
    | 'dueAt'
  >
>;

/** An exchange in the list of those that have something to do. */
export interface DueExchange extends ExchangeName {
  readonly nextAt: string;
}

/** Errors of each: `StoreUnavailable`. */
export interface MemberExchanges {
  ofPatient(patientId: string): Promise<readonly MemberExchange[]>;
  /** The exchanges of these names, in their order; undefined for one that doesn't exist. */
  find(
    names: readonly Pick<ExchangeName, 'patientId' | 'exchangeId'>[],
  ): Promise<readonly (MemberExchange | undefined)[]>;
  /**
   * Creates an exchange that is offered or opted in.
   *
   * @returns false if one with its ID exists
   */
  begin(exchange: Omit<MemberExchange, 'version' | 'changedAt'>, audit?: AuditEvent): Promise<boolean>;
  /**
   * Carries out an act. State, times, the list of what is due and the audit event change together or not at all.
   *
   * @param exchange as it was read: the act is refused if it has changed since.
   * @returns the exchange after the act; undefined if the act was refused
   */
  act(
    exchange: MemberExchange,
    act: ExchangeAct,
    changes?: ExchangeChanges,
    audit?: AuditEvent,
  ): Promise<MemberExchange | undefined>;
  /** Changes attributes and leaves the state. Refused as `act` is. */
  change(
    exchange: MemberExchange,
    changes: ExchangeChanges,
    audit?: AuditEvent,
  ): Promise<MemberExchange | undefined>;
  /** Counts the requests of a year (UTC) to other payers: those sent by their due date, and those sent later. */
  askedIn(year: number): Promise<{ readonly inTime: number; readonly late: number }>;
  /** The exchanges whose time has come by `until` (ISO 8601), earliest first. */
  due(until: string, most: number, after?: DueExchange): Promise<readonly DueExchange[]>;
}
