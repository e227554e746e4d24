/** The searches of a member's record (Patient Access and Payer Access), made from the table of its resource types. */

import {
  isPatientAccessType,
  type PatientAccessType,
  patientAccessTypes,
  recordSearchParameters,
  type SearchParameter,
  servedResource,
} from '../../catalog/fhir/fhir-resources.ts';
import type { SortKey } from './result-parameters.ts';
import type { AskedParameter, SearchedType, SearchedTypes } from './searched-types.ts';

const searched = new Map<PatientAccessType, SearchedType>();

/** The search parameters, includes and orders of one resource type. */
export function memberSearch(type: PatientAccessType): SearchedType {
  let known = searched.get(type);
  if (known === undefined) {
    known = searchedType(type);
    searched.set(type, known);
  }
  return known;
}

const memberSearches: SearchedTypes = {
  names: patientAccessTypes,
  of: (type) => (isPatientAccessType(type) ? memberSearch(type) : undefined),
};

function searchedType(type: PatientAccessType): SearchedType {
  const { searchParameters, includes, revIncludes } = servedResource(type);
  const dates = searchParameters.filter((parameter) => parameter.type === 'date');
  return {
    type,
    all: memberSearches,
    parameters: [...recordSearchParameters, ...searchParameters].map(askedParameterOf),
    includes: includes.map((include) => `${type}:${include}`),
    revIncludes,
    sortNames: ['_id', '_lastUpdated', ...dates.map(({ name }) => name)],
  };
}

function askedParameterOf({ name, type, sources, chainedBy }: SearchParameter): AskedParameter {
  const targets = sources.flatMap((source) => source.type ?? []);
  return {
    name,
    type,
    isCode: sources.length > 0 && sources.every(({ as }) => as === 'code'),
    ...(targets.length > 0 && targets.length === sources.length && { targets: [...new Set(targets)] }),
    ...(chainedBy !== undefined && { chainedBy }),
  };
}

/** The order of results for a request without `_sort`: newest first, claims before prior authorizations. */
export function usualSort(type: PatientAccessType): readonly SortKey[] {
  const { newestBy = '_lastUpdated', firstBy } = servedResource(type);
  const newest = { name: newestBy, descending: true };
  if (firstBy === undefined) return [newest];
  return [{ name: firstBy.parameter, first: firstBy.code, descending: false }, newest];
}
