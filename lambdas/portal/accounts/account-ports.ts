import type { Clock } from '../../platform/kernel/clock.ts';
import type { Random } from '../../platform/kernel/random.ts';
import type { LockoutVerdict, RateRule, RateVerdict } from '../../platform/kernel/rates.ts';
import type { MailEntry, SuspensionEntry } from '../api/outbox.ts';
import type { BotCheckView } from '../api/views.ts';
import type { AccountAct, AccountState, PortalActor, TeamRole } from '../catalog/account-states.ts';
import type { Account, Destination } from './account.ts';

/** The services the portal's accounts need from outside. Adapters: `lambdas/portal/adapters`. */

export interface Limits {
  /** Counts an attempt. @param subject kept as a digest only. @throws StoreUnavailable */
  attempt(rule: RateRule, subject: string): Promise<RateVerdict>;
  /** Counts a sign-in before it is made, as failed until `signInSucceeded`. `failures`: how many there were before. */
  signInBegins(subject: string): Promise<LockoutVerdict>;
  signInSucceeded(subject: string): Promise<void>;
}

/** Passwords, in the developers' user pool. */
export interface Directory {
  /**
   * Makes the user of an account, or sets the password of the one that a lost answer left.
   *
   * @returns false where Cognito refuses the password.
   */
  create(accountId: string, password: string): Promise<boolean>;
  /** @param name an account id, or an operator's e-mail address. Unknown and wrong look alike. */
  signIn(name: string, password: string): Promise<DirectorySignIn>;
  setPassword(accountId: string, password: string): Promise<boolean>;
  /** Disables the user: nobody signs in with it any more. */
  disable(accountId: string): Promise<void>;
  /** Removes a user without an account; does nothing if the user is gone. */
  remove(accountId: string): Promise<void>;
  /** Reads an operator from the pool, who has no account before the first sign-in. */
  describe(
    name: string,
  ): Promise<{ readonly firstName: string; readonly lastName: string; readonly email: string } | undefined>;
}

/** The operators, in the same pool. */
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

/** `failed`: the answer is wrong, too old or used. `use` counts an answer, once. */
export type BotCheckResult =
  | { readonly kind: 'passed'; readonly use: () => Promise<boolean> }
  | { readonly kind: 'failed' }
  | { readonly kind: 'unavailable' };

/** A code that was sent, as the table has it. Times are seconds since 1970. */
export interface SentCode {
  /** Keyed digest of the code, its account and its purpose: the table holds no code. */
  readonly mac: string;
  readonly destination: Destination;
  readonly sentAt: number;
  readonly expiresAt: number;
  /** Codes that were typed so far, right or wrong. */
  readonly tries: number;
}

export type CodePurpose =
  | 'sign_up_email'
  | 'sign_up_phone'
  | 'sign_in'
  | 'password_reset'
  | 'change_email'
  | 'change_phone';

/** Identifies a code that matched, for the write that uses it. */
export interface CodeUse {
  readonly owner: string;
  readonly purpose: CodePurpose;
  readonly code: SentCode;
}

/** One live code for each owner and purpose. `owner`: an account's ID, or a substitute for an address without an account. */
export interface CodeStore {
  find(owner: string, purpose: CodePurpose): Promise<SentCode | undefined>;
  /** @returns false where another was sent after `notBefore`. */
  replace(owner: string, purpose: CodePurpose, code: SentCode, notBefore: number): Promise<boolean>;
  /**
   * Counts a try before the code is compared. Of concurrent tries no more than `portalLimits.codeTries` are counted.
   *
   * @returns the code with this try counted; undefined if there is none, it has expired, or its tries are used up.
   */
  attempt(owner: string, purpose: CodePurpose, nowSeconds: number): Promise<SentCode | undefined>;
  /** Uses a time step of an authenticator app. @returns false where it, or a later one, was used before. */
  useStep(accountId: string, step: number): Promise<boolean>;
  /** Uses a code. @returns false where it was used or replaced meanwhile, or has expired. */
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

/** Changes of an account that leave its state as it is; the timeline shows them. */
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
  /** Number of invitations made so far: as long as it is the same, none was made in between. */
  readonly invited: number;
}

export interface TeamMember {
  readonly accountId: string;
  readonly role: TeamRole;
  /** ISO 8601. */
  readonly joinedAt: string;
}

/** The role of a member who leaves a team, and who remains its owner. */
export interface TeamMembership {
  readonly role: TeamRole;
  /** Another owner; `promoted`: one who becomes it by this. Absent where a member leaves, or nobody else is in the team. */
  readonly remainingOwner?: { readonly accountId: string; readonly promoted: boolean };
}

