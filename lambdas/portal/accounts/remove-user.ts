/** Carrier of outbox entries that remove Cognito users without a portal account. */

import type { OutboxCarrier, UserEntry } from '../api/outbox.ts';
import type { DeveloperServices } from './developer-services.ts';

interface Services {
  readonly accounts: Pick<DeveloperServices['accounts'], 'find'>;
  readonly directory: Pick<DeveloperServices['directory'], 'remove'>;
  /**
   * Claims the outbox entry, so that a sign-up that would delete it fails from then on.
   *
   * @returns false if the entry has been deleted.
   */
  readonly claim: (entryId: string) => Promise<boolean>;
}

/**
 * Makes the carrier that removes a Cognito user without an account: its sign-up failed, or was replaced before its address was proven.
 * Either the sign-up creates the account and deletes the outbox entry in one transaction, or this carrier claims the entry and the sign-up
 * fails; so no account is left without its user.
 */
export function createUserRemoval({ accounts, directory, claim }: Services): OutboxCarrier<UserEntry> {
  return async ({ accountId }, entryId) => {
    if (!(await claim(entryId))) return 'done';
    const account = await accounts.find(accountId);
    if (account === undefined || account.state === 'closed') await directory.remove(accountId);
    return 'done';
  };
}
