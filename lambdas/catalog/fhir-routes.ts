import { type PatientAccessType, patientAccessTypes, servedResource } from './fhir-resources.ts';
import { type Interface, interfaces } from './interfaces.ts';

/**
 * Who may call a route.
 * - `public`: anybody, without key or token (metadata and discovery).
 * - `subscription`: a subscription key, no bearer token (Provider Directory holds no PHI).
 * - `member`: a subscription key and a bearer token a member consented to.
 */
export type RouteAccess = 'public' | 'subscription' | 'member';

/** A FHIR interaction on a type (R4, http.html), or an operation: `Coverage.search-type`, `Patient.everything`. */
export type DataOperation = `${PatientAccessType}.${'read' | 'search-type'}` | 'Patient.everything';

/** What the function behind a route does. */
export type FhirOperation = 'capabilities' | 'smart-configuration' | DataOperation;

export interface FhirRoute {
  readonly interface: Interface;
  readonly method: 'GET' | 'POST';
  /** API Gateway resource path; `{id}` and `{operation}` are path parameters. */
  readonly path: string;
  readonly access: RouteAccess;
  readonly operation: FhirOperation;
  /** The path that replaces this one, where this one is deprecated; same parameters. */
  readonly successor?: string;
}

/** The path of an interface's metadata in three spellings: the description's, FHIR's, and the bare base. */
function metadata(name: Interface): readonly FhirRoute[] {
  return ['/fhir/metadata', '/metadata', ''].map((suffix) => ({
    interface: name,
    method: 'GET',
    path: `${interfaces[name].basePath}${suffix}`,
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

const { basePath } = interfaces['patient-access'];
const patientRead = `${basePath}/Patient/{id}`;

/** The routes of a type: read by id, search by GET and, with its parameters in a form, by POST (R4, http.html#search). */
function interactions(type: PatientAccessType): readonly FhirRoute[] {
  const shared = { interface: 'patient-access', access: 'member' } as const;
  const read = `${type}.read` as const;
  const search = `${type}.search-type` as const;
  const at = `${basePath}/${type}`;
  return servedResource(type).interactions.flatMap((interaction): readonly FhirRoute[] =>
    interaction === 'read'
      ? [{ ...shared, method: 'GET', path: `${at}/{id}`, operation: read }]
      : [
          { ...shared, method: 'GET', path: at, operation: search },
          { ...shared, method: 'POST', path: `${at}/_search`, operation: search },
        ],
  );
}

/**
 * Every route of a LOB's host. The gateway's resources, the functions' dispatch, the CapabilityStatement and the
 * API reference are all made from this table, so that none can promise what another refuses.
 * Source: service description, "Endpoints" and, for the older path shape, "Versioning", row 2.
 */
export const fhirRoutes: readonly FhirRoute[] = [
  ...metadata('patient-access'),
  smartConfiguration('patient-access'),
  ...patientAccessTypes.flatMap(interactions),
  // A resource's path part takes no `$` in API Gateway: the function looks whether the operation is `$everything`.
  ...(['GET', 'POST'] as const).map((method) => ({
    interface: 'patient-access' as const,
    method,
    path: `${patientRead}/{operation}`,
    access: 'member' as const,
    operation: 'Patient.everything' as const,
  })),
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

/** The methods of a path, from its routes: HEAD where there is GET (RFC 9110 section 9.1; R4, http.html, "Support for HEAD"). */
export function methodsOf(
  atPath: readonly Pick<FhirRoute, 'method'>[],
): readonly ('GET' | 'HEAD' | 'POST')[] {
  const methods = atPath.flatMap(({ method }) => (method === 'GET' ? (['GET', 'HEAD'] as const) : [method]));
  return [...new Set(methods)];
}

/** What can be done with a member's data, each once. */
export const dataOperations: readonly DataOperation[] = [
  ...new Set(
    fhirRoutes
      .map(({ operation }) => operation)
      .filter((operation) => operation !== 'capabilities' && operation !== 'smart-configuration'),
  ),
];

export function isDataOperation(value: unknown): value is DataOperation {
  return dataOperations.some((operation) => operation === value);
}
