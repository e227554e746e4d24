import { type PortalProblem, problem } from '../api/route-handler.ts';
import type { Account } from './account.ts';
import type { DeveloperServices, DirectoryUser } from './services.ts';

/** The result of trying a password. `failures`: how many there were before. */
export type Proof =
  | { readonly kind: 'right'; readonly user: DirectoryUser; readonly failures: number }
  | { readonly kind: 'wrong'; readonly failures: number }
  | PortalProblem;

/** Counts the attempt, and asks whether the password is right. */
export async function prove(
  services: DeveloperServices,
  subject: string,
  name: string,
  password: string,
): Promise<Proof> {
  const attempt = await services.limits.signInBegins(subject);
  if (!attempt.allowed) return problem('too_many_requests', { retryAfter: attempt.retryAfterSeconds });
  const { failures } = attempt;
  const found = await services.directory.signIn(name, password);
  if (found.kind === 'unavailable') return problem('unavailable');
  return found.kind === 'refused'
    ? { kind: 'wrong', failures }
    : { kind: 'right', user: found.user, failures };
}

/**
 * Whoever signed up with an address that somebody has is signed in by it and their own password, as with any other address: a
 * refusal would tell that it is taken. Where both have the same password, the address is its owner's. Of several sign-ups the first and
 * the newest are found, as where the first has the address.
 */
export async function decoysNamed(
  { accounts }: DeveloperServices,
  identifier: string,
): Promise<readonly Account[]> {
  if (!identifier.includes('@')) return [];
  const [first, newest] = await Promise.all([
    accounts.findFirstDecoy(identifier),
    accounts.findDecoy(identifier),
  ]);
  // One that was proven since has the address, and is no decoy any more.
  return [first, newest].filter((found) => found?.decoy === true) as readonly Account[];
}

interface DecoyProof {
  readonly decoy: Account;
  readonly proof: Proof;
}

export async function proveDecoys(
  services: DeveloperServices,
  decoys: readonly Account[],
  { identifier, password }: { readonly identifier: string; readonly password: string },
): Promise<readonly DecoyProof[]> {
  const proofs = decoys.map(async (decoy): Promise<readonly DecoyProof[]> => {
    const { accountId } = decoy;
    if (decoy.state !== 'closed')
      return [{ decoy, proof: await prove(services, accountId, accountId, password) }];
    if (decoy.firstDecoy !== true) return [];
    // It has ended, and the address is nobody's as far as can be told from outside.
    return [{ decoy, proof: await prove(services, identifier.toLowerCase(), identifier, password) }];
  });
  return (await Promise.all(proofs)).flat();
}
