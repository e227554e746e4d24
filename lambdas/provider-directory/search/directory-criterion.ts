/** Criteria of directory searches that no other interface has: positions, texts of codes, chains and `_has`. */

import type { DirectoryType } from '../../catalog/fhir/directory-types.ts';
import type { Criterion } from '../../fhir/query/criteria.ts';

/** A position and the distance around it, in degrees (WGS 84) and meters. */
export interface Circle {
  readonly latitude: number;
  readonly longitude: number;
  readonly meters: number;
}

/** A criterion for resources of one type. It is satisfied by one of its alternatives; a search requires all its criteria. */
export type DirectoryCriterion = Criterion | OwnCriterion;

export type OwnCriterion =
  | { readonly kind: 'near'; readonly anyOf: readonly Circle[] }
  /** Texts of a token parameter (modifier `:text`). */
  | { readonly kind: 'text'; readonly name: string; readonly anyOf: readonly string[] }
  /**
   * A reference of the resource leads to a resource that satisfies a criterion. `anyOf` has one for each type that the reference may lead
   * to (R4, search.html#chaining).
   */
  | {
      readonly kind: 'chain';
      readonly name: string;
      readonly anyOf: readonly { readonly type: DirectoryType; readonly criterion: DirectoryCriterion }[];
    }
  /** A resource of `type` refers to this resource by the parameter, and satisfies the criterion (R4, search.html#has). */
  | {
      readonly kind: 'has';
      readonly type: DirectoryType;
      readonly name: string;
      readonly criterion: DirectoryCriterion;
    };
