/** Conditions of a directory search, as its parameters are parsed into them. */

import type { DirectoryType } from '../../catalog/fhir/directory-resources.ts';
import type { TokenQuery } from '../search/criterion.ts';
import type { DateQuery } from '../search/date-comparison.ts';

/** Comparison of a string: by its folded form, but for `exact`. */
export type TextComparison = 'starts-with' | 'exact' | 'contains';

/** A point and the distance around it. Degrees (WGS 84) and meters. */
export interface Circle {
  readonly latitude: number;
  readonly longitude: number;
  readonly meters: number;
}

/** A condition on resources of one type, as a search's parameters make it. Alternatives are within, several conditions are all required. */
export type SearchCondition =
  | { readonly kind: 'ids'; readonly type: DirectoryType; readonly anyOf: readonly string[] }
  | { readonly kind: 'updated'; readonly type: DirectoryType; readonly anyOf: readonly DateQuery[] }
  | {
      readonly kind: 'tokens';
      readonly type: DirectoryType;
      readonly parameter: string;
      readonly anyOf: readonly TokenQuery[];
    }
  | {
      readonly kind: 'texts';
      readonly type: DirectoryType;
      readonly parameter: string;
      /** `text`: of the texts of a token parameter (modifier `:text`). */
      readonly of: 'values' | 'texts';
      readonly comparison: TextComparison;
      readonly anyOf: readonly string[];
    }
  | {
      readonly kind: 'dates';
      readonly type: DirectoryType;
      readonly parameter: string;
      readonly anyOf: readonly DateQuery[];
    }
  /** `Type/id`; '' for a resource that can't be in the directory. */
  | {
      readonly kind: 'references';
      readonly type: DirectoryType;
      readonly parameter: string;
      readonly anyOf: readonly string[];
    }
  | { readonly kind: 'near'; readonly anyOf: readonly Circle[] }
  | {
      readonly kind: 'missing';
      readonly type: DirectoryType;
      readonly parameter: string;
      readonly missing: boolean;
    }
  | { readonly kind: 'not'; readonly condition: SearchCondition }
  /** A reference of the resource leads to one that satisfies one of the conditions, one for each type it may lead to (R4, search.html#chaining). */
  | {
      readonly kind: 'chain';
      readonly type: DirectoryType;
      readonly parameter: string;
      readonly anyOf: readonly { readonly type: DirectoryType; readonly condition: SearchCondition }[];
    }
  /** A resource of `type` refers to this one by `parameter` and satisfies the condition (R4, search.html#has). */
  | {
      readonly kind: 'has';
      readonly type: DirectoryType;
      readonly parameter: string;
      readonly condition: SearchCondition;
    };
