import type { MemberContext } from '../catalog/authorizer-context.ts';
import type { Grant } from './ports.ts';

/**
 * What every use of a member's data is decided by, whether it reads or searches: the token as it is now, and the grant as it
 * stands now.
 */

export type Forbidden = 'invalid-token' | 'product-missing' | 'insufficient-scope';

/** As the audit says it. */
export const forbiddenReasons: Readonly<Record<Forbidden, string>> = {
  'invalid-token': 'token_expired',
  'product-missing': 'product_missing',
  'insufficient-scope': 'scope_insufficient',
};

/**
 * What a cached policy can't know, in the order of the answers' precedence: 401 before 403.
 *
 * @param seconds since 1970.
 * @param allowed whether the token's scope covers the interaction.
 */
export function forbidden(context: MemberContext, seconds: number, allowed: boolean): Forbidden | undefined {
  if (!(context.tokenExpiresAt > seconds)) return 'invalid-token';
  if (!context.products.includes('patient-access')) return 'product-missing';
  return allowed ? undefined : 'insufficient-scope';
}

/**
 * Why a grant gives nothing any more, as the audit says it; undefined for a living one of this application.
 *
 * @param seconds since 1970.
 */
export function deadGrant(grant: Grant | undefined, clientId: string, seconds: number): string | undefined {
  if (grant === undefined) return 'grant_missing';
  if (grant.clientId !== clientId) return 'grant_of_another_client';
  if (grant.state !== 'active') return `grant_${grant.state}`;
  return grant.expiresAt > seconds ? undefined : 'grant_expired';
}
