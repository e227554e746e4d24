/** Types of the tables of served resources: search parameters, references, profiles. */

import type { FhirResource } from 'fhir/r4.js';

/** A resource type of R4. */
export type ResourceType = FhirResource['resourceType'];

/** The types of R4's search parameters that are served (R4, search.html#ptypes). */
export type SearchParameterType = 'date' | 'reference' | 'string' | 'token' | 'uri';

/** An element that a search compares, and how its value is read. */
export interface ElementSource {
  /** `insurance.coverage`; lists are gone through. */
  readonly path: string;
  /** The element's data type (R4, datatypes.html). */
  readonly as:
    | 'canonical'
    | 'code'
    | 'CodeableConcept'
    | 'Coding'
    | 'dateTime'
    | 'Identifier'
    | 'Period'
    | 'Reference'
    | 'string';
  /** Code system that the binding of a `code` implies. */
  readonly system?: string;
  /** Only type that counts for a `Reference`. */
  readonly type?: ResourceType;
  /** URL of the extension that holds the value; `path` leads to the extension. */
  readonly extension?: string;
}

export interface SearchParameter {
  /** Name in a query: `service-date`. */
  readonly name: string;
  readonly type: SearchParameterType;
  /** Canonical URL of its definition (SearchParameter.url); none of ours has one. */
  readonly definition?: string;
  /** The elements it compares, in words. */
  readonly documentation: string;
  /** The same elements as paths; `_id` and `_lastUpdated` have none. */
  readonly sources: readonly ElementSource[];
  /**
   * The parameter with the values that this one's elements refer to. A search then finds the whole chain: what has the value, what refers to
   * it, what that refers to, and so on.
   */
  readonly chainedBy?: string;
}

export interface ServedResource {
  /** FHIR interactions on the type (R4, http.html). */
  readonly interactions: readonly ('read' | 'search-type')[];
  /**
   * The element that names the member, as in R4's patient compartment. Absent for the Patient, and for what several members share,
   * of which each member's record has a copy.
   */
  readonly patientElement?: string;
  /** Beside `_id` and `_lastUpdated`, which every type that is searched has. */
  readonly searchParameters: readonly SearchParameter[];
  /** Values of `_include` without the type: `patient` for `ExplanationOfBenefit:patient`; each names references of the resource. */
  readonly includes: readonly string[];
  /** Paths of the references of an include that is no search parameter. */
  readonly includePaths?: Readonly<Record<string, string>>;
  /** Values of `_revinclude` (R4, search.html#revinclude): `Provenance:target`. */
  readonly revIncludes: readonly string[];
  /**
   * Canonical URLs, with versions, of the profiles that resources of this type satisfy
   * (CapabilityStatement.rest.resource.supportedProfile). CARIN Blue Button asks that a resource declares its own.
   */
  readonly supportedProfiles: readonly string[];
  /** Canonical URLs of profiles that a load may declare beside those, and that no CapabilityStatement claims. */
  readonly acceptedProfiles?: readonly string[];
  /** The date parameter by which results stand, newest first; `_lastUpdated` where there is none. */
  readonly newestBy?: string;
  /** The token parameter and code of the results that stand before all others, each part newest first. */
  readonly firstBy?: { readonly parameter: string; readonly code: string };
  /** The date parameter that tells when care was given: `start` and `end` of `$everything` compare it. */
  readonly careDate?: string;
  /** Categories a scope may be limited to (SMART App Launch 2.2, "Finer-grained resource constraints"), as `system|code`. */
  readonly scopeCategories?: readonly string[];
}

/** R4's own search parameters. */
export const core = 'http://hl7.org/fhir/SearchParameter';

/** `_revinclude` of what a Provenance may tell the source of. */
export const provenanceOf = ['Provenance:target'] as const;

/** A search parameter, by the file of its definition and the elements it compares. */
export function parameter(
  name: string,
  type: SearchParameterType,
  definition: string,
  documentation: string,
  ...sources: readonly ElementSource[]
): SearchParameter {
  return { name, type, definition, documentation, sources };
}

export const conceptAt = (path: string): ElementSource => ({ path, as: 'CodeableConcept' });
export const codingAt = (path: string): ElementSource => ({ path, as: 'Coding' });
export const codeAt = (path: string, system: string): ElementSource => ({ path, as: 'code', system });
export const identifierAt = (path = 'identifier'): ElementSource => ({ path, as: 'Identifier' });
export const dateAt = (path: string): ElementSource => ({ path, as: 'dateTime' });
export const periodAt = (path: string): ElementSource => ({ path, as: 'Period' });
export const referenceAt = (path: string, type?: ResourceType): ElementSource => ({
  path,
  as: 'Reference',
  ...(type !== undefined && { type }),
});
/** Texts below a path: parts of a name or an address. */
export const textsAt = (path: string, names: readonly string[]): readonly ElementSource[] =>
  names.map((name) => ({ path: `${path}.${name}`, as: 'string' }));
/** A choice of a date or a period: `effectiveDateTime`, `effectivePeriod`. */
export const dateOrPeriodAt = (choice: string): readonly ElementSource[] => [
  dateAt(`${choice}DateTime`),
  periodAt(`${choice}Period`),
];

/** HumanName: any of its parts (R4, search.html#string). */
export const personName = textsAt('name', ['family', 'given', 'prefix', 'suffix', 'text']);
export const addressParts = textsAt('address', [
  'line',
  'city',
  'district',
  'state',
  'postalCode',
  'country',
  'text',
]);

/** Versions of a US Core profile; 3.1.1 is the one that both versions of CARIN Blue Button are built on. */
export function usCoreProfiles(name: string, versions: readonly string[]): readonly string[] {
  return versions.map((version) => `http://hl7.org/fhir/us/core/StructureDefinition/${name}|${version}`);
}

/** A profile of Da Vinci PDex, in both versions that its examples come in, unless others are named. */
export function pdexProfiles(name: string, versions = ['2.0.0', '2.2.0']): readonly string[] {
  return versions.map(
    (version) => `http://hl7.org/fhir/us/davinci-pdex/StructureDefinition/${name}|${version}`,
  );
}

/** A profile of Da Vinci HRex, which PDex is built on. */
export function hrexProfile(name: string): string {
  return `http://hl7.org/fhir/us/davinci-hrex/StructureDefinition/${name}|1.0.0`;
}

const carinVersion = '2.0.0';

/** A profile of CARIN Blue Button; 2.0.0 is the version with dental claims and related persons. A Patient also declares 1.1.0 (docs/service.md S7.2). */
export function carinProfile(name: string, version = carinVersion): string {
  return `http://hl7.org/fhir/us/carin-bb/StructureDefinition/${name}|${version}`;
}
