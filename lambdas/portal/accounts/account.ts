/** The portal account of a developer or operator, its states, and the step its owner must take next. */

import type { AccountView, NextStep } from '../api/views.ts';
import {
  type AccountAct,
  type AccountState,
  accountTransitions,
  type DeveloperType,
  developerTypes,
  type PortalTransition,
} from '../catalog/account-states.ts';

/** An account as it is stored in the portal's table. Its password is in Cognito, under the user name `accountId`. */
export interface Account {
  readonly accountId: string;
  /** Increases with each change; a change is written only if the version is still the one that was read. */
  readonly version: number;
  readonly state: AccountState;
  readonly role: 'developer' | 'operator';
  /** Absent for operators. */
  readonly developerType?: DeveloperType;
  readonly firstName: string;
  readonly lastName: string;
  /** E-mail address as typed; unique in its lowercase form. */
  readonly email: string;
  /** E.164. */
  readonly phone?: string;
  /** Whether a code sent to the phone was entered. */
  readonly phoneVerified: boolean;
  readonly username?: string;
  readonly company: string;
  readonly teamId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly termsVersion?: string;
  readonly termsAcceptedAt?: string;
  /** Fields given at sign-up, without passwords. */
  readonly signUp: Readonly<Record<string, unknown>>;
  /** Number of times that all sessions were ended. Sessions of an older epoch have ended. */
  readonly sessionEpoch: number;
  /**
   * Set while a new password is being set: until this time (seconds since 1970) nobody can sign in, because either password may be the
   * valid one. Removed once the new password is set; if Cognito's answer is lost, the time passes.
   */
  readonly passwordChangesUntil?: number;
  /**
   * Whether the account is a decoy: made for a sign-up with an address that somebody else's account has. Seen from outside it is like any
   * other account, but it has no claim to the address. As long as nobody has proven the address, the decoy's codes are real, and the first
   * account whose code is entered gets the address. If the address has a proven owner, no code of the decoy is right.
   */
  readonly decoy: boolean;
  /** The first decoy of an address with a proven owner. Other sign-ups treat it as if it held the address (`email-claims.ts`). */
  readonly firstDecoy?: true;
  /** An operator's authenticator app: the text its key is derived from, and the time it was set up, ISO 8601. */
  readonly authenticator?: { readonly enrollment: string; readonly since: string };
  /** Time of its entry into the operators' queue, ISO 8601. */
  readonly queuedSince?: string;
}

/** Finds the transition of an act from the account's state; undefined if the state table has none for this kind of account. */
export function edgeOf(
  act: AccountAct,
  account: Pick<Account, 'state' | 'developerType'>,
): { readonly to: AccountState } | undefined {
  const edge: PortalTransition<AccountState> = accountTransitions[act];
  if (!edge.from.includes(account.state) || !isForKind(act, account.developerType)) return undefined;
  return { to: edge.to };
}

const organizationActs: readonly AccountAct[] = [
  'verify_organization_email',
  'accept_organization_terms',
  'verify_organization',
  'refuse_organization',
];
const individualActs: readonly AccountAct[] = ['verify_email', 'accept_terms'];

/** Checks the state table's conditions "a payer or brokerage entity" and "an individual developer, or the older form". */
function isForKind(act: AccountAct, developerType: DeveloperType | undefined): boolean {
  const organization = developerType !== undefined && developerTypes[developerType].organization;
  if (organizationActs.includes(act)) return organization;
  return individualActs.includes(act) ? !organization : true;
}

export function isOrganization({ developerType }: Pick<Account, 'developerType'>): boolean {
  return developerType !== undefined && developerTypes[developerType].organization;
}

export function fullName({ firstName, lastName }: Pick<Account, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`;
}

const nextSteps: Readonly<Record<AccountState, NextStep>> = {
  pending_email: 'verify_email',
  pending_phone: 'verify_phone',
  pending_terms: 'accept_terms',
  pending_verification: 'await_verification',
  active: 'none',
  locked: 'none',
  suspended: 'none',
  closed: 'none',
};

/**
 * Finds the next step of the account's owner.
 *
 * @param currentTerms the version of the Terms of Use in force; an owner who accepted an older version must accept this one.
 */
export function nextStepOf(account: Account, currentTerms: string): NextStep {
  const outdated = account.role === 'developer' && account.termsVersion !== currentTerms;
  if (account.state === 'active' && outdated) return 'accept_terms';
  return nextSteps[account.state];
}

export function accountView(
  account: Account,
  currentTerms: string,
  role: Account['role'] = account.role,
): AccountView {
  const { phone, username, developerType, termsVersion } = account;
  const sentTo = codeDestination(account);
  return {
    accountId: account.accountId,
    version: account.version,
    state: account.state,
    nextStep: nextStepOf(account, currentTerms),
    role,
    ...(developerType === undefined ? {} : { developerType }),
    firstName: account.firstName,
    lastName: account.lastName,
    email: account.email,
    ...(phone === undefined ? {} : { phone: account.state === 'active' ? phone : phone.slice(-4) }),
    ...(username === undefined ? {} : { username }),
    company: account.company,
    teamId: account.teamId,
    ...(sentTo === undefined ? {} : { codeSentTo: maskedDestination(sentTo) }),
    createdAt: account.createdAt,
    ...(termsVersion === undefined ? {} : { termsVersion }),
    ...(account.authenticator === undefined ? {} : { authenticatorSince: account.authenticator.since }),
  };
}

/** The destination of the code that the sign-up of an account waits for; undefined if it waits for none. */
export function codeDestination(account: Account): Destination | undefined {
  if (account.state === 'pending_email') return { channel: 'email', to: account.email };
  if (account.state !== 'pending_phone' || account.phone === undefined) return undefined;
  return { channel: 'sms', to: account.phone };
}

export type ContactChannel = 'email' | 'sms';

export interface Destination {
  readonly channel: ContactChannel;
  /** An e-mail address, or a number in E.164. */
  readonly to: string;
}

/** Masks a destination so that only its owner recognizes it: `d•••@example.org`, `•••• 0123`. */
export function maskedDestination({ channel, to }: Destination): string {
  if (channel === 'sms') return `•••• ${to.slice(-4)}`;
  return `${to.slice(0, 1)}•••${to.slice(to.lastIndexOf('@'))}`;
}
