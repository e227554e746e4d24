import type { MachineAccessToken, MemberAccessToken } from '../catalog/access-token.ts';
import { type EnvironmentOrigins, fhirBase, machineIssuer, memberIssuer } from '../catalog/addresses.ts';
import type { Environment } from '../catalog/environments.ts';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import type { AuthorizationCode } from './interaction.ts';

/** When a token is made and how long it lasts; seconds since 1970. */
export interface Lifetime {
  readonly iat: number;
  readonly exp: number;
}

/** Claims of the access token for a redeemed code (RFC 9068 section 2.2). */
export function memberClaims(
  origins: EnvironmentOrigins,
  environment: Environment,
  lob: LineOfBusiness,
  code: AuthorizationCode,
  lifetime: Lifetime,
  jti: string,
): MemberAccessToken {
  return {
    iss: memberIssuer(origins, lob),
    aud: fhirBase(origins, lob, 'patient-access'),
    sub: code.sub,
    client_id: code.clientId,
    jti,
    scope: code.scope,
    ...lifetime,
    environment,
    lob,
    patient: code.patientId,
    grant: code.grantId,
  };
}

/** Claims of an id_token (OpenID Connect Core section 2). `fhirUser` where it was granted (SMART App Launch). */
export function idTokenClaims(
  origins: EnvironmentOrigins,
  lob: LineOfBusiness,
  code: AuthorizationCode,
  lifetime: Lifetime,
) {
  const fhirUser = `${fhirBase(origins, lob, 'patient-access')}/Patient/${code.patientId}`;
  return {
    iss: memberIssuer(origins, lob),
    sub: code.sub,
    aud: code.clientId,
    ...lifetime,
    auth_time: code.authTime,
    ...(code.nonce !== undefined && { nonce: code.nonce }),
    ...(code.scope.split(' ').includes('fhirUser') && { fhirUser }),
  };
}

/** Claims of a client-credentials token: the client is the subject. */
export function machineClaims(
  origins: EnvironmentOrigins,
  environment: Environment,
  clientId: string,
  resourceId: string,
  lifetime: Lifetime,
  jti: string,
): MachineAccessToken {
  return {
    iss: machineIssuer(origins),
    aud: resourceId,
    sub: clientId,
    client_id: clientId,
    jti,
    scope: `${resourceId}/.default`,
    ...lifetime,
    environment,
  };
}
