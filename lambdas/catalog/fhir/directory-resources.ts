/**
 * Table of the Provider Directory's resource types and their search parameters, from Da Vinci PDex Plan-Net 1.1.0. The publication's index,
 * the search, the CapabilityStatement and the published documents are made from it.
 *
 * @see http://hl7.org/fhir/us/davinci-pdex-plan-net/STU1.1/CapabilityStatement-plan-net.html
 */

import type { DirectoryType } from './directory-types.ts';

/** Types of R4's search parameters in the directory (R4, search.html#ptypes). `special` is for `near` alone. */
export type DirectoryParameterType = 'date' | 'reference' | 'special' | 'string' | 'token';

export interface DirectoryParameter {
  /** Name in a query: `address-city`. */
  readonly name: string;
  readonly type: DirectoryParameterType;
  /** Canonical URL of the parameter's definition (SearchParameter.url). */
  readonly definition: string;
  /**
   * Paths of the compared values in the resource, through all elements of lists. `extension(name)` is the guide's extension with that name.
   * A path that begins with a code system and `#` leads to codes of that system.
   */
  readonly paths: readonly string[];
  /** Types that a reference leads to, which a chained parameter and `_has` can name. */
  readonly targets?: readonly string[];
}

export interface DirectoryResource {
  readonly parameters: readonly DirectoryParameter[];
  /** Canonical URLs, without version, of the profiles that each resource declares. */
  readonly profiles: readonly string[];
  /** Path of the name that resources of the type are sorted by. */
  readonly sortedBy?: string;
  /**
   * Path of the element that says whether a resource is active, and its values for active ones. Inactive resources are returned only if a
   * query asks for them by `active` or `status`.
   */
  readonly listed: { readonly path: string; readonly values: readonly string[] };
}

const guide = 'http://hl7.org/fhir/us/davinci-pdex-plan-net';
const core = 'http://hl7.org/fhir/SearchParameter';

/** URLs of the guide's extensions that parameters read, by their name in the table. */
export const directoryExtensions: Readonly<Record<string, string>> = {
  network: `${guide}/StructureDefinition/network-reference`,
  coverageArea: `${guide}/StructureDefinition/location-reference`,
};

function parameter(
  type: Exclude<DirectoryParameterType, 'reference'>,
  definition: string,
  name: string,
  ...paths: readonly string[]
): DirectoryParameter {
  return { name, type, definition, paths };
}

const planNet = (id: string) => `${guide}/SearchParameter/${id}`;

function reference(
  definition: string,
  name: string,
  path: string,
  ...targets: readonly string[]
): DirectoryParameter {
  return { name, type: 'reference', definition: planNet(definition), paths: [path], targets };
}

const addressParts = ['line', 'city', 'district', 'state', 'postalCode', 'country', 'text'];
const address = (path: string) => addressParts.map((part) => `${path}.${part}`);
const nameParts = ['family', 'given', 'prefix', 'suffix', 'text'].map((part) => `name.${part}`);
const profile = (name: string) => `${guide}/StructureDefinition/${name}`;

const active = { path: 'active', values: ['true'] };
const activeParameter = (type: string) => parameter('token', `${core}/${type}-active`, 'active', 'active');
const publicationStatus = 'http://hl7.org/fhir/publication-status#status';

