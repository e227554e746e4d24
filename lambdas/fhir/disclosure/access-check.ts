/** Decides whether a member's token and grant permit a call. */

import type { Interface } from '../../catalog/fhir/interfaces.ts';
import type { MemberContext } from '../../catalog/oauth/authorizer-context.ts';
import type { AccessGrant } from '../values/patient-compartment.ts';

export type AccessRefusal = 'invalid-token' | 'product-missing' | 'insufficient-scope';

/** Audit event's `reason` for each refusal. */
export const accessRefusalReasons: Readonly<Record<AccessRefusal, string>> = {
  'invalid-token': 'token_expired',
  'product-missing': 'product_missing',
  'insufficient-scope': 'scope_insufficient',
};

/**
 * Decides what a cached policy of the authorizer can't know, in the order of the answers' precedence: 401 before 403.
 *
 * @param product the interface that is called; an application subscribes to interfaces as products.
 * @param covered whether the granted scopes cover the request. @param seconds since 1970
 */
export function findAccessRefusal(
  product: Interface,
  context: MemberContext,
  covered: boolean,
  seconds: number,
): AccessRefusal | undefined {
  if (!(context.tokenExpiresAt > seconds)) return 'invalid-token';
  if (!context.products.includes(product)) return 'product-missing';
  return covered ? undefined : 'insufficient-scope';
}

/** The reason, as in the audit, for which a grant gives no access; undefined for an active grant of this application. */
export function inactiveGrantReason(
  grant: AccessGrant | undefined,
  clientId: string,
  seconds: number,
): string | undefined {
  if (grant === undefined) return 'grant_missing';
  if (grant.clientId !== clientId) return 'grant_of_another_client';
  if (grant.state !== 'active') return `grant_${grant.state}`;
  return grant.expiresAt > seconds ? undefined : 'grant_expired';
}
