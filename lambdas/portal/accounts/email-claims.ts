import type { Account } from './account.ts';
import type { DeveloperServices } from './account-ports.ts';

/**
 * The claims of accounts to an e-mail address (docs/decisions/0023-decoy-accounts.md). Nothing that can be done without the address's
 * mails reveals whether somebody has it:
 *
 * | The address is | a sign-up with it is | its code |
 * |---|---|---|
 * | free | its holder, which proves it by the code | is mailed |
 * | held by a sign-up that has not proven it | a decoy; whichever is proven first has the address, and the holder ends | is mailed |
 * | held so for an hour | its holder; the earlier one ends | is mailed |
 * | proven by its owner | a decoy; the first of them goes by the rules of a holder | fits nothing, and the owner is told by mail |
 */

/** Milliseconds after which an unproven claim ends when somebody else signs up, so that nobody can block an address. */
const unprovenClaimSeconds = 3_600;

/** Whether a code that went to the address was entered: until then nobody has proven the address. */
export function hasProvenAddress(holder: Account | undefined): holder is Account {
  return holder !== undefined && holder.state !== 'pending_email';
}

/** Whether an unproven claim to an address or a user name may be taken over. */
export function isLapsed({ state, createdAt }: Account, nowMs: number): boolean {
  return state === 'pending_email' && Date.parse(createdAt) + unprovenClaimSeconds * 1000 <= nowMs;
}

/** The place of a sign-up among those with its address, and the accounts whose place it takes. */
interface SignUpPlace extends Pick<Account, 'decoy' | 'firstDecoy'> {
  readonly supersedes: readonly Account[];
  /** Ids of decoys that have ended. */
  readonly follows?: readonly string[];
}

/** Finds the place of a new sign-up with an address. */
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
 * Finds the decoys that a sign-in by an address may belong to: the first and the newest, as with a free address. Each is signed in by its
 * own password, because a refusal would reveal that the address is taken. Where the owner has the same password, the owner is signed in.
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
  // A sign-up that was proven since is not a decoy any more.
  return [first, newest].filter((found) => found?.decoy === true) as readonly Account[];
}
