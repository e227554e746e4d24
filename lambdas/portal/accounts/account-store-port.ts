/** Port of the store of the portal's accounts, and the changes that it writes whole. The adapter is `portal/adapters/account-store.ts`. */

import type { MailEntry, SuspensionEntry } from '../api/outbox.ts';
import type { AccountAct, AccountState, PortalActor, TeamRole } from '../catalog/account-states.ts';
import type { Account } from './account.ts';
import type { CodeUse } from './code-store-port.ts';
import type { Invitation, Team, TeamMembership } from './team-store-port.ts';

export interface AccountEvent {
  /** ISO 8601. */
  readonly at: string;
  readonly eventId: string;
  readonly actor: { readonly kind: PortalActor; readonly id: string; readonly name: string };
  readonly act: AccountAct | AccountEdit;
  readonly state: AccountState;
  readonly words?: string;
  readonly requestId: string;
}

/** Changes of an account that do not change its state. They appear in its timeline. */
export type AccountEdit =
  | 'accept_new_terms'
  | 'change_name'
  | 'change_email'
  | 'change_phone'
  | 'change_password'
  | 'reset_password'
  | 'sign_out_everywhere'
  | 'join_team'
  | 'leave_team'
  | 'become_team_owner'
  | 'become_team_member'
  | 'make_operator'
  | 'set_up_authenticator'
  | 'reset_authenticator';

/** A new account and the items that are created with it in one transaction. */
export interface AccountCreation {
  readonly account: Account;
  readonly event: AccountEvent;
  /** The account's own new team, or the invitation to an existing team. Undefined for a decoy, which has no team. */
  readonly joins:
    | { readonly kind: 'own_team'; readonly team: Team }
    | { readonly kind: 'invitation'; readonly invitation: Invitation }
    | undefined;
  /**
   * Accounts that claim the new account's e-mail address or user name and never confirmed it. The creation closes them and removes their
   * users from the user pool.
   */
  readonly supersedes: readonly Account[];
  /** IDs of closed first decoys of the same address: the new account takes over their claim. */
  readonly follows?: readonly string[];
  /** The ID from `awaitUser`; the creation cancels the scheduled removal of the user. */
  readonly user?: string;
}

export type CreationResult = 'created' | 'taken' | 'invitation_invalid';

/** A change of an account as it was read, and the other items that change with it in one transaction. */
export interface AccountChange {
  readonly account: Account;
  /** The account after the change. Fields that are `undefined` are removed. */
  readonly next: Account;
  readonly event: AccountEvent;
  readonly code?: CodeUse;
  readonly queue?: 'enter' | 'leave';
  readonly team?:
    | { readonly kind: 'joined'; readonly joins: Invitation; readonly leaves: Team }
    | { readonly kind: 'left'; readonly leaves: Team; readonly own: Team }
    | { readonly kind: 'founded'; readonly founds: Team }
    | { readonly kind: 'role_changed'; readonly role: TeamRole };
  /** The membership of an account that leaves its team, or whose role changes. */
  readonly membership?: TeamMembership;
  /** ID of the account that makes the change, which must be an owner of the team. */
  readonly owner?: string;
  /** Accounts that never proved the same address: they are closed with this change, and their users are removed. */
  readonly supersedes?: readonly Account[];
  readonly mails?: readonly MailEntry[];
  /** Applications that are suspended with the account. */
  readonly suspensions?: readonly SuspensionEntry[];
  /**
   * Another member of the team, because of whom its applications keep running. The change fails unless that member is still active and in
   * the team.
   */
  readonly remains?: Pick<Account, 'accountId' | 'teamId'>;
}

export interface AccountStore {
  find(accountId: string): Promise<Account | undefined>;
  findByEmail(email: string): Promise<Account | undefined>;
  /** Finds the first decoy of an address. */
  findFirstDecoy(email: string): Promise<Account | undefined>;
  /** Finds the newest decoy of an address that is not its first decoy. */
  findDecoy(email: string): Promise<Account | undefined>;
  findByUsername(username: string): Promise<Account | undefined>;
  /**
   * Schedules the removal of a user that is about to be made; `create` cancels the removal.
   *
   * @returns the ID to pass to `create` as `user`
   */
  awaitUser(accountId: string): Promise<string>;
  /**
   * Creates an account.
   *
   * @throws StoreUnavailable where the scheduled removal of its user has begun already.
   */
  create(creation: AccountCreation): Promise<CreationResult>;
  /** Writes a change, then sends its mails. @returns false where the account, its code or its team has changed since it was read. */
  change(change: AccountChange): Promise<boolean>;
  /**
   * Ends the waiting time of a password change, so that its owner can sign in at once. Does nothing if the account's sessions were ended
   * since.
   */
  passwordHolds(account: Pick<Account, 'accountId' | 'sessionEpoch'>): Promise<void>;
  /** Writes an operator's account, at the operator's first sign-in or as closed at the removal; keeps an existing account. */
  ensureOperator(account: Account): Promise<void>;
  events(accountId: string): Promise<readonly AccountEvent[]>;
  list(
    state: AccountState,
    after?: string,
  ): Promise<{ readonly accounts: readonly Account[]; readonly next?: string }>;
}
