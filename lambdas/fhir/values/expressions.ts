/** Extracts the values of search parameters from a resource. */

import {
  type ElementSource,
  isPatientAccessType,
  type PatientAccessType,
  patientAccessTypes,
  recordSearchParameters,
  type SearchParameter,
  servedResource,
} from '../../catalog/fhir/fhir-resources.ts';
import { jsonMember } from '../../platform/kernel/json-members.ts';
import { type DateRange, dateRange, periodRange } from './date-range.ts';
import { fold } from './fold.ts';
import { namedReference } from './reference.ts';

/** The system and code of a Coding or Identifier, or of a code with its element's implied system; '' for no system. */
export type Token = readonly [system: string, code: string];

/** A text folded for comparison (`fold`), and the original. */
export type FoldedText = readonly [folded: string, exact: string];

/**
 * Path of a parameter's values in a resource, and the function that reads the values from an element there. An element that can't be read
 * has no values.
 */
export interface Source<Value> {
  /** Such as `insurance.coverage`; the path goes through lists. */
  readonly path: string;
  readonly read: (element: unknown) => readonly Value[];
}

type Sources<Value> = Readonly<Record<string, readonly Source<Value>[]>>;

/** Sources by search parameter; references also by the value of `_include`. */
interface Expressions {
  readonly tokens: Sources<Token>;
  readonly dates: Sources<DateRange>;
  readonly strings: Sources<FoldedText>;
  readonly references: Sources<string>;
}

/** The sources from the table lambdas/catalog/fhir/fhir-resources.ts with their readers, by type. */
const byType = Object.fromEntries(
  patientAccessTypes.map((type) => [type, expressionsOfType(type)]),
) as Readonly<Record<PatientAccessType, Expressions>>;

/**
 * The sources of a resource's search values.
 *
 * @returns undefined if the value is not a resource of a served type.
 */
export function expressionsOf(resource: unknown): Expressions | undefined {
  const type = jsonMember(resource, 'resourceType');
  return typeof type === 'string' && isPatientAccessType(type) ? byType[type] : undefined;
}

function expressionsOfType(type: PatientAccessType): Expressions {
  const { searchParameters, includePaths = {} } = servedResource(type);
  const compared = [...recordSearchParameters, ...searchParameters].filter(
    ({ sources }) => sources.length > 0,
  );
  const of = <Value>(kind: SearchParameter['type'], sourceOf: (source: ElementSource) => Source<Value>) =>
    compared
      .filter((parameter) => parameter.type === kind)
      .map(({ name, sources }) => [name, sources.map(sourceOf)] as const);
  const included = Object.entries(includePaths).map(
    ([name, path]) => [name, [referenceSource({ path, as: 'Reference' })]] as const,
  );
  return {
    tokens: Object.fromEntries([...of('token', tokenSource), ...of('uri', uriSource)]),
    dates: Object.fromEntries(of('date', dateSource)),
    strings: Object.fromEntries(of('string', ({ path }) => ({ path, read: text }))),
    references: Object.fromEntries([...of('reference', referenceSource), ...included]),
  };
}

function tokenSource({ path, as, system = '' }: ElementSource): Source<Token> {
  if (as === 'CodeableConcept') return { path, read: concept };
  if (as === 'Identifier') return { path, read: identifier };
  return { path, read: as === 'Coding' ? coding : codeOf(system) };
}

/** Reads a URI as a token: the URI is the system, the version of a canonical URL the code. */
function uriSource({ path }: ElementSource): Source<Token> {
  return {
    path,
    read: (element) => {
      if (typeof element !== 'string' || element === '') return [];
      const [url = '', version = ''] = element.split('|');
      return [[url, version]];
    },
  };
}

function dateSource({ path, as, extension }: ElementSource): Source<DateRange> {
  if (as === 'Period') return { path, read: (element) => atMostOne(periodRange(element)) };
  if (extension === undefined) return { path, read: (element) => atMostOne(dateRange(element)) };
  return {
    path,
    read: (element) =>
      jsonMember(element, 'url') === extension
        ? atMostOne(dateRange(jsonMember(element, 'valueDateTime')))
        : [],
  };
}

/** Reads a reference as `Type/id`, without its base URL: a resource of the compartment keeps its ID whatever base a source wrote. */
function referenceSource({ path, type }: ElementSource): Source<string> {
  return {
    path,
    read: (element) => {
      const name = namedReference(jsonMember(element, 'reference'))?.name;
      return type === undefined || name?.startsWith(`${type}/`) ? atMostOne(name) : [];
    },
  };
}

function identifier(element: unknown): readonly Token[] {
  return token(jsonMember(element, 'system'), jsonMember(element, 'value'));
}

function concept(element: unknown): readonly Token[] {
  const codings = jsonMember(element, 'coding');
  return Array.isArray(codings) ? codings.flatMap(coding) : [];
}

function coding(element: unknown): readonly Token[] {
  return token(jsonMember(element, 'system'), jsonMember(element, 'code'));
}

/** Reads an element of type code, with the system that its binding implies (R4, search.html#token). */
function codeOf(system: string): (element: unknown) => readonly Token[] {
  return (element) => token(system, element);
}

function token(system: unknown, code: unknown): readonly Token[] {
  return typeof code === 'string' && code !== '' ? [[typeof system === 'string' ? system : '', code]] : [];
}

function text(element: unknown): readonly FoldedText[] {
  return typeof element === 'string' && element !== '' ? [[fold(element), element]] : [];
}

function atMostOne<Value>(value: Value | undefined): readonly Value[] {
  return value === undefined ? [] : [value];
}
