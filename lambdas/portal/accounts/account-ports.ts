import type { Clock } from '../../platform/kernel/clock.ts';
import type { Random } from '../../platform/kernel/random.ts';
import type { LockoutVerdict, RateRule, RateVerdict } from '../../platform/kernel/rates.ts';
import type { MailEntry, SuspensionEntry } from '../api/outbox.ts';
import type { BotCheckView } from '../api/views.ts';
import type { AccountAct, AccountState, PortalActor, TeamRole } from '../catalog/account-states.ts';
import type { Account, Destination } from './account.ts';

/** The interfaces of the stores and services that the portal's accounts need. Their implementations are in `lambdas/portal/adapters`. */

export interface Limits {
  /**
   * Counts an attempt.
   *
   * @param subject the account, address or name that is limited; stored as a digest only.
   * @throws StoreUnavailable
   */
  attempt(rule: RateRule, subject: string): Promise<RateVerdict>;
  /**
   * Counts a sign-in as failed before the password is checked; `signInSucceeded` clears the count. `failures`: the number of failures
   * before this sign-in.
   */
  signInBegins(subject: string): Promise<LockoutVerdict>;
  signInSucceeded(subject: string): Promise<void>;
}

/** The users of the developers' Cognito user pool, which holds the passwords. */
export interface Directory {
  /**
   * Makes the user of an account. If the user exists already, because the answer to an earlier call was lost, sets its password.
   *
   * @returns false where Cognito refuses the password.
   */
  create(accountId: string, password: string): Promise<boolean>;
  /** @param name an account ID, or an operator's e-mail address. An unknown name and a wrong password get the same answer. */
  signIn(name: string, password: string): Promise<DirectorySignIn>;
  setPassword(accountId: string, password: string): Promise<boolean>;
  /** Disables the user, who can no longer sign in. */
  disable(accountId: string): Promise<void>;
  /** Removes a user without an account; does nothing if the user is gone. */
  remove(accountId: string): Promise<void>;
  /** Reads an operator's names and e-mail address from the user pool, for the account that is made at the first sign-in. */
  describe(
    name: string,
  ): Promise<{ readonly firstName: string; readonly lastName: string; readonly email: string } | undefined>;
}

/** The operators among the users of the developers' user pool. */
export interface OperatorDirectory {
  /** Makes a user in the operators' group. @returns false where Cognito refuses the password. */
  create(
    accountId: string,
    person: { readonly firstName: string; readonly lastName: string; readonly email: string },
    password: string,
  ): Promise<boolean>;
  list(): Promise<readonly { readonly accountId: string; readonly name: string; readonly email: string }[]>;
  /** Removes a user from the group and disables them. */
  remove(accountId: string): Promise<void>;
}

export type DirectorySignIn =
  | { readonly kind: 'signed_in'; readonly user: DirectoryUser }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unavailable' };

export interface DirectoryUser {
  /** The pool's user name: the account's id. */
  readonly accountId: string;
  /** Member of the group `operators`. */
  readonly operator: boolean;
}

export interface BotCheck {
  offer(): Promise<BotCheckView>;
  check(answer: string, ip: string): Promise<BotCheckResult>;
}

/**
 * The result of a bot check. `failed`: the answer is wrong, expired or was used before. `use` marks the answer as used; it succeeds once.
 */
export type BotCheckResult =
  | { readonly kind: 'passed'; readonly use: () => Promise<boolean> }
  | { readonly kind: 'failed' }
  | { readonly kind: 'unavailable' };

/** A code that was sent, as the table has it. Times are seconds since 1970. */
export interface SentCode {
  /** Keyed digest of the code, its account and its purpose. The code itself is not stored. */
  readonly mac: string;
  readonly destination: Destination;
  readonly sentAt: number;
  readonly expiresAt: number;
  /** Number of tries so far, right or wrong. */
  readonly tries: number;
}

export type CodePurpose =
  | 'sign_up_email'
  | 'sign_up_phone'
  | 'sign_in'
  | 'password_reset'
  | 'change_email'
  | 'change_phone';

/** Identifies a code that matched, for the transaction that uses it up. */
export interface CodeUse {
  readonly owner: string;
  readonly purpose: CodePurpose;
  readonly code: SentCode;
}

/**
 * The store of verification codes: at most one live code for each owner and purpose. `owner`: an account ID, or a digest that replaces it
 * for an address without an account.
 */
export interface CodeStore {
  find(owner: string, purpose: CodePurpose): Promise<SentCode | undefined>;
  /**
   * Stores a new code in place of the previous one.
   *
   * @returns false where another code was sent after `notBefore`.
   */
  replace(owner: string, purpose: CodePurpose, code: SentCode, notBefore: number): Promise<boolean>;
  /**
   * Counts a try before the code is compared. At most `portalLimits.codeTries` tries are counted, concurrent ones included.
   *
   * @returns the code with this try counted; undefined if there is no code, it has expired, or its tries are used up.
   */
  attempt(owner: string, purpose: CodePurpose, nowSeconds: number): Promise<SentCode | undefined>;
  /**
   * Marks a time step of an authenticator app as used.
   *
   * @returns false where this step or a later one was used before.
   */
  useStep(accountId: string, step: number): Promise<boolean>;
  /**
   * Uses up a code.
   *
   * @returns false where the code was used or replaced meanwhile, or has expired.
   */
  use(use: CodeUse, nowSeconds: number): Promise<boolean>;
}

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

