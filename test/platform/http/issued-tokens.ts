import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';

/** Creates a key pair of a token issuer under test, and its published form. */
export function createIssuer(kid: string) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { n, e } = publicKey.export({ format: 'jwk' });
  const jwk = { kty: 'RSA', kid, alg: 'RS256', use: 'sig', n, e };
  return { kid, publicKey, privateKey, jwk };
}

export const nowSeconds = 1_800_000_000;
export const dsnpBase = 'https://dsnp.api.sandbox.example.org/extfhirpatientaccess/v1';
export const dsnpIssuer = 'https://auth.sandbox.example.org/fhir-oauth2/dsnp';
export const machineIssuerOrigin = 'https://token.sandbox.example.org';
export const resourceId = 'sandbox-resource';

export const memberClaims = {
  iss: dsnpIssuer,
  aud: dsnpBase,
  sub: 'subject-1',
  client_id: 'client-1',
  jti: 'token-1',
  scope: 'openid patient/Patient.read',
  iat: nowSeconds - 60,
  exp: nowSeconds + 1_740,
  environment: 'sandbox',
  lob: 'DSNP',
  patient: 'patient-1',
  grant: 'grant-1',
};

export const machineClaims = {
  iss: machineIssuerOrigin,
  aud: resourceId,
  sub: 'client-1',
  client_id: 'client-1',
  jti: 'token-2',
  scope: `${resourceId}/.default`,
  iat: nowSeconds - 60,
  exp: nowSeconds + 240,
  environment: 'sandbox',
};

export async function issue(
  claims: Record<string, unknown>,
  issuer: { readonly kid: string; readonly privateKey: KeyObject },
  header: Record<string, unknown> = {},
): Promise<string> {
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: issuer.kid, typ: 'at+jwt', ...header })
    .sign(issuer.privateKey);
}
