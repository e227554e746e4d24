import { type Interface, interfaces } from './interfaces.ts';

/**
 * Who may call a route.
 * - `public`: anybody, without key or token (metadata and discovery).
 * - `subscription`: a subscription key, no bearer token (Provider Directory holds no PHI).
 * - `member`: a subscription key and a bearer token a member consented to.
 */
export type Access = 'public' | 'subscription' | 'member';

/** What the function behind a route does. `Patient.read` is FHIR's read interaction on Patient. */
export type FhirOperation = 'capabilities' | 'smart-configuration' | 'Patient.read';

export interface FhirRoute {
  readonly interface: Interface;
  readonly method: 'GET';
  /** API Gateway resource path; `{id}` is a path parameter. */
  readonly path: string;
  readonly access: Access;
  readonly operation: FhirOperation;
  /** The path that replaces this one, where this one is deprecated; same parameters. */
  readonly successor?: string;
}

/** The path of an interface's metadata in three spellings: the description's, FHIR's, and the bare base. */
function metadata(name: Interface): readonly FhirRoute[] {
  const { basePath } = interfaces[name];
  return ['/fhir/metadata', '/metadata', ''].map((suffix) => ({
    interface: name,
    method: 'GET',
    path: `${basePath}${suffix}`,
    access: 'public',
    operation: 'capabilities',
  }));
}

function smartConfiguration(name: Interface): FhirRoute {
  return {
    interface: name,
    method: 'GET',
    path: `${interfaces[name].basePath}/.well-known/smart-configuration`,
    access: 'public',
    operation: 'smart-configuration',
  };
}

const patientRead = `${interfaces['patient-access'].basePath}/Patient/{id}`;

/**
 * Every route of a LOB's host. The gateway's resources, the functions' dispatch, the CapabilityStatement and the
 * API reference are all made from this table, so that none can promise what another refuses.
 * Source: service description, "Endpoints" and, for the older path shape, "Versioning", row 2.
 */
export const fhirRoutes: readonly FhirRoute[] = [
  ...metadata('patient-access'),
  smartConfiguration('patient-access'),
  {
    interface: 'patient-access',
    method: 'GET',
    path: patientRead,
    access: 'member',
    operation: 'Patient.read',
  },
  {
    interface: 'patient-access',
    method: 'GET',
    path: '/v1/fhir/patientaccess/Patient/{id}',
    access: 'member',
    operation: 'Patient.read',
    successor: patientRead,
  },
  ...metadata('payer-access'),
  smartConfiguration('payer-access'),
  ...metadata('provider-directory'),
];
