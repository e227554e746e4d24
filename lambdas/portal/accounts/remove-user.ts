/** Removes Cognito users that belong to no portal account. */

import type { OutboxCarrier, UserEntry } from '../api/outbox.ts';
import type { DeveloperServices } from './account-ports.ts';

interface Services {
  readonly accounts: Pick<DeveloperServices['accounts'], 'find'>;
  readonly directory: Pick<DeveloperServices['directory'], 'remove'>;
  /**
   * Claims the entry: a sign-up that would end it fails from then on.
   * @returns false if the entry has ended.
   */
  readonly claim: (entryId: string) => Promise<boolean>;
}

/**
 * Removes a user that reaches no account: of a sign-up that was superseded before its address was proven, or that came to no account.
 * Either the sign-up ends the entry with its account, or the entry is claimed here and the sign-up fails; so no account is left without
 * its user.
 */
export function createUserRemoval({ accounts, directory, claim }: Services): OutboxCarrier<UserEntry> {
  return async ({ accountId }, entryId) => {
    if (!(await claim(entryId))) return 'done';
    const account = await accounts.find(accountId);
    if (account === undefined || account.state === 'closed') await directory.remove(accountId);
    return 'done';
  };
}
