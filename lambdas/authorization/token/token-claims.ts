/** Claims of access tokens and id_tokens. */

import { type EnvironmentOrigins, fhirBase, machineIssuer, memberIssuer } from '../../catalog/addresses.ts';
import type { Environment } from '../../catalog/environments.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { MachineAccessToken, MemberAccessToken } from '../../catalog/oauth/access-token.ts';
import type { RepresentedBy } from '../oauth/member-account.ts';

/** Times of issue and expiry of a token, seconds since 1970. */
export interface Lifetime {
  readonly iat: number;
  readonly exp: number;
}

/** The authorization that an authorization code or a refresh token stands for. */
export interface Authorized {
  readonly clientId: string;
  readonly sub: string;
  readonly patientId: string;
  /** The personal representative who consented for the patient. */
  readonly representedBy?: RepresentedBy | undefined;
  readonly grantId: string;
  readonly scope: string;
  /** `scope` of the authorization request, as it was sent. */
  readonly requestedScope?: string | undefined;
  /** Time of the sign-in, seconds since 1970. */
  readonly authTime: number;
  /** `nonce` of the authorization request; absent at a refresh, whose ID token has none (OpenID Connect Core section 12.2). */
  readonly nonce?: string | undefined;
}

/** Claims of a member's access token (RFC 9068 section 2.2). */
export function accessTokenClaims(
  origins: EnvironmentOrigins,
  environment: Environment,
  lob: LineOfBusiness,
  authorized: Authorized,
  lifetime: Lifetime,
  jti: string,
): MemberAccessToken {
  return {
    iss: memberIssuer(origins, lob),
    aud: fhirBase(origins, lob, 'patient-access'),
    sub: authorized.sub,
    client_id: authorized.clientId,
    jti,
    scope: authorized.scope,
    ...lifetime,
    environment,
    lob,
    patient: authorized.patientId,
    grant: authorized.grantId,
  };
}

/**
 * Claims of an ID token (OpenID Connect Core section 2). `fhirUser`, if granted, is the person who signed in (SMART App Launch). It is left
 * out for a personal representative, who has no resource that could be read.
 */
export function idTokenClaims(
  origins: EnvironmentOrigins,
  lob: LineOfBusiness,
  authorized: Authorized,
  lifetime: Lifetime,
) {
  const fhirUser = `${fhirBase(origins, lob, 'patient-access')}/Patient/${authorized.patientId}`;
  return {
    iss: memberIssuer(origins, lob),
    sub: authorized.sub,
    aud: authorized.clientId,
    ...lifetime,
    auth_time: authorized.authTime,
    ...(authorized.nonce !== undefined && { nonce: authorized.nonce }),
    ...(authorized.scope.split(' ').includes('fhirUser') &&
      authorized.representedBy === undefined && { fhirUser }),
  };
}

/** Claims of a client-credentials token: the client is the subject. */
export function machineClaims(
  origins: EnvironmentOrigins,
  environment: Environment,
  clientId: string,
  { resourceId, scope }: { readonly resourceId: string; readonly scope: string },
  lifetime: Lifetime,
  jti: string,
): MachineAccessToken {
  return {
    iss: machineIssuer(origins),
    aud: resourceId,
    sub: clientId,
    client_id: clientId,
    jti,
    scope,
    ...lifetime,
    environment,
  };
}
