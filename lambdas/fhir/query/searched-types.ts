/**
 * Types of the tables that a query is parsed with: the searched resource types of an interface, with their parameters, includes and orders.
 */

import type { SearchParameterType } from '../../catalog/fhir/resources/served-resource.ts';
import type { Criterion, CriterionContext } from './criteria.ts';
import type { ParameterReading } from './search-issue.ts';

/** A search parameter of a resource type. `Own` is the type of criteria that only this interface has. */
export interface AskedParameter<Own = never> {
  /** Name in a query, such as `service-date`. */
  readonly name: string;
  readonly type: SearchParameterType | 'special';
  /** Whether all elements of the parameter are of type code, whose system is implied: `|code` then means the same as `code`. */
  readonly isCode?: boolean;
  /** Resource types that a reference may lead to; undefined for any. */
  readonly targets?: readonly string[];
  /** Name of the parameter with the links to follow as a chain (`SearchParameter.chainedBy`). */
  readonly chainedBy?: string;
  /** Parsers of the interface's own modifiers, by modifier; '' parses the parameter without a modifier. */
  readonly own?: Readonly<Record<string, (texts: readonly string[]) => ParameterReading<Own>>>;
}

/** The search parameters, includes and orders of one resource type. */
export interface SearchedType<Own = never> {
  readonly type: string;
  /** The searches of all types of the interface. */
  readonly all: SearchedTypes<Own>;
  /** All parameters of the type, including `_id` and `_lastUpdated`. */
  readonly parameters: readonly AskedParameter<Own>[];
  /** Values of `_include`: `Type:parameter`. */
  readonly includes: readonly string[];
  /** Values of `_revinclude`: `Type:parameter` of other types. */
  readonly revIncludes: readonly string[];
  /** Names that `_sort` takes. */
  readonly sortNames: readonly string[];
}

/** The parsed criterion of one parameter; `unknown` if the type has no parameter of that name. */
export type CriterionReading<Own> =
  | ParameterReading<Criterion | Own | undefined>
  | { readonly kind: 'unknown' };

/** Parses a parameter about linked resources: `_has:…` or a chain `reference.…`. */
export type LinkedReader<Own> = (
  type: SearchedType<Own>,
  sentName: string,
  texts: readonly string[],
  context: CriterionContext,
  hops: number,
) => CriterionReading<Own>;

/** The searches of all types of an interface. */
export interface SearchedTypes<Own = never> {
  readonly names: readonly string[];
  /** The searches of a type; undefined for a type that this interface doesn't search. */
  of(type: string): SearchedType<Own> | undefined;
  /** Parses chains and `_has`; absent on interfaces that refuse them. */
  readonly linked?: LinkedReader<Own>;
}

/** Finds the parameter of a name without a modifier. */
export function askedParameter<Own>(
  { parameters }: SearchedType<Own>,
  name: string,
): AskedParameter<Own> | undefined {
  return parameters.find((each) => each.name === name);
}
