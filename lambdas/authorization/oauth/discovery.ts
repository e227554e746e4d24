/** Finds the metadata document or JWK Set of a path. */

import type { EnvironmentOrigins } from '../../catalog/addresses.ts';
import { parseLineOfBusiness } from '../../catalog/lines-of-business.ts';
import { authorizationServerMetadata } from '../../catalog/oauth/authorization-server-metadata.ts';
import { federationKeysPath } from '../../catalog/oauth/identity-providers.ts';
import { machineServerMetadata } from '../../catalog/oauth/machine-server-metadata.ts';
import { payerKeysPath, type SigningKeyOwner } from '../../catalog/oauth/token-issuer.ts';
import { compileRoutes, type RouteRow } from '../../platform/kernel/find-route.ts';

/** A published document: the metadata or the JWK Set of an issuer. */
export type DiscoveryDocument =
  | { readonly kind: 'metadata'; readonly metadata: object }
  | { readonly kind: 'jwks'; readonly issuer: SigningKeyOwner };

interface DiscoveryRoute extends RouteRow {
  readonly method: 'GET';
  readonly document:
    | 'member metadata'
    | 'member keys'
    | 'federation keys'
    | 'payer keys'
    | 'machine metadata'
    | 'machine keys';
}

/** The well-known name comes before the issuer's path in RFC 8414 section 3, and after it in OpenID Connect Discovery section 4. */
const findRoute = compileRoutes<DiscoveryRoute>(
  (
    [
      ['/fhir-oauth2/{lob}/.well-known/openid-configuration', 'member metadata'],
      ['/fhir-oauth2/{lob}/.well-known/oauth-authorization-server', 'member metadata'],
      ['/.well-known/openid-configuration/fhir-oauth2/{lob}', 'member metadata'],
      ['/.well-known/oauth-authorization-server/fhir-oauth2/{lob}', 'member metadata'],
      ['/fhir-oauth2/pub/{lob}/jwks', 'member keys'],
      [federationKeysPath, 'federation keys'],
      [payerKeysPath, 'payer keys'],
      ['/.well-known/oauth-authorization-server', 'machine metadata'],
      ['/.well-known/jwks.json', 'machine keys'],
    ] as const
  ).map(([path, document]) => ({ method: 'GET', path, document })),
);

/** Finds the document at a path of the authorization host or of the token host. A trailing slash is accepted on the authorization host. */
export function findDiscoveryDocument(
  path: string,
  origins: EnvironmentOrigins,
  resourceId: string,
): DiscoveryDocument | undefined {
  const isOfMember = path.includes('/fhir-oauth2/');
  const result = findRoute('GET', isOfMember ? path.replace(/\/$/, '') : path);
  if (result.kind !== 'matched') return undefined;
  const { document } = result.route;
  if (document === 'machine metadata')
    return { kind: 'metadata', metadata: machineServerMetadata(origins, resourceId) };
  if (document === 'federation keys') return { kind: 'jwks', issuer: 'FEDERATION' };
  if (document === 'payer keys') return { kind: 'jwks', issuer: 'PAYERS' };
  if (document === 'machine keys') return { kind: 'jwks', issuer: 'M2M' };
  const lob = parseLineOfBusiness(result.params.lob ?? '');
  if (lob === undefined) return undefined;
  return document === 'member keys'
    ? { kind: 'jwks', issuer: lob }
    : { kind: 'metadata', metadata: authorizationServerMetadata(origins, lob) };
}
