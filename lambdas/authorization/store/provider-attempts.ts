/** Conditions on an interaction whose member signs in at the plan's identity provider. */

import type { InteractionTransition, ProviderProof } from '../authorize/authorization-store-port.ts';

/** The condition that an answer belongs to the sign-in at the provider that is under way: each answer counts once. */
export function ofAttempt(provider: ProviderProof | undefined): {
  readonly condition: string;
  readonly values: Readonly<Record<string, string>>;
} {
  if (provider === undefined) return { condition: '', values: {} };
  return { condition: ' AND providerAttempt.sha256 = :attempt', values: { ':attempt': provider.attempt } };
}

/** Time of the sign-in: the authentication at the provider, or now. Seconds since 1970. */
export function authTimeOf({ now, provider }: Pick<InteractionTransition, 'now' | 'provider'>): number {
  return provider?.authTime ?? now;
}
