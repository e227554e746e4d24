/** Port of the table of other payers. */

import type { OtherPayer, PayerTestResult } from './other-payer.ts';

/** All payers as they were read together. */
export interface OtherPayerList {
  readonly payers: readonly OtherPayer[];
  /** Counts the changes of any payer: a change that was decided on an older list is refused. */
  readonly revision: number;
}

/** Content of the audit event of a change. */
export interface PayerChangeEvent {
  readonly payerId: string;
  /** Code of the act, such as `activate`. */
  readonly act: string;
  readonly requestId: string;
  /** The operator's account in the portal, if the operator acted in the console. */
  readonly operatorId?: string | undefined;
}

export interface OtherPayers {
  /** @throws StoreUnavailable */
  find(payerId: string): Promise<OtherPayer | undefined>;
  /** @throws StoreUnavailable */
  all(): Promise<OtherPayerList>;
  /**
   * Stores payers, each with its audit event, in one transaction; at most `mostPayersInWrite`.
   *
   * @param seen the list in which the payers were compared with all others.
   * @returns false if a payer was changed since.
   * @throws StoreUnavailable
   */
  save(
    seen: OtherPayerList,
    changed: readonly { readonly payer: OtherPayer; readonly event: PayerChangeEvent }[],
  ): Promise<boolean>;
  /** Removes a payer. @returns false if a payer was changed since the list was read. @throws StoreUnavailable */
  remove(seen: OtherPayerList, event: PayerChangeEvent): Promise<boolean>;
  /** Adds the result of a test. It is no change of the payer. @throws StoreUnavailable */
  recordCheck(payerId: string, check: PayerTestResult): Promise<void>;
}

/** Most payers of one `save`. */
export const mostPayersInWrite = 40;
