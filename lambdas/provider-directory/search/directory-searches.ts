/** The searches of the Provider Directory, made from the table of its resource types. */

import { type DirectoryParameter, directoryResource } from '../../catalog/fhir/directory-resources.ts';
import { type DirectoryType, directoryTypes, isDirectoryType } from '../../catalog/fhir/directory-types.ts';
import { commonSearchParameters } from '../../catalog/fhir/fhir-resources.ts';
import { unescaped } from '../../fhir/query/escapes.ts';
import { understood } from '../../fhir/query/search-issue.ts';
import type { AskedParameter, SearchedType, SearchedTypes } from '../../fhir/query/searched-types.ts';
import type { OwnCriterion } from './directory-criterion.ts';
import { parseLinked } from './linked-criteria.ts';
import { parseNear } from './near.ts';

const searched = new Map<DirectoryType, SearchedType<OwnCriterion>>();

/** The search parameters, includes and orders of one resource type. */
export function directorySearch(type: DirectoryType): SearchedType<OwnCriterion> {
  let known = searched.get(type);
  if (known === undefined) {
    known = searchedType(type);
    searched.set(type, known);
  }
  return known;
}

const directorySearches: SearchedTypes<OwnCriterion> = {
  names: directoryTypes,
  of: (type) => (isDirectoryType(type) ? directorySearch(type) : undefined),
  linked: parseLinked,
};

function searchedType(type: DirectoryType): SearchedType<OwnCriterion> {
  const { parameters, sortedBy } = directoryResource(type);
  const names = { name: ['name'], 'name.family': ['family', 'name'] }[sortedBy ?? ''] ?? [];
  const near = parameters.filter((each) => each.type === 'special').map(({ name }) => name);
  return {
    type,
    all: directorySearches,
    parameters: [...commonSearchParameters, ...parameters.map(askedParameterOf)],
    includes: references(type).map(({ name }) => `${type}:${name}`),
    revIncludes: directoryTypes.flatMap((source) =>
      references(source)
        .filter(({ targets = [] }) => targets.includes(type))
        .map(({ name }) => `${source}:${name}`),
    ),
    sortNames: ['_id', '_lastUpdated', ...names, ...near],
  };
}

function references(type: DirectoryType): readonly DirectoryParameter[] {
  return directoryResource(type).parameters.filter((parameter) => parameter.type === 'reference');
}

function askedParameterOf({ name, type, paths, targets }: DirectoryParameter): AskedParameter<OwnCriterion> {
  return {
    name,
    type,
    isCode: paths.every((path) => path.includes('#')),
    ...(targets !== undefined && { targets }),
    ...(type === 'special' && { own: { '': parseNear } }),
    ...(type === 'token' && {
      own: {
        text: (texts: readonly string[]) =>
          understood<OwnCriterion>({ kind: 'text', name, anyOf: texts.map(unescaped) }),
      },
    }),
  };
}