export interface Team {
  readonly teamId: string;
  readonly name: string;
  readonly members: number;
  /** Number of applications that are neither withdrawn nor revoked. */
  readonly applications: number;
  /** Number of invitations made so far. It never decreases, so an equal number means that no invitation was made meanwhile. */
  readonly invited: number;
}

export interface TeamMember {
  readonly accountId: string;
  readonly role: TeamRole;
  /** ISO 8601. */
  readonly joinedAt: string;
}

/** The role of a member who leaves a team or changes role, and the owner who remains. */
export interface TeamMembership {
  readonly role: TeamRole;
  /**
   * Another owner of the team. `promoted`: this change makes the member an owner. Absent where the account is not an owner, or is the
   * team's only member.
   */
  readonly remainingOwner?: { readonly accountId: string; readonly promoted: boolean };
}

export interface Invitation {
  readonly invitationId: string;
  /** SHA-256 (hex) of the token in the mail's link. */
  readonly tokenSha256: string;
  readonly teamId: string;
  readonly email: string;
  readonly invitedBy: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** A new account and the items that are created with it in one transaction. */
export interface AccountCreation {
  readonly account: Account;
  readonly event: AccountEvent;
  /** The account's own new team, or the invitation to an existing team. Undefined for a decoy, which has no team. */
  readonly joins:
    | { readonly kind: 'own_team'; readonly team: Team }
    | { readonly kind: 'invitation'; readonly invitation: Invitation }
    | undefined;
  /** Accounts that never proved the same address or user name: they are closed with this creation, and their users are removed. */
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

export interface TeamStore {
  find(teamId: string): Promise<Team | undefined>;
  members(teamId: string): Promise<readonly TeamMember[]>;
  invitations(teamId: string): Promise<readonly Invitation[]>;
  invitation(tokenSha256: string): Promise<Invitation | undefined>;
  /**
   * Adds an invitation. The caller has checked that `team`, as it was read, is not full; so the write fails if anybody has joined, left or
   * been invited since.
   *
   * @param owner ID of the account that must be an owner of the team.
   * @returns false if the team has changed, or the account is no longer an owner: nothing is written and no mail is sent.
   */
  invite(
    team: Pick<Team, 'members' | 'invited'>,
    invitation: Invitation,
    mail: MailEntry,
    owner: string,
  ): Promise<boolean>;
  /** @returns false where the team has no such invitation. */
  withdraw(teamId: string, invitationId: string, owner: string): Promise<boolean>;
}

/** A session as the table has it. Times are seconds since 1970. */
export interface StoredSession {
  readonly sessionId: string;
  /** `code`: a sign-in whose password was right and whose code has not been entered; nobody is signed in yet. */
  readonly kind: 'session' | 'code';
  readonly accountId: string;
  readonly role: 'developer' | 'operator';
  readonly epoch: number;
  readonly startedAt: number;
  readonly lastSeenAt: number;
  readonly secretsOpenUntil?: number;
}

export interface SessionStore {
  get(sessionId: string): Promise<StoredSession | undefined>;
  /** @param replaces ID of a session that ends when this one begins, even if it was rotated meanwhile. */
  begin(session: StoredSession, replaces?: string): Promise<void>;
  /**
   * Replaces a session by another.
   *
   * @returns false where the replaced session has ended or was rotated: nothing is written.
   */
  rotate(session: StoredSession, replaces: string): Promise<boolean>;
  /** Ends a session, even if it was rotated to another ID meanwhile. */
  end(sessionId: string): Promise<void>;
  isKnownBrowser(accountId: string, sha256: string, nowSeconds: number): Promise<boolean>;
  knowBrowser(accountId: string, sha256: string, expiresAt: number): Promise<void>;
}

/** Sends messages at once, apart from any transaction. Each returns false where the mail or text service did not accept the message. */
export interface Messages {
  mail(mail: MailEntry): Promise<boolean>;
  text(to: string, text: string): Promise<boolean>;
}

export interface DeveloperServices {
  /** Origin of the portal's pages, e.g. `https://developer.example.org`. */
  readonly origin: string;
  readonly signInVerification: 'never' | 'always' | 'risk';
  readonly accounts: AccountStore;
  readonly teams: TeamStore;
  readonly codes: CodeStore;
  readonly sessions: SessionStore;
  readonly directory: Directory;
  readonly botCheck: BotCheck;
  readonly limits: Limits;
  readonly messages: Messages;
  /** Computes a keyed digest of a text. The key never leaves KMS. */
  readonly mac: (text: string) => Promise<string>;
  readonly sha256Hex: (text: string) => string;
  /** Compares two digests in constant time. */
  readonly equal: (one: string, other: string) => boolean;
  /** One-time passwords of an authenticator app (RFC 6238), from key material in base64url. */
  readonly totp: {
    key(keyMaterial: string): string;
    code(keyMaterial: string, step: number): string;
  };
  /** Classifies a number in E.164: `refused` unless it is a number of the United States; a toll-free number receives no text messages. */
  readonly phoneKind: (e164: string) => 'personal' | 'toll_free' | 'refused';
  readonly random: Random;
  readonly now: Clock;
}
