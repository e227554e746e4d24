import { createHash } from 'node:crypto';
import type { OAuthClient } from '../../lambdas/authorization/oauth/oauth-client.ts';
import { dataGroups } from '../../lambdas/catalog/fhir/data-groups.ts';
import { patientAccessTypes } from '../../lambdas/catalog/fhir/fhir-resources.ts';
import { everySensitiveScope } from '../../lambdas/catalog/fhir/sensitive-categories.ts';

export const theMember = {
  sub: '0f8fad5b-d9cb-469f-a165-70867728950e',
  patientId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  memberId: 'DSNP0001',
  displayName: 'Rosa Ejemplo',
  password: 'correct horse battery staple',
} as const;

export const theSecret = 'k7Tn0W3xq-4vYb2mR8sLpJ6hGd1fCzQeUoAiXwVtMyE';
export const theRedirectUri = 'https://app.example.com/callback';

let count = 0;

/** A confidential application of two LOBs with the product Patient Access, with the changes of the test. */
export function aClient(changes: Partial<OAuthClient> = {}): OAuthClient {
  count += 1;
  return {
    clientId: `client-${String(count).padStart(8, '0')}`,
    state: 'active',
    clientName: 'Steps Health',
    grantTypes: ['authorization_code', 'client_credentials'],
    tokenEndpointAuthMethod: 'client_secret_basic',
    linesOfBusiness: ['DSNP', 'MAPD'],
    products: ['patient-access'],
    redirectUris: [theRedirectUri],
    applicationUri: 'https://app.example.com',
    privacyUri: 'https://app.example.com/privacy',
    termsOfServiceUri: 'https://app.example.com/terms',
    attested: true,
    pkceRequired: true,
    secrets: [{ sha256: createHash('sha256').update(theSecret).digest('hex') }],
    ...changes,
  };
}

/** The example of RFC 7636 appendix B. */
export const rfc7636 = {
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
} as const;

/** Matches an error description for developers: only characters of RFC 6749 sections 4.1.2.1 and 5.2, and at least 15 of them. */
export const sentence = /^[\x20-\x21\x23-\x5b\x5d-\x7e]{15,}$/;

/** The scope of a request without a data scope: reading each type that Patient Access serves (docs/service.md S6.1). */
export const readingAll = patientAccessTypes.map((type) => `patient/${type}.read`).join(' ');

/** The scope of a grant if the member selects all groups and sensitive categories. */
export const sharingAll = `${readingAll} ${everySensitiveScope}`;

const sensitiveTypes = dataGroups.flatMap((group) => (group.sensitive ? group.resourceTypes : []));
/** The scope of a grant if the member submits the consent page unchanged: sensitive groups are not selected. */
export const readingTicked = patientAccessTypes
  .filter((type) => !sensitiveTypes.includes(type))
  .map((type) => `patient/${type}.read`)
  .join(' ');
