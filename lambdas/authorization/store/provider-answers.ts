/** Conditions on an interaction during a sign-in at the plan's identity provider. */

import type { InteractionTransition, ProviderProof } from '../authorize/authorization-store-port.ts';

/**
 * The condition that a provider's answer belongs to the interaction's open authentication request, so that each answer is accepted once.
 */
export function ofAuthenticationRequest(provider: ProviderProof | undefined): {
  readonly condition: string;
  readonly values: Readonly<Record<string, string>>;
} {
  if (provider === undefined) return { condition: '', values: {} };
  return {
    condition: ' AND providerAttempt.sha256 = :request',
    values: { ':request': provider.requestSha256 },
  };
}

/** Time of the sign-in, seconds since 1970: of the authentication at the provider, or now. */
export function authTimeOf({ now, provider }: Pick<InteractionTransition, 'now' | 'provider'>): number {
  return provider?.authTime ?? now;
}
