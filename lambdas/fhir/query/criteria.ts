/** Criteria of a search, as its parameters are parsed into them. */

import type { SearchParameterType } from '../../catalog/fhir/resources/served-resource.ts';
import type { DateQuery } from '../values/date-comparison.ts';

/** `code`, `system|code`, `|code` (no system) or `system|` (any code). */
export interface TokenQuery {
  readonly system?: string;
  readonly code?: string;
}

/** A condition on a resource: one search parameter with the alternatives of its value. */
export type Criterion =
  /** Ids of resources of the searched type; '' for a value that names none, such as a reference to another type or another server. */
  | { readonly kind: 'id'; readonly negated: boolean; readonly anyOf: readonly string[] }
  | {
      readonly kind: 'missing';
      readonly name: string;
      readonly type: SearchParameterType | 'special';
      readonly missing: boolean;
    }
  | {
      readonly kind: 'token';
      readonly name: string;
      readonly negated: boolean;
      readonly anyOf: readonly TokenQuery[];
      /** Parameter whose values the chain's links name (`SearchParameter.chainedBy`). */
      readonly chainedBy?: string;
    }
  | { readonly kind: 'date'; readonly name: string; readonly anyOf: readonly DateQuery[] }
  | {
      readonly kind: 'string';
      readonly name: string;
      readonly comparison: 'starts-with' | 'exact' | 'contains';
      /** Folded, unless `exact`. */
      readonly anyOf: readonly string[];
    }
  /** `Type/id`, or an id of whatever type; '' for what can't be held here. */
  | { readonly kind: 'reference'; readonly name: string; readonly anyOf: readonly string[] };

export interface CriterionContext {
  /** FHIR base URL: absolute references to it are ours, others are not. */
  readonly base: string;
  /** Milliseconds since 1970; what `ap` measures nearness from. */
  readonly now: number;
}
