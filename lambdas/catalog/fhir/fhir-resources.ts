/** Table of the FHIR resource types that Patient Access serves. */

import { claimsResources } from './resources/claims.ts';
import { clinicalResources } from './resources/clinical.ts';
import {
  core,
  type ResourceType,
  type SearchParameter,
  type ServedResource,
} from './resources/served-resource.ts';
import { sharedResources } from './resources/shared.ts';

export type {
  ElementSource,
  ResourceType,
  SearchParameter,
  ServedResource,
} from './resources/served-resource.ts';

/**
 * The resource types of Patient Access by family: claims (CARIN Blue Button), clinical data (US Core), and types that several members
 * share. Consent, loads and search read this table, and so does everything made from the table of interfaces.
 */
export const patientAccessResources = {
  ...claimsResources,
  ...clinicalResources,
  ...sharedResources,
} as const satisfies Readonly<Partial<Record<ResourceType, ServedResource>>>;

export type PatientAccessType = keyof typeof patientAccessResources;

export const patientAccessTypes = Object.keys(patientAccessResources) as readonly PatientAccessType[];

export function isPatientAccessType(text: string): text is PatientAccessType {
  return Object.hasOwn(patientAccessResources, text);
}

/** Whether resources of the type, such as practitioners, are copied to the records of all members who refer to them. */
export function isCopiedToRecords(text: string): boolean {
  return text !== 'Patient' && isPatientAccessType(text) && servedResource(text).patientElement === undefined;
}

/** The table's row of a type. */
export function servedResource(type: PatientAccessType): ServedResource {
  return patientAccessResources[type];
}

/** The profiles of claims without amounts (CARIN Blue Button 2.2), and of prior authorizations. */
const releasedClaimProfiles: readonly string[] =
  patientAccessResources.ExplanationOfBenefit.supportedProfiles.map((canonical) =>
    canonical.includes('/carin-bb/') ? `${canonical.split('|', 1)[0]}-Basis` : canonical,
  );

/** The resource types of Payer Access: those of Patient Access, of the members that the application matched. */
export const payerAccessResources: Readonly<Record<PatientAccessType, ServedResource>> = {
  ...patientAccessResources,
  ExplanationOfBenefit: {
    ...patientAccessResources.ExplanationOfBenefit,
    supportedProfiles: releasedClaimProfiles,
    // The include `payee` is left out, because the element is withheld from other payers.
    includes: patientAccessResources.ExplanationOfBenefit.includes.filter((name) => name !== 'payee'),
  },
};

/** Search parameters of every type that can be searched. */
export const commonSearchParameters: readonly SearchParameter[] = [
  {
    name: '_id',
    type: 'token',
    definition: `${core}/Resource-id`,
    documentation: 'The resource’s id',
    sources: [],
  },
  {
    name: '_lastUpdated',
    type: 'date',
    definition: `${core}/Resource-lastUpdated`,
    documentation: 'Time of the resource’s last update',
    sources: [],
  },
];

/** Search parameters of every type of members' records. */
export const recordSearchParameters: readonly SearchParameter[] = [
  ...commonSearchParameters,
  {
    name: '_source',
    type: 'uri',
    definition: `${core}/Resource-source`,
    documentation: 'The payer that sent the resource, by its FHIR base URL; the plan’s own data has none',
    sources: [{ path: 'meta.source', as: 'uri' }],
  },
];

/**
 * Resources on a page: the default, the maximum (`_count`), and both for `$everything`, whose pages each read the index of the whole
 * record.
 */
export const pageSizes = { usual: 20, most: 100, everything: 200 } as const;

/** Maximum UTF-8 bytes of a resource. A function's response is limited to 6 MB, and a search response contains more than the resource. */
export const longestResource = 4 * 1024 * 1024;

/**
 * Maximum bytes of a resource as a JSON string in a function's response, in which each quote and backslash counts twice. Lambda allows
 * 6,291,556 bytes; the rest is for headers and the Bundle.
 */
export const longestAnswer = 6_000_000;

/** Limits of a search; a larger search is refused. */
export const searchBounds = {
  /**
   * Characters of all parameters, percent-encoded. The address of the next page has them a third longer; with a token and the other headers
   * it stays below the 10,240 bytes of API Gateway.
   */
  characters: 5000,
  parameters: 50,
  /** Maximum values of one parameter, separated by commas. */
  alternatives: 100,
  /** Maximum names in `_sort`. */
  sortNames: 5,
  /** Bytes of the form of a search by POST. AWS WAF refuses larger ones earlier (SizeRestrictions_BODY). */
  formBytes: 8192,
} as const;
