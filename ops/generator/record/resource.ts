/** Gives synthetic resources their ID, version and profiles (`meta`). */

import type { MemberLoad } from '../../../lambdas/loads/ingest/ingest-contract.ts';
import { internalPrefix } from './internal-prefix.ts';
import type { PseudoRandom } from './pseudo-random.ts';

export type CarinProfile =
  | 'C4BB-Patient'
  | 'C4BB-Coverage'
  | 'C4BB-Organization'
  | 'C4BB-Practitioner'
  | 'C4BB-RelatedPerson'
  | `C4BB-ExplanationOfBenefit-${
      | 'Inpatient-Institutional'
      | 'Outpatient-Institutional'
      | 'Professional-NonClinician'
      | 'Pharmacy'
      | 'Oral'}`;

/** Profiles that a resource satisfies beside CARIN's 2.0.0: the previous version of the same profile, and US Core's. */
const alsoSatisfied: Readonly<
  Partial<Record<CarinProfile, { readonly both?: true; readonly usCore: string }>>
> = {
  'C4BB-Patient': { both: true, usCore: 'us-core-patient' },
  'C4BB-Coverage': { both: true, usCore: 'us-core-coverage' },
  'C4BB-Organization': { both: true, usCore: 'us-core-organization' },
  'C4BB-Practitioner': { both: true, usCore: 'us-core-practitioner' },
  'C4BB-RelatedPerson': { usCore: 'us-core-relatedperson' },
};

/**
 * Every version of a profile that the resource satisfies. RelatedPerson and dental claims exist since CARIN 2.0.0. A claim can't satisfy
 * both 1.1.0 and 2.0.0: 2.0.0 requires the payment status in a slice of `adjudication`, which the closed slicing of 1.1.0 forbids (in a
 * pharmacy claim, `adjudication` could not contain the network status).
 */
export function declaredProfiles(profile: CarinProfile): readonly string[] {
  const carin = `http://hl7.org/fhir/us/carin-bb/StructureDefinition/${profile}`;
  const also = alsoSatisfied[profile];
  return [
    ...(also?.both === true ? [`${carin}|1.1.0`] : []),
    `${carin}|2.0.0`,
    ...(also === undefined ? [] : [`http://hl7.org/fhir/us/core/StructureDefinition/${also.usCore}|6.1.0`]),
  ];
}

/**
 * Version of the generator's content. A stored version is immutable, and ingest refuses it with other content. After changing a synthetic
 * resource, increase this number and change the file name in local/seed.ts, so that loaded resources are replaced.
 */
export const contentVersion = 7;

/** A resource before it is serialized. */
export interface Draft {
  readonly resourceType: string;
  readonly id: string;
  readonly meta: {
    readonly versionId: string;
    readonly lastUpdated: string;
    readonly profile?: readonly string[];
  };
  readonly [element: string]: unknown;
}

/**
 * Makes a resource.
 *
 * @param profile of CARIN, or all profiles that the resource declares.
 * @param elements of the resource itself, in FHIR's order.
 * @param version the day (`YYYY-MM-DD`) since which the plan has this version; a random time of that day is used.
 */
export function draft(
  random: PseudoRandom,
  resourceType: string,
  profile: CarinProfile | readonly string[],
  elements: Readonly<Record<string, unknown>>,
  version: { readonly known: string; readonly changes?: number } = { known: '2018-01-02' },
): Draft {
  return {
    resourceType,
    id: random.uuid(),
    meta: {
      versionId: String(contentVersion + (version.changes ?? 0)),
      lastUpdated: momentOf(random, version.known),
      ...(profile.length > 0 && {
        profile: typeof profile === 'string' ? declaredProfiles(profile) : profile,
      }),
    },
    ...elements,
  };
}

/** Serializes a resource in the format of a load. */
export function loaded(resource: Draft): MemberLoad['resources'][number] {
  const { resourceType, id, meta } = resource;
  return {
    resourceType,
    id,
    versionId: meta.versionId,
    lastUpdated: meta.lastUpdated,
    json: JSON.stringify(resource),
  };
}

export function identifier(name: string, value: string) {
  return { system: `${internalPrefix}/identifier/${name}`, value };
}

/** A random time at night, when the plan's batch jobs run, in Eastern Standard Time. */
function momentOf(random: PseudoRandom, date: string): string {
  const [minute, second] = [random.integer(0, 59), random.integer(0, 59)].map((it) =>
    String(it).padStart(2, '0'),
  );
  return `${date}T0${random.integer(1, 5)}:${minute}:${second}.${random.digits(3)}-05:00`;
}
