/** The criteria that the directory's searches have beside those of all searches: places, texts of codes, chains and `_has`. */

import type { DirectoryType } from '../../catalog/fhir/directory-types.ts';
import type { Criterion } from '../../fhir/query/criteria.ts';

/** A point and the distance around it. Degrees (WGS 84) and meters. */
export interface Circle {
  readonly latitude: number;
  readonly longitude: number;
  readonly meters: number;
}

/** A criterion of resources of one type. Alternatives are within, several criteria are all required. */
export type DirectoryCriterion = Criterion | OwnCriterion;

export type OwnCriterion =
  | { readonly kind: 'near'; readonly anyOf: readonly Circle[] }
  /** Texts of a token parameter (modifier `:text`). */
  | { readonly kind: 'text'; readonly name: string; readonly anyOf: readonly string[] }
  /** A reference of the resource leads to one that satisfies one of the criteria, one for each type it may lead to (R4, search.html#chaining). */
  | {
      readonly kind: 'chain';
      readonly name: string;
      readonly anyOf: readonly { readonly type: DirectoryType; readonly criterion: DirectoryCriterion }[];
    }
  /** A resource of `type` refers to this one by the parameter and satisfies the criterion (R4, search.html#has). */
  | {
      readonly kind: 'has';
      readonly type: DirectoryType;
      readonly name: string;
      readonly criterion: DirectoryCriterion;
    };
