/** Verifies that an ID token answers the authentication request, and finds the member ID in it. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { federatedSubject, type IdentityProvider } from '../../catalog/oauth/identity-providers.ts';
import type { Digests } from '../../platform/kernel/digests.ts';
import type { AuthenticationRequest } from '../authorize/interaction.ts';
import type { ProviderIdentity } from './provider-client.ts';

/**
 * Links an account at the plan's identity provider to the member that its claim names. `member_unknown`: the LOB has no such member, or the
 * member was withdrawn. `other_member`: the account is linked to another Patient; a link is never moved.
 */
export type LinkFederatedAccount = (
  lob: LineOfBusiness,
  account: { readonly sub: string; readonly memberId: string; readonly displayName: string },
) => Promise<'linked' | 'member_unknown' | 'other_member'>;

/** An account that a provider authenticated, before its member is looked up. */
export interface FederatedAccount {
  readonly sub: string;
  readonly memberId: string;
  readonly displayName: string;
}

/** Maximum difference between the clocks of the provider and of this service, seconds. */
const clockToleranceSeconds = 60;

/** Form of member identifiers in loads (`ingest-contract.ts`). */
const memberIdPattern = /^[A-Z0-9]{6,20}$/;

/**
 * Whether a verified ID token answers the authentication request: issued after the request, with an authentication no older than `max_age`,
 * in one of the configured contexts (`acr`).
 *
 * @param now seconds since 1970
 */
export function answersRequest(
  identity: ProviderIdentity,
  provider: IdentityProvider,
  { issuer, startedAt, maxAge }: AuthenticationRequest,
  now: number,
): boolean {
  if (identity.issuer !== issuer || provider.issuer !== issuer) return false;
  if (identity.issuedAt > now + clockToleranceSeconds) return false;
  if (identity.issuedAt < startedAt - clockToleranceSeconds) return false;
  const { authTime, acr } = identity;
  if (authTime !== undefined && authTime > now + clockToleranceSeconds) return false;
  if (
    maxAge !== undefined &&
    (authTime === undefined || authTime < startedAt - maxAge - clockToleranceSeconds)
  )
    return false;
  if (provider.acrValues.length === 0) return true;
  return acr !== undefined && provider.acrValues.includes(acr);
}

/**
 * The account of an identity.
 *
 * @returns undefined if its claim is no member ID.
 */
export function federatedAccountOf(
  identity: ProviderIdentity,
  digests: Digests,
): FederatedAccount | undefined {
  const memberId = identity.memberId?.trim().toUpperCase();
  if (memberId === undefined || !memberIdPattern.test(memberId)) return undefined;
  const sub = federatedSubject(identity, digests.sha256Base64Url);
  return { sub, memberId, displayName: identity.name ?? memberId };
}
