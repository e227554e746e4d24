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

/** RFC 6749 section 3.3: `scope-token`. */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
const longestScope = 2_000;

/**
 * Selects the requested scopes that an application can be granted; a member may then consent to them or not.
 *
 * - Never more than was asked for, and never data beyond the application's products.
 * - Scopes that aren't understood are left out (OpenID Connect Core section 3.1.2.1); the answer's `scope` tells.
 * - A request without a scope, or with `openid` alone (the description's example), means the application's registered default:
 *   reading what its products serve (RFC 6749 section 3.3 lets a server have a default).
 * - Any other request that asks for no data gets none: `openid fhirUser` is a sign-in.
 *
 * @param asked the `scope` parameter, undefined when there was none.
 * @returns the granted scopes, space-separated, or undefined where nothing of what was asked for can be granted.
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

/** Whether a grant without data has a use: it tells the application who signed in, or which Patient ID to keep. */
export function identifiesMember(scopes: readonly string[]): boolean {
  return scopes.includes('openid') || scopes.includes('launch/patient');
}

/**
 * The scope of a refreshed access token (RFC 6749 section 6): what was granted of what is asked for. An application may send the scope
 * of its authorization request again, though the member granted less of it: the answer's `scope` tells (section 3.3).
 *
 * @param requested the `scope` of the authorization request.
 * @param asked the `scope` of the refresh; undefined where there is none.
 * @returns undefined where something is asked for that was never requested, or nothing of it was granted.
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
 * Selects the granted part of one requested scope. Sensitive categories that the member ticked are added if the scope is sent as it was
 * requested.
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

/** `fhirUser` is a claim of the id_token, so it means nothing without `openid`. */
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
