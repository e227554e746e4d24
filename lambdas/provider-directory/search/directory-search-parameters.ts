/** SearchParameter resources of the Provider Directory, from the table that searches use. */
import type { SearchParameter } from 'fhir/r4.js';
import {
  type DirectoryParameter,
  directoryExtensions,
  directoryResource,
} from '../../catalog/fhir/directory-resources.ts';
import { type DirectoryType, directoryTypes } from '../../catalog/fhir/directory-types.ts';

/**
 * The SearchParameter with an ID (`Practitioner-name`); undefined if there is none.
 *
 * @param base FHIR base URL.
 */
export function directorySearchParameter(base: string, id: string): SearchParameter | undefined {
  return directorySearchParameters(base).find((each) => each.id === id);
}

export function directorySearchParameters(base: string): readonly SearchParameter[] {
  return directoryTypes.flatMap((type) =>
    directoryResource(type).parameters.map((parameter) => searchParameterOf(base, type, parameter)),
  );
}

function searchParameterOf(
  base: string,
  type: DirectoryType,
  { name, type: kind, definition, paths, targets }: DirectoryParameter,
): SearchParameter {
  const id = `${type}-${name}`;
  return {
    resourceType: 'SearchParameter',
    id,
    url: `${base}/SearchParameter/${id}`,
    derivedFrom: definition,
    name: id.replaceAll('-', '_'),
    status: 'active',
    description: `Searches ${type} by ${name}.`,
    code: name,
    base: [type],
    type: kind,
    expression: paths.map((path) => expressionOf(type, path)).join(' | '),
    ...(targets !== undefined && { target: [...targets] as DirectoryType[] }),
    multipleOr: true,
    multipleAnd: true,
  };
}

/** Converts a path of the table to FHIRPath. */
function expressionOf(type: DirectoryType, path: string): string {
  const element = path.split('#').at(-1) ?? path;
  const extension = /^extension\((\w+)\)$/.exec(element)?.[1];
  return extension === undefined
    ? `${type}.${element}`
    : `${type}.extension.where(url='${directoryExtensions[extension]}').value`;
}
