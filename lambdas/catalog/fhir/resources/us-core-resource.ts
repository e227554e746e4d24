/** Makes the row of a US Core type for the table in `clinical.ts`. */

import {
  type ElementSource,
  parameter,
  provenanceOf,
  type ResourceType,
  referenceAt,
  type SearchParameter,
  type SearchParameterType,
  type ServedResource,
  usCoreProfiles,
} from './served-resource.ts';

/** A search parameter of US Core: its name, type, documentation, and where its values are. */
export type UsCoreParameter = readonly [
  name: string,
  type: SearchParameterType,
  documentation: string,
  ...sources: readonly ElementSource[],
];

/** The values by which the types of US Core differ. */
interface UsCoreRow {
  /** The element that refers to the member, which the parameter `patient` compares. */
  readonly patient: string;
  /** Parameters that US Core defines, in addition to `patient`. */
  readonly parameters: readonly UsCoreParameter[];
  /** Includes that are no search parameters, with their paths. Every reference parameter is an include too. */
  readonly includes?: Readonly<Record<string, string>>;
  /** Names of US Core's profiles. */
  readonly profiles: readonly string[];
  /** Profiles of other guides that a resource may declare, with their versions. */
  readonly acceptedProfiles?: readonly string[];
  readonly otherProfiles?: readonly string[];
  readonly newestBy?: string;
  readonly scopeCategories?: readonly string[];
}

/** The row of a US Core 6.1.0 type, whose parameters have US Core's definitions. */
export function usCore(type: ResourceType, row: UsCoreRow): ServedResource {
  const { newestBy, scopeCategories } = row;
  const defined = ([name, kind, documentation, ...sources]: UsCoreParameter): SearchParameter => {
    const url = `http://hl7.org/fhir/us/core/SearchParameter/us-core-${type.toLowerCase()}-${name}`;
    return parameter(name, kind, url, documentation, ...sources);
  };
  const patient = defined(['patient', 'reference', 'The member', referenceAt(row.patient, 'Patient')]);
  const parameters = [patient, ...row.parameters.map(defined)];
  const references = parameters.filter((each) => each.type === 'reference').map(({ name }) => name);
  return {
    interactions: ['read', 'search-type'],
    patientElement: row.patient,
    searchParameters: parameters,
    includes: [...references, ...Object.keys(row.includes ?? {})],
    ...(row.includes !== undefined && { includePaths: row.includes }),
    revIncludes: provenanceOf,
    supportedProfiles: [
      ...row.profiles.flatMap((name) => usCoreProfiles(name, ['6.1.0'])),
      ...(row.otherProfiles ?? []),
    ],
    ...(row.acceptedProfiles !== undefined && { acceptedProfiles: row.acceptedProfiles }),
    ...(newestBy !== undefined && { newestBy, careDate: newestBy }),
    ...(scopeCategories !== undefined && { scopeCategories }),
  };
}
