/** Resource types in the CapabilityStatement of Payer Access that are not in the table of interfaces: Group. */

import type { CapabilityStatementRestResource } from 'fhir/r4.js';
import { servedInterface } from '../catalog/fhir/interfaces.ts';
import { groupSearchParameters } from '../catalog/payer/group-search-parameters.ts';
import { matchGroups } from './permission/match-groups.ts';

const definitions = 'http://hl7.org/fhir/us/davinci-pdex/StructureDefinition';

export function payerCapabilities(): readonly CapabilityStatementRestResource[] {
  const profiles = new Set(Object.values(matchGroups).map(({ profile }) => `${definitions}/${profile}`));
  const operations = servedInterface('payer-access').operations.filter(({ type }) => type === 'Group');
  return [
    {
      type: 'Group',
      supportedProfile: [...profiles],
      interaction: [{ code: 'read' }, { code: 'search-type' }],
      documentation: 'Groups of the members that the application matched, until they expire.',
      searchParam: groupSearchParameters.map(({ name, type, documentation }) => ({
        name,
        type,
        documentation,
      })),
      operation: operations.map(({ name, definition }) => ({ name, definition })),
    },
  ];
}
