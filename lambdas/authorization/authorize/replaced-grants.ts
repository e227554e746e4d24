/** Selects the earlier grants of an application that a new consent ends. */

import { sharedCategories } from '../../catalog/fhir/sensitive-categories.ts';
import { includesScope, parseDataScope } from '../../catalog/oauth/scopes.ts';

/** Reason in the audit of a grant that ended because the member consented to less. */
export const consentReplaced = 'consent_replaced';

/** The fields of an earlier grant that the rule needs. */
export interface EarlierGrant {
  readonly grantId: string;
  readonly clientId: string;
  /** The account that consented. */
  readonly sub: string;
  readonly scope: string;
  readonly state: 'pending' | 'active' | 'revoked';
  /** Seconds since 1970; for a pending grant, the end of its code. */
  readonly expiresAt: number;
}

/**
 * Selects the earlier grants that go beyond the new consent: in data, in a sensitive category, or in time. They end, so that the consent
 * page states what is shared. Grants within the consent stay, so that a second device of the same application keeps its access. A pending
 * grant ends always. A consent without data (sign-in only) ends nothing.
 *
 * @param consent the new consent; `expiresAt` in seconds since 1970.
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
