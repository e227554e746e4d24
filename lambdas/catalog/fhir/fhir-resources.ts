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
 * The resource types of Patient Access by family: claims (CARIN Blue Button), clinical data (US Core), and what members share.
 * Consent, loads, search and, by the table of interfaces, everything that is made from that one read this table.
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

/** Whether several members' records have copies of resources of the type, such as a practitioner. */
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
    // `payee` is withheld from other payers.
    includes: patientAccessResources.ExplanationOfBenefit.includes.filter((name) => name !== 'payee'),
  },
};

/** The parameters every type that is searched has. */
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

/**
 * Results on a page: the default, the maximum (`_count`), and both for `$everything`, each of whose pages reads the index of the whole
 * record.
 */
export const pageSizes = { usual: 20, most: 100, everything: 200 } as const;

/** UTF-8 bytes of a resource, at most: what a function answers is limited to 6 MB, and a search wraps resources. */
export const longestResource = 4 * 1024 * 1024;

/**
 * Bytes of a resource in a function's answer, at most: a JSON string, in which each quote and backslash of the resource counts twice.
 * Lambda takes 6,291,556 bytes; the rest is for headers and the Bundle.
 */
export const longestAnswer = 6_000_000;

/** Bounds of a search; a larger one is refused. */
export const searchBounds = {
  /**
   * Characters of all parameters, percent-encoded. The address of the next page, which carries them a third longer, stays with a
   * token and the other headers below the 10,240 bytes of API Gateway.
   */
  characters: 5000,
  parameters: 50,
  /** Values of one parameter, between commas. */
  alternatives: 100,
  /** Names in `_sort`. */
  sortNames: 5,
  /** Bytes of the form of a search by POST. Larger ones AWS WAF refuses before it comes here (SizeRestrictions_BODY). */
  formBytes: 8192,
} as const;
