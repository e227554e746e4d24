import type { EnvironmentOrigins } from '../catalog/addresses.ts';
import {
  authorizationServerMetadata,
  machineServerMetadata,
} from '../catalog/authorization-server-metadata.ts';
import { parseLineOfBusiness } from '../catalog/lines-of-business.ts';
import type { TokenIssuer } from '../catalog/token-issuer.ts';

/** A document of discovery: metadata, or the keys of an issuer. */
export type DiscoveryDocument =
  | { readonly kind: 'metadata'; readonly metadata: object }
  | { readonly kind: 'jwks'; readonly issuer: TokenIssuer };

/** RFC 8414 section 3 puts the issuer's path behind the well-known name, OpenID Connect Discovery section 4 before it. */
const memberMetadata = [
  /^\/fhir-oauth2\/([^/]+)\/\.well-known\/(?:openid-configuration|oauth-authorization-server)\/?$/,
  /^\/\.well-known\/(?:openid-configuration|oauth-authorization-server)\/fhir-oauth2\/([^/]+)\/?$/,
];
const memberJwks = /^\/fhir-oauth2\/pub\/([^/]+)\/jwks\/?$/;

/** The document at a path of the identity-provider host or, where the path names no LOB, of the token host. */
export function findDiscoveryDocument(
  path: string,
  origins: EnvironmentOrigins,
  resourceId: string,
): DiscoveryDocument | undefined {
  for (const pattern of memberMetadata) {
    const lob = parseLineOfBusiness(pattern.exec(path)?.[1] ?? '');
    if (lob !== undefined) return { kind: 'metadata', metadata: authorizationServerMetadata(origins, lob) };
  }
  const lob = parseLineOfBusiness(memberJwks.exec(path)?.[1] ?? '');
  if (lob !== undefined) return { kind: 'jwks', issuer: lob };
  if (path === '/.well-known/oauth-authorization-server')
    return { kind: 'metadata', metadata: machineServerMetadata(origins, resourceId) };
  return path === '/.well-known/jwks.json' ? { kind: 'jwks', issuer: 'M2M' } : undefined;
}
