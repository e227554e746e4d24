/** Checks a developer's or operator's password at sign-in. */

import { type PortalProblem, problem } from '../api/route-handler.ts';
import type { Account } from './account.ts';
import type { DirectoryUser } from './developer-directory-port.ts';
import type { DeveloperServices } from './developer-services.ts';

/** The result of checking a password. `failures`: number of failed sign-ins before this one. */
export type PasswordResult =
  | { readonly kind: 'right'; readonly user: DirectoryUser; readonly failures: number }
  | { readonly kind: 'wrong'; readonly failures: number }
  | PortalProblem;

/** Checks a developer's or operator's password at sign-in: counts the attempt, then asks the portal's user pool. */
export async function checkSignInPassword(
  services: Pick<DeveloperServices, 'directory' | 'limits'>,
  subject: string,
  name: string,
  password: string,
): Promise<PasswordResult> {
  const attempt = await services.limits.signInBegins(subject);
  if (attempt.kind === 'limited')
    return problem('too_many_requests', { retryAfter: attempt.retryAfterSeconds });
  const { failures } = attempt;
  const found = await services.directory.signIn(name, password);
  if (found.kind === 'unavailable') return problem('unavailable');
  return found.kind === 'refused'
    ? { kind: 'wrong', failures }
    : { kind: 'right', user: found.user, failures };
}

interface DecoyPasswordResult {
  readonly decoy: Account;
  readonly result: PasswordResult;
}

/**
 * Checks the password of each decoy of an address (docs/decisions/0023-decoy-accounts.md), so that the response time does not reveal
 * whether the address has an owner.
 */
export async function checkDecoyPasswords(
  services: Pick<DeveloperServices, 'directory' | 'limits'>,
  decoys: readonly Account[],
  { identifier, password }: { readonly identifier: string; readonly password: string },
): Promise<readonly DecoyPasswordResult[]> {
  const results = decoys.map(async (decoy): Promise<readonly DecoyPasswordResult[]> => {
    const { accountId } = decoy;
    if (decoy.state !== 'closed')
      return [{ decoy, result: await checkSignInPassword(services, accountId, accountId, password) }];
    if (decoy.firstDecoy !== true) return [];
    // A closed first decoy: the sign-in must look like a sign-in with an unused address.
    return [
      { decoy, result: await checkSignInPassword(services, identifier.toLowerCase(), identifier, password) },
    ];
  });
  return (await Promise.all(results)).flat();
}
