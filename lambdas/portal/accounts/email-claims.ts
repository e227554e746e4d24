import type { Account } from './account.ts';
import type { DeveloperServices } from './developer-services.ts';

/**
 * The claims of accounts to an e-mail address (docs/decisions/0023-decoy-accounts.md). Only a person who reads the address's mail can find
 * out whether an account has the address.
 *
 * | The address is | A new sign-up with the address becomes | Its code |
 * |---|---|---|
 * | free | the holder, who proves the address by the code | is mailed |
 * | held by a sign-up that has not proven it | a decoy; the first account whose code is entered gets the address | is mailed |
 * | held unproven for an hour | the holder; the earlier sign-up is closed | is mailed |
 * | proven by its owner | a decoy; the first decoy follows the rules of a holder | is never right; the owner is notified by mail |
 */

/** Seconds after which a new sign-up with the same address ends an unproven claim, so that nobody can block an address. */
const unprovenClaimSeconds = 3_600;

/** Whether the holder of an address has proven it by entering a code that was mailed there. */
export function hasProvenAddress(holder: Account | undefined): holder is Account {
  return holder !== undefined && holder.state !== 'pending_email';
}

/** Whether a new sign-up may take over an account's unproven claim to its address or user name. */
export function isLapsed({ state, createdAt }: Account, nowMs: number): boolean {
  return state === 'pending_email' && Date.parse(createdAt) + unprovenClaimSeconds * 1000 <= nowMs;
}

/** The claim of a new sign-up to its address (holder, first decoy or decoy), and the accounts it replaces. */
interface SignUpPlace extends Pick<Account, 'decoy' | 'firstDecoy'> {
  readonly supersedes: readonly Account[];
  /** IDs of closed first decoys, whose claim the new first decoy takes over. */
  readonly follows?: readonly string[];
}

/** Determines whether a new sign-up becomes the holder of its address, the first decoy or a further decoy. */
export async function signUpPlace(
  services: Pick<DeveloperServices, 'accounts' | 'now'>,
  email: string,
): Promise<SignUpPlace> {
  const [holder, first] = await Promise.all([
    services.accounts.findByEmail(email),
    services.accounts.findFirstDecoy(email),
  ]);
  const nowMs = services.now();
  if (holder === undefined) return { decoy: false, supersedes: [] };
  if (isLapsed(holder, nowMs)) return { decoy: false, supersedes: [holder] };
  if (holder.state === 'pending_email') return { decoy: true, supersedes: [] };
  if (first === undefined) return { decoy: true, firstDecoy: true, supersedes: [] };
  if (first.state === 'closed') {
    return { decoy: true, firstDecoy: true, supersedes: [], follows: [first.accountId] };
  }
  if (isLapsed(first, nowMs)) return { decoy: true, firstDecoy: true, supersedes: [first] };
  return { decoy: true, supersedes: [] };
}

/**
 * Finds the decoys that a sign-in by an address may mean: the first and the newest decoy. Each can sign in by its own password, because a
 * refusal would reveal that the address has an owner. If the owner has the same password, the sign-in is the owner's.
 */
export async function decoysNamed(
  { accounts }: Pick<DeveloperServices, 'accounts'>,
  identifier: string,
): Promise<readonly Account[]> {
  if (!identifier.includes('@')) return [];
  const [first, newest] = await Promise.all([
    accounts.findFirstDecoy(identifier),
    accounts.findDecoy(identifier),
  ]);
  // A sign-up that proved the address after it was read is no longer a decoy.
  return [first, newest].filter((found) => found?.decoy === true) as readonly Account[];
}
