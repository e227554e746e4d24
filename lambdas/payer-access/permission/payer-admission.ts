/** Admits another payer's application by its token, product, scope and verified organization. */

import type { BackendContext } from '../../catalog/oauth/authorizer-context.ts';
import { allowsSystemRead } from '../../catalog/oauth/system-scopes.ts';
import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import type { MatchStore, PayerCall } from './member-match-port.ts';

/** Refusals of an application, each with the reason in its audit event. */
const reasons = {
  'invalid-token': 'token_expired',
  'product-missing': 'product_missing',
  'insufficient-scope': 'scope_insufficient',
  'organization-unverified': 'organization_unverified',
} as const;

export type AdmissionRefusal = keyof typeof reasons;

export type PayerAdmission =
  /** `organization`: the current verified identifiers of the application's organization. */
  | { readonly kind: 'admitted'; readonly organization: readonly OrganizationIdentifier[] }
  | { readonly kind: 'refusal'; readonly refusal: AdmissionRefusal };

/**
 * Admits an application, or refuses it with 401 before 403. Refusals are recorded in the audit.
 *
 * @param types resource types; the application's scopes must allow one of them.
 * @throws StoreUnavailable
 */
export async function admitPayer(
  {
    store,
    now,
  }: {
    readonly store: Pick<MatchStore, 'organization' | 'recordRefusal'>;
    readonly now: () => number;
  },
  { clientId, products, scope, tokenExpiresAt }: BackendContext,
  call: PayerCall,
  ...types: readonly string[]
): Promise<PayerAdmission> {
  const refuse = async (refusal: AdmissionRefusal): Promise<PayerAdmission> => {
    await store.recordRefusal(call, reasons[refusal]);
    return { kind: 'refusal', refusal };
  };
  if (!(tokenExpiresAt > now() / 1000)) return await refuse('invalid-token');
  if (!products.includes('payer-access')) return await refuse('product-missing');
  if (!types.some((type) => allowsSystemRead(scope, type))) return await refuse('insufficient-scope');
  const organization = (await store.organization(clientId)) ?? [];
  return organization.length === 0
    ? await refuse('organization-unverified')
    : { kind: 'admitted', organization };
}
