/** Hosts and URLs of an environment. */

import { type Interface, interfaceFamilies } from './interface-families.ts';
import type { LineOfBusiness } from './lines-of-business.ts';

/**
 * Origins of an environment: scheme and host, a port if it is not the scheme's default, no trailing slash. Example:
 * `https://auth.sandbox.example.org`.
 */
export interface EnvironmentOrigins {
  /** Origin of the authorization host: {auth_url} in docs/service.md S1.5. */
  readonly auth: string;
  /** Origin of the machine-to-machine token host: {token_url} in docs/service.md S1.5. */
  readonly token: string;
  /** {base_url} of every LOB, with `{lob}` in the place of the LOB's code in lowercase. */
  readonly apiTemplate: string;
}

/** {base_url}: the origin of one LOB's APIs. */
export function apiOrigin(origins: EnvironmentOrigins, lob: LineOfBusiness): string {
  return origins.apiTemplate.replace('{lob}', lob.toLowerCase());
}

/** The FHIR base URL of an interface, which clients get as `iss` at launch and send as `aud`. No trailing slash. */
export function fhirBase(origins: EnvironmentOrigins, lob: LineOfBusiness, name: Interface): string {
  return `${apiOrigin(origins, lob)}${interfaceFamilies[name].basePath}`;
}

/** The issuer identifier of a LOB's authorization server in this environment (RFC 8414 section 2). */
export function memberIssuer(origins: EnvironmentOrigins, lob: LineOfBusiness): string {
  return `${origins.auth}/fhir-oauth2/${lob.toLowerCase()}`;
}

/** The issuer identifier of the machine-to-machine token host, which is its origin. */
export function machineIssuer(origins: EnvironmentOrigins): string {
  return origins.token;
}

/** Accepted audiences of a client assertion at a LOB's authorization server (RFC 7523 section 3, point 3). */
export function memberAssertionAudiences(
  origins: EnvironmentOrigins,
  lob: LineOfBusiness,
): readonly string[] {
  const { token, revocation, introspection } = authorizationServerEndpoints(origins, lob);
  return [memberIssuer(origins, lob), token, revocation, introspection];
}

/** Accepted audiences of a client assertion at the machine-to-machine token host. */
export function machineAssertionAudiences(origins: EnvironmentOrigins): readonly string[] {
  return [machineIssuer(origins), machineTokenEndpoint(origins)];
}

/** The endpoint of the client credentials grant. Source: docs/service.md S5.4. */
export function machineTokenEndpoint(origins: EnvironmentOrigins): string {
  return `${origins.token}/token/v2`;
}

/** The endpoints of a LOB's authorization server, as published in its metadata. */
export function authorizationServerEndpoints(origins: EnvironmentOrigins, lob: LineOfBusiness) {
  const code = lob.toLowerCase();
  return {
    authorization: `${origins.auth}/fhir-oauth2/sec/${code}/authorize`,
    token: `${origins.auth}/fhir-oauth2/pub/${code}/token`,
    jwks: `${origins.auth}/fhir-oauth2/pub/${code}/jwks`,
    revocation: `${origins.auth}/fhir-oauth2/pub/${code}/revoke`,
    introspection: `${origins.auth}/fhir-oauth2/pub/${code}/introspect`,
    userInfo: `${origins.auth}/fhir-oauth2/pub/${code}/userinfo`,
    endSession: `${origins.auth}/fhir-oauth2/sec/${code}/logout`,
    management: `${origins.auth}/fhir-oauth2/sec/${code}/connected-apps`,
  } as const;
}
