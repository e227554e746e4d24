/** Updates the list of disabled accounts from the user pool (docs/decisions/0054). */

/** An account of this service: its subject, and its user name in the pool. */
export interface AccountName {
  readonly sub: string;
  readonly username: string;
}

/** The members' user pool. Adapter: `lambdas/authorization/aws/disabled-users.ts`. */
export interface MemberPoolUsers {
  /** Lists the users that are disabled now. @throws StoreUnavailable */
  disabled(): AsyncIterable<AccountName>;
  /** Asks the pool about one account. @throws StoreUnavailable */
  stateOf(account: AccountName): Promise<'enabled' | 'disabled' | 'deleted'>;
}

/** The list of disabled accounts, whose tokens are not refreshed. Adapter: `lambdas/authorization/store/disabled-accounts.ts`. */
export interface DisabledAccounts {
  /**
   * Lists the disabled accounts, without those kept as deleted.
   *
   * @throws StoreUnavailable
   */
  all(): Promise<readonly AccountName[]>;
  /**
   * Adds an account to the list, and ends its sessions.
   *
   * @throws StoreUnavailable
   */
  add(account: AccountName): Promise<void>;
  /** Removes an account that is enabled again. @throws StoreUnavailable */
  remove(account: AccountName): Promise<void>;
  /**
   * Keeps an account in the list permanently, because the pool no longer has it.
   * @throws StoreUnavailable
   */
  keep(account: AccountName): Promise<void>;
}

/** Counts of one sweep: accounts added to the list, removed from it, and kept in it because the pool has deleted them. */
export interface AccountSweep {
  readonly disabled: number;
  readonly enabled: number;
  readonly deleted: number;
}

/**
 * Compares the list with the pool, and changes the list where they differ. A sweep that fails half-way is completed by the next one.
 *
 * @throws StoreUnavailable
 */
export async function sweepAccounts(
  pool: MemberPoolUsers,
  accounts: DisabledAccounts,
): Promise<AccountSweep> {
  const listed = new Map((await accounts.all()).map((account) => [account.sub, account]));
  const count = { disabled: 0, enabled: 0, deleted: 0 };
  for await (const user of pool.disabled()) {
    if (listed.delete(user.sub)) continue;
    await accounts.add(user);
    count.disabled += 1;
  }
  for (const account of listed.values()) {
    const state = await pool.stateOf(account);
    // The user was disabled again after the pool was listed.
    if (state === 'disabled') continue;
    await (state === 'enabled' ? accounts.remove(account) : accounts.keep(account));
    count[state] += 1;
  }
  return count;
}
