/** Rule of the member's latest choice: which earlier grants of an application a new consent ends. */

import { sharedCategories } from '../../catalog/fhir/sensitive-categories.ts';
import { includesScope, parseDataScope } from '../../catalog/oauth/scopes.ts';

/** Reason of a grant that ended because the member consented to less. */
export const consentReplaced = 'consent_replaced';

/** A grant that can still be used, as far as the rule needs it. */
export interface EarlierGrant {
  readonly grantId: string;
  readonly clientId: string;
  /** The account that consented. */
  readonly sub: string;
  readonly scope: string;
  readonly state: 'pending' | 'active' | 'revoked';
  /** Seconds since 1970; of a pending grant the end of its code. */
  readonly expiresAt: number;
}

/**
 * Selects the earlier grants that go beyond what the consent page says: in data, in a sensitive category, or in time. They end, so that the page
 * is true. Others live on: a second device of the same application keeps its access. A sign-in without data says nothing of data. A code
 * of before that isn't redeemed counts no longer.
 *
 * @param consent what is shared now; `expiresAt` in seconds since 1970.
 */
export function replacedGrants(
  earlier: readonly EarlierGrant[],
  consent: Pick<EarlierGrant, 'clientId' | 'sub' | 'scope' | 'expiresAt'>,
): readonly EarlierGrant[] {
  const shares = (scope: string) => scope.split(' ').filter((token) => parseDataScope(token) !== undefined);
  if (shares(consent.scope).length === 0) return [];
  const categories = sharedCategories(consent.scope);
  const exceeds = ({ scope, state, expiresAt }: EarlierGrant) =>
    state === 'pending' ||
    expiresAt > consent.expiresAt ||
    shares(scope).some((token) => !includesScope(consent.scope, token)) ||
    [...sharedCategories(scope)].some((category) => !categories.has(category));
  return earlier.filter(
    (grant) =>
      grant.clientId === consent.clientId &&
      grant.sub === consent.sub &&
      shares(grant.scope).length > 0 &&
      exceeds(grant),
  );
}
