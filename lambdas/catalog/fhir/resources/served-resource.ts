/** Types of the tables of served resources: search parameters, references, profiles. */

import type { FhirResource } from 'fhir/r4.js';

/** A resource type of R4. */
export type ResourceType = FhirResource['resourceType'];

/** Types of R4's search parameters that are served (R4, search.html#ptypes). */
export type SearchParameterType = 'date' | 'reference' | 'string' | 'token' | 'uri';

/** An element that a search compares, and how to read its value. */
export interface ElementSource {
  /** Path of the element, through all elements of lists: `insurance.coverage`. */
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
    | 'string'
    | 'uri';
  /** Code system that the binding of an element of type `code` implies. */
  readonly system?: string;
  /** The only type of a referenced resource that is compared, for a `Reference`. */
  readonly type?: ResourceType;
  /** URL of the extension that has the value; `path` leads to the extension. */
  readonly extension?: string;
}

export interface SearchParameter {
  /** Name in a query: `service-date`. */
  readonly name: string;
  readonly type: SearchParameterType;
  /** Canonical URL of the parameter's definition (SearchParameter.url); absent for parameters of this service. */
  readonly definition?: string;
  /** The compared elements, as a text for the documentation. */
  readonly documentation: string;
  /** The compared elements as paths; empty for `_id` and `_lastUpdated`. */
  readonly sources: readonly ElementSource[];
  /**
   * The parameter whose values this parameter's elements refer to. A search then finds the whole chain of resources: those with the value,
   * those that refer to them, those that refer to these, and so on.
   */
  readonly chainedBy?: string;
}

export interface ServedResource {
  /** FHIR interactions on the type (R4, http.html). */
  readonly interactions: readonly ('read' | 'search-type')[];
  /**
   * The element that refers to the member, as in R4's patient compartment. Absent for Patient, and for resources that several members
   * share, which are copied to each member's record.
   */
  readonly patientElement?: string;
  /** Search parameters in addition to `_id` and `_lastUpdated`, which every searchable type has. */
  readonly searchParameters: readonly SearchParameter[];
  /** Values of `_include` without the type: `patient` for `ExplanationOfBenefit:patient`. Each selects references of the resource. */
  readonly includes: readonly string[];
  /** Paths of the references of includes that are no search parameters. */
  readonly includePaths?: Readonly<Record<string, string>>;
  /** Values of `_revinclude` (R4, search.html#revinclude): `Provenance:target`. */
  readonly revIncludes: readonly string[];
  /**
   * Canonical URLs, with versions, of the profiles that resources of this type satisfy
   * (CapabilityStatement.rest.resource.supportedProfile). CARIN Blue Button requires a resource to declare its profile.
   */
  readonly supportedProfiles: readonly string[];
  /** Canonical URLs of further profiles that a load may declare, but no CapabilityStatement lists. */
  readonly acceptedProfiles?: readonly string[];
  /**
   * The date parameter by which results are sorted, newest first.
   *
   * @default `_lastUpdated`
   */
  readonly newestBy?: string;
  /** Token parameter and code of the results that come before all others; both parts are sorted newest first. */
  readonly firstBy?: { readonly parameter: string; readonly code: string };
  /** The date parameter of the time of care, which `start` and `end` of `$everything` compare. */
  readonly careDate?: string;
  /** Categories that a scope can be limited to (SMART App Launch 2.2, "Finer-grained resource constraints"), as `system|code`. */
  readonly scopeCategories?: readonly string[];
}

/** Base URL of R4's own search parameters. */
export const core = 'http://hl7.org/fhir/SearchParameter';

/** Value of `_revinclude` for types that a Provenance can be about. */
export const provenanceOf = ['Provenance:target'] as const;

/** Makes a search parameter from the file of its definition and the elements it compares. */
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
/** Sources for texts below a path, such as the parts of a name or an address. */
export const textsAt = (path: string, names: readonly string[]): readonly ElementSource[] =>
  names.map((name) => ({ path: `${path}.${name}`, as: 'string' }));
/** Sources for a choice of date or period, such as `effectiveDateTime` and `effectivePeriod`. */
export const dateOrPeriodAt = (choice: string): readonly ElementSource[] => [
  dateAt(`${choice}DateTime`),
  periodAt(`${choice}Period`),
];

/** Sources for a HumanName: any of its parts (R4, search.html#string). */
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

/** Versions of a US Core profile. Both versions of CARIN Blue Button are built on 3.1.1. */
export function usCoreProfiles(name: string, versions: readonly string[]): readonly string[] {
  return versions.map((version) => `http://hl7.org/fhir/us/core/StructureDefinition/${name}|${version}`);
}

/** Versions of a Da Vinci PDex profile; by default the two versions that appear in its examples. */
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

/**
 * A profile of CARIN Blue Button. Version 2.0.0 has dental claims and related persons; a Patient also declares 1.1.0 (docs/service.md
 * S7.2).
 */
export function carinProfile(name: string, version = carinVersion): string {
  return `http://hl7.org/fhir/us/carin-bb/StructureDefinition/${name}|${version}`;
}
