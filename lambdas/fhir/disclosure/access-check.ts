/** Decides whether a member's token and grant permit a call. */

import type { Interface } from '../../catalog/fhir/interfaces.ts';
import type { MemberContext } from '../../catalog/oauth/authorizer-context.ts';
import type { AccessGrant } from '../values/patient-compartment.ts';

export type AccessRefusal = 'invalid-token' | 'product-missing' | 'insufficient-scope';

/** The `reason` in the audit event of each refusal. */
export const accessRefusalReasons: Readonly<Record<AccessRefusal, string>> = {
  'invalid-token': 'token_expired',
  'product-missing': 'product_missing',
  'insufficient-scope': 'scope_insufficient',
};

/**
 * Makes the checks that the authorizer's cached policy can't make, in the order of their status codes: 401 before 403.
 *
 * @param product the interface that is called; an application subscribes to interfaces as products.
 * @param covered whether the granted scopes cover the request.
 * @param seconds since 1970
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

/** The audit event's reason for refusing a grant; undefined for an active grant of this application. */
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