export interface Invitation {
  readonly invitationId: string;
  /** SHA-256 (hex) of the token the mail carries. */
  readonly tokenSha256: string;
  readonly teamId: string;
  readonly email: string;
  readonly invitedBy: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** A new account, and what comes with it in one transaction. */
export interface AccountCreation {
  readonly account: Account;
  readonly event: AccountEvent;
  /** A team of its own, or the invitation by which it joins one. A decoy has neither. */
  readonly joins:
    | { readonly kind: 'own_team'; readonly team: Team }
    | { readonly kind: 'invitation'; readonly invitation: Invitation }
    | undefined;
  /** Accounts whose unproven claim to the address or user name ends with this account; their users are removed. */
  readonly supersedes: readonly Account[];
  /** Ids of accounts that have ended, whose place among the decoys this takes. */
  readonly follows?: readonly string[];
  /** The ID from `awaitUser`: the user is not removed any more. */
  readonly user?: string;
}

export type CreationResult = 'created' | 'taken' | 'invitation_invalid';

/** A change of the account that was read, with all that belongs to it, in one transaction. */
export interface AccountChange {
  readonly account: Account;
  /** The account after the change. Members that are `undefined` are removed. */
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
  /** The account that must be an owner of the team for this. */
  readonly owner?: string;
  /** Accounts whose unproven claim to its address ends with this; their users are removed. */
  readonly supersedes?: readonly Account[];
  readonly mails?: readonly MailEntry[];
  /** Applications that are suspended with it. */
  readonly suspensions?: readonly SuspensionEntry[];
  /** The account because of which nothing else is suspended: it must be active and of this team still. */
  readonly remains?: Pick<Account, 'accountId' | 'teamId'>;
}

export interface AccountStore {
  find(accountId: string): Promise<Account | undefined>;
  findByEmail(email: string): Promise<Account | undefined>;
  /** The first decoy of an address. */
  findFirstDecoy(email: string): Promise<Account | undefined>;
  /** The newest sign-up with an address that somebody else, or an earlier sign-up, has. */
  findDecoy(email: string): Promise<Account | undefined>;
  findByUsername(username: string): Promise<Account | undefined>;
  /** Schedules the removal of a user that is about to be made; `create` cancels it. @returns the ID for `create` */
  awaitUser(accountId: string): Promise<string>;
  /** @throws StoreUnavailable where it is too late: its user is removed. */
  create(creation: AccountCreation): Promise<CreationResult>;
  /** Writes a change, then sends its mails. @returns false where the account, its code or its team has changed since it was read. */
  change(change: AccountChange): Promise<boolean>;
  /** The new password is set: its owner may sign in at once. Does nothing if the account's sessions were ended since. */
  passwordHolds(account: Pick<Account, 'accountId' | 'sessionEpoch'>): Promise<void>;
  /** Writes an operator's account, at the first sign-in or already closed; keeps an existing one. */
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
   * Adds an invitation. The room was counted for the team as it was read, so nobody may have joined, left or been invited since.
   *
   * @param owner account that must be an owner of the team. @returns false if the team has changed, or the account is no owner any more:
   * nothing is written and no mail sent.
   */
  invite(
    team: Pick<Team, 'members' | 'invited'>,
    invitation: Invitation,
    mail: MailEntry,
    owner: string,
  ): Promise<boolean>;
  /** @returns false where there is none. */
  withdraw(teamId: string, invitationId: string, owner: string): Promise<boolean>;
}

/** A session as the table has it. Times are seconds since 1970. */
export interface StoredSession {
  readonly sessionId: string;
  /** `code`: the password was right and the code is due; nobody is signed in yet. */
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
  /** @param replaces a session that ends with this, as it is by now. */
  begin(session: StoredSession, replaces?: string): Promise<void>;
  /** Replaces a session by another. @returns false where that one has ended or was rotated: nothing is written. */
  rotate(session: StoredSession, replaces: string): Promise<boolean>;
  /** Ends a session, or what it was rotated to since. */
  end(sessionId: string): Promise<void>;
  isKnownBrowser(accountId: string, sha256: string, nowSeconds: number): Promise<boolean>;
  knowBrowser(accountId: string, sha256: string, expiresAt: number): Promise<void>;
}

/** A message that is sent at once and belongs to no change. @returns false where it could not be handed over. */
export interface Messages {
  mail(mail: MailEntry): Promise<boolean>;
  text(to: string, text: string): Promise<boolean>;
}

export interface DeveloperServices {
  /** The portal's origin. */
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
  /** Keyed digest of a text, by a key that never leaves its service. */
  readonly mac: (text: string) => Promise<string>;
  readonly sha256Hex: (text: string) => string;
  /** Compares in constant time. */
  readonly equal: (one: string, other: string) => boolean;
  /** One-time passwords of an authenticator app (RFC 6238), of key material in base64url. */
  readonly totp: {
    key(keyMaterial: string): string;
    code(keyMaterial: string, step: number): string;
  };
  /** The kind of a number in E.164: of the United States, and whether a text can reach it. */
  readonly phoneKind: (e164: string) => 'personal' | 'toll_free' | 'refused';
  readonly random: Random;
  readonly now: Clock;
}
