/** Generated parts of the public documentation about the Provider Directory. */

import {
  type DirectoryParameter,
  type DirectoryType,
  directoryResource,
  directoryTypes,
  isDirectoryType,
} from '../../../../lambdas/catalog/directory-resources.ts';
import { code, markdownTable } from '../markdown-table.ts';
import type { Inserts } from './insert.ts';

/** Parameters of a type's search, from the table the search runs on. */
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

export const directoryInserts: Inserts = {
  'directory-parameters': (_, argument) => {
    if (!isDirectoryType(argument)) throw new Error(`${argument} is no type of the directory`);
    return directoryParameterTable(argument);
  },
  'directory-types': () => directoryTypes.map(code).join(', '),
};