/** Resource types with their parameters and profiles. */
export const directoryResources = {
  Organization: {
    parameters: [
      parameter('token', planNet('organization-type'), 'type', 'type'),
      parameter('string', planNet('organization-name'), 'name', 'name', 'alias'),
      parameter('string', planNet('organization-address'), 'address', ...address('address')),
      reference('organization-partof', 'partof', 'partOf', 'Organization'),
      reference('organization-endpoint', 'endpoint', 'endpoint', 'Endpoint'),
      reference('organization-coverage-area', 'coverage-area', 'extension(coverageArea)', 'Location'),
      parameter('token', `${core}/Organization-identifier`, 'identifier', 'identifier'),
      activeParameter('Organization'),
    ],
    profiles: [profile('plannet-Organization'), profile('plannet-Network')],
    sortedBy: 'name',
    listed: active,
  },
  Location: {
    parameters: [
      parameter('token', planNet('location-type'), 'type', 'type'),
      parameter('string', planNet('location-address'), 'address', ...address('address')),
      parameter('string', planNet('location-address-city'), 'address-city', 'address.city'),
      parameter('string', planNet('location-address-state'), 'address-state', 'address.state'),
      parameter('string', planNet('location-address-postalcode'), 'address-postalcode', 'address.postalCode'),
      parameter('string', `${core}/Location-name`, 'name', 'name', 'alias'),
      reference('location-organization', 'organization', 'managingOrganization', 'Organization'),
      reference('location-endpoint', 'endpoint', 'endpoint', 'Endpoint'),
      reference('location-partof', 'partof', 'partOf', 'Location'),
      parameter('special', `${core}/Location-near`, 'near', 'position'),
      parameter('token', `${core}/Location-identifier`, 'identifier', 'identifier'),
      parameter('token', `${core}/Location-status`, 'status', 'http://hl7.org/fhir/location-status#status'),
    ],
    profiles: [profile('plannet-Location')],
    sortedBy: 'name',
    listed: { path: 'status', values: ['active'] },
  },
  Endpoint: {
    parameters: [
      reference('endpoint-organization', 'organization', 'managingOrganization', 'Organization'),
      parameter('token', `${core}/Endpoint-identifier`, 'identifier', 'identifier'),
      parameter('token', `${core}/Endpoint-status`, 'status', 'http://hl7.org/fhir/endpoint-status#status'),
    ],
    profiles: [profile('plannet-Endpoint')],
    sortedBy: 'name',
    listed: { path: 'status', values: ['active'] },
  },
  HealthcareService: {
    parameters: [
      parameter('string', planNet('healthcareservice-name'), 'name', 'name'),
      parameter('token', planNet('healthcareservice-service-category'), 'service-category', 'category'),
      parameter('token', planNet('healthcareservice-service-type'), 'service-type', 'type'),
      parameter('token', planNet('healthcareservice-specialty'), 'specialty', 'specialty'),
      reference('healthcareservice-location', 'location', 'location', 'Location'),
      reference('healthcareservice-coverage-area', 'coverage-area', 'coverageArea', 'Location'),
      reference('healthcareservice-organization', 'organization', 'providedBy', 'Organization'),
      reference('healthcareservice-endpoint', 'endpoint', 'endpoint', 'Endpoint'),
      activeParameter('HealthcareService'),
    ],
    profiles: [profile('plannet-HealthcareService')],
    sortedBy: 'name',
    listed: active,
  },
  InsurancePlan: {
    parameters: [
      parameter('string', planNet('insuranceplan-name'), 'name', 'name', 'alias'),
      parameter('token', planNet('insuranceplan-type'), 'type', 'type'),
      parameter('token', planNet('insuranceplan-plan-type'), 'plan-type', 'plan.type'),
      parameter('token', planNet('insuranceplan-identifier'), 'identifier', 'identifier'),
      reference('insuranceplan-administered-by', 'administered-by', 'administeredBy', 'Organization'),
      reference('insuranceplan-owned-by', 'owned-by', 'ownedBy', 'Organization'),
      reference('insuranceplan-coverage-area', 'coverage-area', 'coverageArea', 'Location'),
      reference('insuranceplan-network', 'network', 'network', 'Organization'),
      parameter('token', `${core}/InsurancePlan-status`, 'status', publicationStatus),
    ],
    profiles: [profile('plannet-InsurancePlan')],
    sortedBy: 'name',
    listed: { path: 'status', values: ['active'] },
  },
  Practitioner: {
    parameters: [
      parameter('string', planNet('practitioner-name'), 'name', ...nameParts),
      parameter('string', planNet('practitioner-family-name'), 'family', 'name.family'),
      parameter('string', planNet('practitioner-given-name'), 'given', 'name.given'),
      parameter('token', `${core}/Practitioner-identifier`, 'identifier', 'identifier'),
      parameter('token', `${core}/Practitioner-communication`, 'communication', 'communication'),
      parameter(
        'token',
        `${core}/individual-gender`,
        'gender',
        'http://hl7.org/fhir/administrative-gender#gender',
      ),
      activeParameter('Practitioner'),
    ],
    profiles: [profile('plannet-Practitioner')],
    sortedBy: 'name.family',
    listed: active,
  },
  PractitionerRole: {
    parameters: [
      parameter('token', planNet('practitionerrole-role'), 'role', 'code'),
      parameter('token', planNet('practitionerrole-specialty'), 'specialty', 'specialty'),
      reference('practitionerrole-practitioner', 'practitioner', 'practitioner', 'Practitioner'),
      reference('practitionerrole-organization', 'organization', 'organization', 'Organization'),
      reference('practitionerrole-location', 'location', 'location', 'Location'),
      reference('practitionerrole-service', 'service', 'healthcareService', 'HealthcareService'),
      reference('practitionerrole-network', 'network', 'extension(network)', 'Organization'),
      reference('practitionerrole-endpoint', 'endpoint', 'endpoint', 'Endpoint'),
      parameter('date', planNet('practitionerrole-period'), 'period', 'period'),
      parameter('date', `${core}/PractitionerRole-date`, 'date', 'period'),
      activeParameter('PractitionerRole'),
    ],
    profiles: [profile('plannet-PractitionerRole')],
    listed: active,
  },
  OrganizationAffiliation: {
    parameters: [
      parameter('token', planNet('organizationaffiliation-role'), 'role', 'code'),
      parameter('token', planNet('organizationaffiliation-specialty'), 'specialty', 'specialty'),
      reference(
        'organizationaffiliation-primary-organization',
        'primary-organization',
        'organization',
        'Organization',
      ),
      reference(
        'organizationaffiliation-participating-organization',
        'participating-organization',
        'participatingOrganization',
        'Organization',
      ),
      reference('organizationaffiliation-location', 'location', 'location', 'Location'),
      reference('organizationaffiliation-service', 'service', 'healthcareService', 'HealthcareService'),
      reference('organizationaffiliation-network', 'network', 'network', 'Organization'),
      reference('organizationaffiliation-endpoint', 'endpoint', 'endpoint', 'Endpoint'),
      parameter('date', planNet('organizationaffiliation-period'), 'period', 'period'),
      parameter('date', `${core}/OrganizationAffiliation-date`, 'date', 'period'),
      activeParameter('OrganizationAffiliation'),
    ],
    profiles: [profile('plannet-OrganizationAffiliation')],
    listed: active,
  },
} as const satisfies Readonly<Record<DirectoryType, DirectoryResource>>;

/** The table's row of a type, as the general type `DirectoryResource`. */
export function directoryResource(type: DirectoryType): DirectoryResource {
  return directoryResources[type];
}

/** A parameter of a type by name. */
export function directoryParameter(type: DirectoryType, name: string): DirectoryParameter | undefined {
  return directoryResource(type).parameters.find((each) => each.name === name);
}
