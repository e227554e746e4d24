import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { declaredProfiles } from './claims/resource.ts';
import { internalPrefix } from './internal-prefix.ts';
import type { Place } from './people.ts';

/** How the plan's systems write an end that is not known yet. */
export const openEnd = '9999-12-31';

/** Only profiles the resource satisfies; the first two as the description shows them. */
const patientProfiles = (() => {
  const [described, ...others] = declaredProfiles('C4BB-Patient');
  return [described, 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-patient', ...others];
})();

/** A member as the plan's systems know them. */
export interface SyntheticPerson {
  readonly lob: LineOfBusiness;
  readonly patientId: string;
  readonly versionId: string;
  /** ISO 8601 with fractional seconds and offset. */
  readonly lastUpdated: string;
  readonly rowId: string;
  readonly sourceId: string;
  readonly memberId: string;
  readonly enrolments: readonly { readonly group: string; readonly plan: string }[];
  readonly familyName: string;
  readonly givenNames: readonly string[];
  readonly gender: 'female' | 'male';
  /** `YYYY-MM-DD`; an unknown month or day is `00`. */
  readonly birthDate: string;
  readonly addresses: readonly { readonly place: Place; readonly start: string; readonly end: string }[];
}

/** The Patient of the service description: these fields, in this order, and no others. */
export function patientResource(person: SyntheticPerson, birthDate = person.birthDate) {
  return {
    resourceType: 'Patient',
    id: person.patientId,
    meta: {
      versionId: person.versionId,
      lastUpdated: person.lastUpdated,
      profile: patientProfiles,
    },
    extension: [
      extension('last_updated_date', person.lastUpdated.slice(0, 10)),
      extension('row_id', person.rowId),
      extension('source_id', person.sourceId),
    ],
    identifier: [
      {
        type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MB' }] },
        ...identifier('MEMBER_LIFE_ID', person.memberId),
      },
      identifier('lob', person.lob),
      ...person.enrolments.flatMap(({ group, plan }) => [
        identifier('group', group),
        identifier('plan', plan),
      ]),
    ],
    name: [{ family: person.familyName, given: person.givenNames }],
    gender: person.gender,
    birthDate,
    address: person.addresses.map(({ place, start, end }) => ({
      city: place.city,
      state: place.state,
      postalCode: place.postalCode,
      period: { start, end },
    })),
  };
}

/** FHIR's `date` leaves out what isn't known: `1956-00-00` is `1956`, `1956-07-00` is `1956-07`. */
export function fhirDate(date: string): string {
  return date.replace(/(-00)+$/, '');
}

function extension(name: string, valueId: string) {
  return { url: `${internalPrefix}/StructureDefinition/${name}`, valueId };
}

function identifier(name: string, value: string) {
  return { system: `${internalPrefix}/identifier/${name}`, value };
}
