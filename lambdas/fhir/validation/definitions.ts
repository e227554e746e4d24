/**
 * The official definitions that resources are validated with, as `bin/fhir-definitions.ts` makes them: R4's types, and the additional rules
 * of the served profiles.
 */

/** A profile's rules for an element, beyond those of the type. */
export interface ProfileNode {
  readonly min?: number;
  readonly max?: number;
  /** Types that the profile allows for an element with a choice of types. */
  readonly types?: readonly string[];
  /** Name of the required value set. */
  readonly codes?: string;
  readonly fixed?: unknown;
  readonly pattern?: unknown;
  /** Canonical URL of the extension's own definition. */
  readonly extension?: string;
  /** Rules of child elements, by name; a choice of types ends with `[x]`. */
  readonly children?: Readonly<Record<string, ProfileNode>>;
  readonly slices?: readonly ProfileSlice[];
}

/** Rules for the values of a list that pass every test of `when`. */
export interface ProfileSlice extends ProfileNode {
  readonly name: string;
  readonly when: readonly SliceTest[];
}

/** A test of the values at a path below a value. */
export interface SliceTest {
  readonly path: readonly string[];
  readonly is:
    | { readonly kind: 'fixed' | 'pattern'; readonly value: unknown }
    | { readonly kind: 'codes'; readonly valueSet: string }
    | { readonly kind: 'types'; readonly types: readonly string[] }
    | { readonly kind: 'exists'; readonly exists: boolean }
    | { readonly kind: 'all'; readonly tests: readonly SliceTest[] };
}

export interface Definitions {
  /** Packages that the definitions were made from. */
  readonly source: string;
  /** Resource types; one with `*` has no narrative and contains nothing. */
  readonly resourceTypes: readonly string[];
  /**
   * The elements of each resource type, data type and backbone element (`Claim.item`), as `<min>..<max> <types> =<value set>`, without the
   * elements that all of them have.
   */
  readonly types: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The codes of required value sets, by name and system. */
  readonly valueSets: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Profiles, by canonical URL with version. */
  readonly profiles: Readonly<Record<string, { readonly type: string; readonly root: ProfileNode }>>;
  readonly extensions: Readonly<Record<string, ProfileNode>>;
}
