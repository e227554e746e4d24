import type { CapabilityStatementRestResource } from 'fhir/r4.js';
import { directoryResource } from '../../catalog/fhir/directory-resources.ts';
import { directoryDefinitions, directoryTypes } from '../../catalog/fhir/directory-types.ts';
import { commonSearchParameters } from '../../catalog/fhir/fhir-resources.ts';
import { bothForms } from '../../fhir/capability-statement.ts';
import { directorySearch } from './directory-searches.ts';

/** The resource types of the Provider Directory for its CapabilityStatement, from the table that searches use. */
export function directoryCapabilities(): readonly CapabilityStatementRestResource[] {
  const types = directoryTypes.map((type): CapabilityStatementRestResource => {
    const { profiles, parameters } = directoryResource(type);
    const { includes, revIncludes } = directorySearch(type);
    return {
      type,
      supportedProfile: bothForms(profiles.map((profile) => `${profile}|1.1.0`)),
      interaction: (['read', 'vread', 'search-type'] as const).map((code) => ({ code })),
      documentation:
        'Only active resources are listed, unless a search asks by active, status or _id. vread has the versions of the publications that are kept.',
      versioning: 'versioned',
      readHistory: false,
      updateCreate: false,
      conditionalCreate: false,
      conditionalRead: 'not-match',
      conditionalUpdate: false,
      conditionalDelete: 'not-supported',
      // FHIR's JSON allows no empty lists.
      ...(includes.length > 0 && { searchInclude: [...includes, `${type}:*`] }),
      ...(revIncludes.length > 0 && { searchRevInclude: [...revIncludes] }),
      searchParam: [...commonSearchParameters, ...parameters].map(({ name, type: kind, definition }) => ({
        name,
        definition,
        type: kind,
      })),
    };
  });
  const definitions = directoryDefinitions.map(
    (type): CapabilityStatementRestResource => ({ type, interaction: [{ code: 'read' }] }),
  );
  return [...types, ...definitions];
}
