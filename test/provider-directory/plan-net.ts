/**
 * Requirements of Plan-Net 1.1.0 for a server: the SHALL search parameters, includes and chains of its CapabilityStatement and SearchParameters.
 *
 * @see http://hl7.org/fhir/us/davinci-pdex-plan-net/STU1.1/CapabilityStatement-plan-net.html
 */
export const planNet = {
  Endpoint: {
    parameters: {
      organization: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/endpoint-organization',
    },
    include: ['Endpoint:organization'],
    revinclude: [],
  },
  HealthcareService: {
    parameters: {
      location: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/healthcareservice-location',
      'coverage-area':
        'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/healthcareservice-coverage-area',
      organization:
        'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/healthcareservice-organization',
      endpoint: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/healthcareservice-endpoint',
      name: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/healthcareservice-name',
      'service-category':
        'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/healthcareservice-service-category',
      'service-type':
        'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/healthcareservice-service-type',
      specialty: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/healthcareservice-specialty',
    },
    include: [
      'HealthcareService:location',
      'HealthcareService:coverage-area',
      'HealthcareService:organization',
      'HealthcareService:endpoint',
    ],
    revinclude: ['PractitionerRole:service', 'OrganizationAffiliation:service'],
  },
  InsurancePlan: {
    parameters: {
      'administered-by':
        'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/insuranceplan-administered-by',
      'owned-by': 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/insuranceplan-owned-by',
      'coverage-area':
        'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/insuranceplan-coverage-area',
      name: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/insuranceplan-name',
      'plan-type': 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/insuranceplan-plan-type',
      identifier: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/insuranceplan-identifier',
      type: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/insuranceplan-type',
    },
    include: ['InsurancePlan:administered-by', 'InsurancePlan:owned-by', 'InsurancePlan:coverage-area'],
    revinclude: [],
  },
  Location: {
    parameters: {
      partof: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/location-partof',
      organization: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/location-organization',
      endpoint: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/location-endpoint',
      'address-city': 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/location-address-city',
      'address-state': 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/location-address-state',
      'address-postalcode':
        'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/location-address-postalcode',
      address: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/location-address',
      type: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/location-type',
    },
    include: ['Location:endpoint', 'Location:organization', 'Location:partof'],
    revinclude: [
      'HealthcareService:location',
      'InsurancePlan:coverage-area',
      'OrganizationAffiliation:location',
      'PractitionerRole:location',
    ],
  },
  Organization: {
    parameters: {
      partof: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/organization-partof',
      endpoint: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/organization-endpoint',
      address: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/organization-address',
      name: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/organization-name',
      type: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/organization-type',
      'coverage-area':
        'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/organization-coverage-area',
    },
    include: ['Organization:partof', 'Organization:endpoint', 'Organization:coverage-area'],
    revinclude: [
      'Endpoint:organization',
      'HealthcareService:organization',
      'InsurancePlan:administered-by',
      'InsurancePlan:owned-by',
      'OrganizationAffiliation:primary-organization',
      'PractitionerRole:organization',
      'PractitionerRole:network',
      'OrganizationAffiliation:participating-organization',
    ],
  },
  OrganizationAffiliation: {
    parameters: {
      'primary-organization':
        'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/organizationaffiliation-primary-organization',
      'participating-organization':
        'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/organizationaffiliation-participating-organization',
      location:
        'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/organizationaffiliation-location',
      service: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/organizationaffiliation-service',
      network: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/organizationaffiliation-network',
      endpoint:
        'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/organizationaffiliation-endpoint',
      role: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/organizationaffiliation-role',
      specialty:
        'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/organizationaffiliation-specialty',
    },
    include: [
      'OrganizationAffiliation:primary-organization',
      'OrganizationAffiliation:participating-organization',
      'OrganizationAffiliation:location',
      'OrganizationAffiliation:service',
      'OrganizationAffiliation:endpoint',
      'OrganizationAffiliation:network',
    ],
    revinclude: [],
  },
  Practitioner: {
    parameters: {
      name: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/practitioner-name',
      family: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/practitioner-family-name',
      given: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/practitioner-given-name',
    },
    include: [],
    revinclude: ['PractitionerRole:practitioner'],
  },
  PractitionerRole: {
    parameters: {
      practitioner:
        'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/practitionerrole-practitioner',
      organization:
        'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/practitionerrole-organization',
      location: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/practitionerrole-location',
      service: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/practitionerrole-service',
      network: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/practitionerrole-network',
      endpoint: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/practitionerrole-endpoint',
      role: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/practitionerrole-role',
      specialty: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/SearchParameter/practitionerrole-specialty',
    },
    include: [
      'PractitionerRole:practitioner',
      'PractitionerRole:organization',
      'PractitionerRole:location',
      'PractitionerRole:service',
      'PractitionerRole:network',
      'PractitionerRole:endpoint',
    ],
    revinclude: [],
  },
} as const;

/** Target types of references and the parameters that can be chained to them, by type and reference. */
export const planNetChains = {
  'Endpoint.organization': [['Organization'], ['name', 'address', 'partof', 'type']],
  'HealthcareService.endpoint': [['Endpoint'], ['organization']],
  'HealthcareService.location': [
    ['Location'],
    ['address', 'address-postalcode', 'address-city', 'address-state', 'organization', 'type'],
  ],
  'HealthcareService.organization': [['Organization'], ['name', 'address', 'partof', 'type']],
  'InsurancePlan.administered-by': [['Organization'], ['name', 'partof']],
  'InsurancePlan.owned-by': [['Organization'], ['name', 'partof']],
  'Location.endpoint': [['Endpoint'], ['organization']],
  'Location.organization': [['Organization'], ['name', 'address', 'partof', 'type']],
  'Location.partof': [['Location'], ['type', 'address', 'organization']],
  'Organization.endpoint': [['Endpoint'], ['organization']],
  'Organization.partof': [['Organization'], ['name', 'address', 'type']],
  'OrganizationAffiliation.endpoint': [['Endpoint'], ['organization']],
  'OrganizationAffiliation.location': [
    ['Location'],
    ['address', 'address-postalcode', 'address-city', 'address-state', 'organization', 'type'],
  ],
  'OrganizationAffiliation.network': [['Organization'], ['name', 'partof']],
  'OrganizationAffiliation.participating-organization': [
    ['Organization'],
    ['type', 'address', 'name', 'partof'],
  ],
  'OrganizationAffiliation.primary-organization': [['Organization'], ['type', 'address', 'name', 'partof']],
  'OrganizationAffiliation.service': [
    ['HealthcareService'],
    ['service-category', 'organization', 'location'],
  ],
  'PractitionerRole.endpoint': [['Endpoint'], ['organization']],
  'PractitionerRole.location': [
    ['Location'],
    ['address', 'address-postalcode', 'address-city', 'address-state', 'organization', 'type'],
  ],
  'PractitionerRole.network': [['Organization'], ['name', 'address', 'partof', 'type']],
  'PractitionerRole.organization': [['Organization'], ['name', 'address', 'partof', 'type']],
  'PractitionerRole.practitioner': [['Practitioner'], ['name']],
  'PractitionerRole.service': [['HealthcareService'], ['service-category', 'organization', 'location']],
} as const;
