/** The resource types of the Provider Directory in the order of a publication: types come after those that they refer to. */

export const directoryTypes = [
  'Organization',
  'Location',
  'Endpoint',
  'HealthcareService',
  'InsurancePlan',
  'Practitioner',
  'PractitionerRole',
  'OrganizationAffiliation',
] as const;

export type DirectoryType = (typeof directoryTypes)[number];

export function isDirectoryType(text: string): text is DirectoryType {
  return directoryTypes.some((type) => type === text);
}

/** Types of definitions that the Provider Directory serves beside its data. They are the same in every publication. */
export const directoryDefinitions = ['SearchParameter', 'ConceptMap'] as const;

export type DirectoryDefinition = (typeof directoryDefinitions)[number];
