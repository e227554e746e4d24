/** The session of a member at the connected apps, and the patients whose data the account may share. */

import type { Clock } from '../../platform/kernel/clock.ts';
import type { Digests } from '../../platform/kernel/digests.ts';
import type { BrowserRequest } from '../authorize/browser-request.ts';
import { connectedAppsSessionId, secretOf } from '../authorize/connected-apps-session.ts';
import type { SignInStore } from '../authorize/sign-in-store-port.ts';
import type { AccessiblePatient, AuthenticatedAccount, FindActiveAccount } from '../oauth/member-account.ts';

interface SessionServices {
  readonly signIns: Pick<SignInStore, 'session'>;
  readonly digests: Digests;
  readonly now: Clock;
  readonly findActiveAccount: FindActiveAccount;
}

/** A session of an active account, with the patients that the account may share now. */
export interface OpenSession extends AuthenticatedAccount {
  readonly secret: string;
}

/** Finds the session of this browser; undefined if there is none, it is over, or the account is not active. */
export async function sessionOf(
  { signIns, digests, now, findActiveAccount }: SessionServices,
  { cookies, lob }: BrowserRequest,
): Promise<OpenSession | undefined> {
  const secret = secretOf(cookies, 'session', lob);
  if (secret === undefined) return undefined;
  const session = await signIns.session(lob, connectedAppsSessionId(secret, digests));
  if (session === undefined || session.expiresAt <= now() / 1000) return undefined;
  const account = await findActiveAccount(lob, session.member);
  return account === undefined ? undefined : { secret, ...account };
}

/** The patient named by a form or an address, if the account may share their data; the account's first patient if none is named. */
export function patientNamed(
  { patients }: OpenSession,
  patientId: string | undefined,
): AccessiblePatient | undefined {
  return patientId === undefined ? patients[0] : patients.find((each) => each.patientId === patientId);
}

/** The name of the person who is signed in. */
export function holderName({ patients: [first] }: OpenSession): string {
  return first?.representative?.name ?? first?.displayName ?? '';
}
