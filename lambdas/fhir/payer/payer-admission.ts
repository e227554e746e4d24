/** Admission of another payer's application: its token, product, scope and verified organization. */

import type { BackendContext } from '../../catalog/oauth/authorizer-context.ts';
import { allowsSystemRead } from '../../catalog/oauth/system-scopes.ts';
import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import type { MatchStore } from './member-match-port.ts';

/** Refusals of an application, each with its reason in the audit. */
export const admissionReasons = {
  'invalid-token': 'token_expired',
  'product-missing': 'product_missing',
  'insufficient-scope': 'scope_insufficient',
  'organization-unverified': 'organization_unverified',
} as const;

export type AdmissionRefusal = keyof typeof admissionReasons;

/**
 * The verified identifiers of the application's organization as they are now, or why it is not admitted: 401 before 403.
 *
 * @param types resource types of which its scopes have to allow one.
 * @throws StoreUnavailable
 */
export async function admitPayer(
  { store, now }: { readonly store: Pick<MatchStore, 'organization'>; readonly now: () => number },
  { clientId, products, scope, tokenExpiresAt }: BackendContext,
  ...types: readonly string[]
): Promise<readonly OrganizationIdentifier[] | AdmissionRefusal> {
  if (!(tokenExpiresAt > now() / 1000)) return 'invalid-token';
  if (!products.includes('payer-access')) return 'product-missing';
  if (!types.some((type) => allowsSystemRead(scope, type))) return 'insufficient-scope';
  const organization = await store.organization(clientId);
  return organization === undefined || organization.length === 0 ? 'organization-unverified' : organization;
}
