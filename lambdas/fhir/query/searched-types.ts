/** The tables of an interface as the front end of all searches reads them: types with their parameters, includes and orders. */

import type { SearchParameterType } from '../../catalog/fhir/resources/served-resource.ts';
import type { Criterion, CriterionContext } from './criteria.ts';
import type { ParameterReading } from './search-issue.ts';

/** A search parameter of a type. `Own` are the criteria that this interface alone has. */
export interface AskedParameter<Own = never> {
  /** Name in a query: `service-date`. */
  readonly name: string;
  readonly type: SearchParameterType | 'special';
  /** Whether all its elements are of type code, whose system the element implies: `|code` is as good as `code` then. */
  readonly isCode?: boolean;
  /** Types that a reference leads to; undefined for any. */
  readonly targets?: readonly string[];
  /** The parameter with the values that this one's elements refer to (`SearchParameter.chainedBy`). */
  readonly chainedBy?: string;
  /** Readers of the interface's own modifiers, by their names; '' reads the parameter without one. */
  readonly own?: Readonly<Record<string, (texts: readonly string[]) => ParameterReading<Own>>>;
}

/** The searches of one type. */
export interface SearchedType<Own = never> {
  readonly type: string;
  /** The searches of the interface, this one among them. */
  readonly all: SearchedTypes<Own>;
  /** All of its parameters, `_id` and `_lastUpdated` among them. */
  readonly parameters: readonly AskedParameter<Own>[];
  /** Values of `_include`: `Type:parameter`. */
  readonly includes: readonly string[];
  /** Values of `_revinclude`: `Type:parameter` of other types. */
  readonly revIncludes: readonly string[];
  /** Names that `_sort` takes. */
  readonly sortNames: readonly string[];
}

/** The reading of one parameter: `unknown` where the type has none of its name. */
export type CriterionReading<Own> =
  | ParameterReading<Criterion | Own | undefined>
  | { readonly kind: 'unknown' };

/** Reads a parameter about other resources, `_has:…` or `reference.…`, in the searches of a type. */
export type LinkedReader<Own> = (
  type: SearchedType<Own>,
  sentName: string,
  texts: readonly string[],
  context: CriterionContext,
  hops: number,
) => CriterionReading<Own>;

/** The searches of an interface. */
export interface SearchedTypes<Own = never> {
  readonly names: readonly string[];
  /** Undefined for a type that is not searched here. */
  of(type: string): SearchedType<Own> | undefined;
  /** Reads chains and `_has`; absent where they are refused. */
  readonly linked?: LinkedReader<Own>;
}

/** The parameter of a name, without a modifier. */
export function askedParameter<Own>(
  { parameters }: SearchedType<Own>,
  name: string,
): AskedParameter<Own> | undefined {
  return parameters.find((each) => each.name === name);
}
