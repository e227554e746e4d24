/** Decides which requested scopes an application can be granted. */

import type { Interface } from '../../catalog/fhir/interfaces.ts';
import { sensitiveScope, sharedCategories } from '../../catalog/fhir/sensitive-categories.ts';
import {
  type DataScope,
  formatDataScope,
  identityScopes,
  includesScope,
  parseDataScope,
  resourceTypes,
} from '../../catalog/oauth/scopes.ts';

/** Form of a `scope-token` (RFC 6749 section 3.3). */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
const longestScope = 2_000;

/**
 * Selects the requested scopes that an application can be granted, if the member consents.
 *
 * It selects no scope that was not requested, and no data beyond the application's products. Unknown scopes are left out (OpenID Connect
 * Core section 3.1.2.1), and `scope` in the response tells the application. Without a scope, or with `openid` alone (docs/service.md S6.1),
 * the application's default applies: reading all types that its products serve (RFC 6749 section 3.3 allows a default). Any other request
 * without data scopes is a sign-in only, such as `openid fhirUser`.
 *
 * @param asked the `scope` parameter, undefined if there was none.
 * @returns the scopes, space-separated; undefined if none of the requested can be granted.
 */
export function grantableScope(
  asked: string | undefined,
  products: readonly Interface[],
): string | undefined {
  const tokens = (asked ?? '').split(' ').filter((token) => token !== '');
  if ((asked?.length ?? 0) > longestScope || !tokens.every((token) => scopeToken.test(token)))
    return undefined;
  const served = resourceTypes(products);
  if (served.length === 0) return undefined;
  const identity = grantableIdentity(tokens);
  const asksData = tokens.some((token) => /^(patient|user|system)\//.test(token));
  const data = tokens.every((token) => token === 'openid')
    ? served.map((resourceType) => formatDataScope({ context: 'patient', resourceType, permission: 'read' }))
    : tokens.flatMap((token) => grantableData(token, served));
  const enough = data.length > 0 || (!asksData && identifiesMember(identity));
  return enough ? [...new Set([...identity, ...data])].join(' ') : undefined;
}

/** Whether a grant without data is useful: it tells the application who signed in, or the Patient ID. */
export function identifiesMember(scopes: readonly string[]): boolean {
  return scopes.includes('openid') || scopes.includes('launch/patient');
}

/**
 * The scope of a refreshed access token (RFC 6749 section 6): the granted part of the requested scope. An application may repeat the scope
 * of its authorization request even if the member granted less; `scope` in the response tells it (section 3.3).
 *
 * @param requested the `scope` of the authorization request.
 * @param asked the `scope` of the refresh; undefined if there is none.
 * @returns undefined if a scope was never requested before, or none of the scopes was granted.
 */
export function refreshedScope(
  granted: string,
  requested: string | undefined,
  asked: string | undefined,
): string | undefined {
  if (asked === undefined || asked === requested) return granted;
  const tokens = asked.split(' ').filter((token) => token !== '');
  if (asked.length > longestScope || tokens.length === 0) return undefined;
  const before = `${granted} ${requested ?? ''}`;
  if (!tokens.every((token) => includesScope(before, token))) return undefined;
  const narrowed = tokens.flatMap((token) => grantedPart(granted, token));
  return narrowed.length === 0 ? undefined : [...new Set(narrowed)].join(' ');
}

/**
 * Selects the granted part of one requested scope, with the sensitive categories that the member ticked if only a part of the scope was
 * granted.
 */
function grantedPart(granted: string, token: string): readonly string[] {
  const data = parseDataScope(token);
  if (includesScope(granted, token)) return [data === undefined ? token : formatDataScope(data)];
  if (data === undefined) return [];
  const parts = granted
    .split(' ')
    .filter((one) => parseDataScope(one) !== undefined && includesScope(token, one));
  return parts.length === 0 ? [] : [...parts, ...[...sharedCategories(granted)].map(sensitiveScope)];
}

/** The requested identity scopes. `fhirUser` is a claim of the ID token, so it is left out without `openid`. */
function grantableIdentity(tokens: readonly string[]): readonly string[] {
  return identityScopes.filter(
    (scope) => tokens.includes(scope) && (scope !== 'fhirUser' || tokens.includes('openid')),
  );
}

function grantableData(token: string, served: readonly string[]): readonly string[] {
  const scope: DataScope | undefined = parseDataScope(token);
  if (scope === undefined) return [];
  const known = scope.resourceType === '*' ? served.length > 0 : served.includes(scope.resourceType);
  return known ? [formatDataScope(scope)] : [];
}
