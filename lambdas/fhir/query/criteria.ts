/** The conditions that the parameters of a search are parsed into. */

import type { SearchParameterType } from '../../catalog/fhir/resources/served-resource.ts';
import type { DateQuery } from '../values/date-comparison.ts';

/** `code`, `system|code`, `|code` (no system) or `system|` (any code). A URI is a system. */
export interface TokenQuery {
  readonly system?: string;
  /** Other URIs that are found too: those below its path, or those whose path it is below (R4, search.html#uri). */
  readonly hierarchy?: 'above' | 'below';
  readonly code?: string;
}

/** A condition on a resource: one search parameter with the alternatives of its value. */
export type Criterion =
  /** IDs of resources of the searched type; '' for a value that can match none, such as a reference to another type or another server. */
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
      /** Name of the parameter with the links of the chain to follow (`SearchParameter.chainedBy`). */
      readonly chainedBy?: string;
    }
  | { readonly kind: 'date'; readonly name: string; readonly anyOf: readonly DateQuery[] }
  | {
      readonly kind: 'string';
      readonly name: string;
      readonly comparison: 'starts-with' | 'exact' | 'contains';
      /** Folded (`fold`), except for the comparison `exact`. */
      readonly anyOf: readonly string[];
    }
  /** `Type/id`, or an ID alone for any type; '' for a value that no stored reference can equal. */
  | { readonly kind: 'reference'; readonly name: string; readonly anyOf: readonly string[] };

export interface CriterionContext {
  /** This server's FHIR base URL. An absolute reference to another base matches nothing. */
  readonly base: string;
  /** Time of the request, milliseconds since 1970; the prefix `ap` depends on it. */
  readonly now: number;
}
