/** Portal account of a developer or operator, and its state. */

import type { AccountView, NextStep } from '../api/views.ts';
import {
  type AccountAct,
  type AccountState,
  accountTransitions,
  type DeveloperType,
  developerTypes,
  type PortalTransition,
} from '../catalog/account-states.ts';

/** An account as the portal's table has it. Its password is Cognito's, under the user name `accountId`. */
export interface Account {
  readonly accountId: string;
  /** Grows with each change; a change is written only on the version that was read. */
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
  /** Sessions of an older epoch have ended. */
  readonly sessionEpoch: number;
  /**
   * A new password is being set: until this time (seconds since 1970) nobody signs in, because it is unknown which password holds. Removed
   * once the new one holds; if that answer is lost, it expires.
   */
  readonly passwordChangesUntil?: number;
  /**
   * A decoy: made for a sign-up with an address that somebody has. It looks like any other account from outside and has no claim to the
   * address. While nobody has proven the address its codes are real, and whoever enters one first gets the address; beside a proven owner
   * no code is right.
   */
  readonly decoy: boolean;
  /** The first decoy beside an owner: it follows the rules of a holder (`email-claims.ts`). */
  readonly firstDecoy?: true;
  /** An operator's authenticator app: what its key is derived from, and since when, ISO 8601. */
  readonly authenticator?: { readonly enrollment: string; readonly since: string };
  /** Time of its entry into the operators' queue, ISO 8601. */
  readonly queuedSince?: string;
}

/** An act's edge from where an account stands, if the table has it for an account of its kind. */
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

/** The table's conditions "a payer or brokerage entity" and "an individual developer, or the older form". */
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

/** @param currentTerms the version of the Terms of Use in force: who accepted an older one is asked again. */
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

/** The destination of the code that a sign-up awaits. */
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
