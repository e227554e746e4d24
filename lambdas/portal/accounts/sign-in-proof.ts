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
    // A closed first decoy: the sign-in must look like one with a free address.
    return [{ decoy, proof: await prove(services, identifier.toLowerCase(), identifier, password) }];
  });
  return (await Promise.all(proofs)).flat();
}
