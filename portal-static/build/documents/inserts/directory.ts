/** Generated parts of the public documentation about the Provider Directory. */

import { fhirBase } from '../../../../lambdas/catalog/addresses.ts';
import {
  type DirectoryParameter,
  directoryResource,
} from '../../../../lambdas/catalog/fhir/directory-resources.ts';
import {
  type DirectoryType,
  directoryTypes,
  isDirectoryType,
} from '../../../../lambdas/catalog/fhir/directory-types.ts';
import { offers } from '../../../../lambdas/catalog/fhir/interfaces.ts';
import type { PublishedService } from '../../../../lambdas/catalog/published-service.ts';
import { code, markdownTable } from '../markdown-table.ts';
import { type Inserts, pick } from './insert.ts';

/** Makes a table of a resource type's search parameters, from the table that searches use. */
function directoryParameterTable(type: DirectoryType): string {
  const rows = directoryResource(type).parameters.map(
    ({ name, type: kind, targets = [] }: DirectoryParameter) => [
      code(name),
      kind,
      targets.map(code).join(', '),
    ],
  );
  return markdownTable(['Parameter', 'Type', 'Refers to'], rows);
}

/** Links to the truth report of each LOB of an environment. */
function truthReports({ environments }: PublishedService, argument: string): string {
  const { origins, linesOfBusiness: deployed } = pick(environments, argument);
  return deployed
    .filter((lob) => offers(lob, 'provider-directory'))
    .map((lob) => `[${lob}](${fhirBase(origins, lob, 'provider-directory')}/public/truth-report)`)
    .join(', ');
}

export const directoryInserts: Inserts = {
  'directory-parameters': (_, argument) => {
    if (!isDirectoryType(argument)) throw new Error(`${argument} is no type of the directory`);
    return directoryParameterTable(argument);
  },
  'truth-reports': truthReports,
  'directory-types': () => directoryTypes.map(code).join(', '),
};
