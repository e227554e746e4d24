/** Table of the routes of all FHIR interfaces: paths, methods, operations and required credentials. */

import {
  type DirectoryDefinition,
  type DirectoryType,
  directoryDefinitions,
  directoryTypes,
} from './directory-types.ts';
import type { ResourceType, ServedResource } from './fhir-resources.ts';
import {
  type Interface,
  type InterfaceCaller,
  interfaceNames,
  interfaces,
  type ServedOperation,
  servedInterface,
  servedResources,
} from './interfaces.ts';

/** Credentials that a route requires: those of its interface, or none (`public`: metadata and discovery). */
export type RouteAccess = 'public' | InterfaceCaller;

type Row = (typeof interfaces)[Interface];
type TypesOf<OneRow> = OneRow extends { readonly resources: infer Resources }
  ? keyof Resources & string
  : never;
type OperationsOf<OneRow> = OneRow extends { readonly operations: readonly (infer Operation)[] }
  ? Operation extends ServedOperation
    ? `${Operation['type']}.${Operation['name']}`
    : never
  : never;

/** A FHIR interaction on a type (R4, http.html), or an operation: `Coverage.search-type`, `Patient.everything`. */
export type DataOperation = `${TypesOf<Row>}.${'read' | 'search-type'}` | OperationsOf<Row>;

/** An interaction on a type of the Provider Directory, whose data are about no member. */
export type DirectoryInteraction =
  | `directory.${DirectoryType}.${'read' | 'vread' | 'search-type'}`
  | `directory.${DirectoryDefinition}.read`;

/** Operations on a whole publication of the directory: its bulk files, its Plan Finder files, and its truth report. */
export const publicationOperations = [
  'publication.bulk-publish',
  'publication.export',
  'publication.export-status',
  'publication.file',
  'publication.plan-finder',
  'publication.truth-report',
] as const;
export type PublicationOperation = (typeof publicationOperations)[number];

/** Operations on the groups that a payer's application matched, and on its asynchronous jobs. */
export const payerGroupOperations = [
  'Group.read',
  'Group.search-type',
  'job-status',
  'job-cancel',
  'job-file',
] as const;
export type GroupOperation = (typeof payerGroupOperations)[number];

/** Documents by which other payers and apps find this plan. */
export const discoveryOperations = ['davinci-configuration', 'payer-index', 'user-access-brands'] as const;
export type DiscoveryOperation = (typeof discoveryOperations)[number];

/** Operation that the function behind a route carries out. */
export type FhirOperation =
  | 'capabilities'
  | 'smart-configuration'
  | DiscoveryOperation
  | DataOperation
  | DirectoryInteraction
  | PublicationOperation
  | GroupOperation;

export interface FhirRoute {
  readonly interface: Interface;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path template, in which `{id}` and `{operation}` are parameters. */
  readonly path: string;
  /**
   * API Gateway resource path, if it differs from `path`. A path segment in API Gateway can't contain `$`, so `{id}` matches it instead;
   * and one `{proxy+}` stands for all paths of the directory, or of Payer Access, because a stack can have only 500 resources.
   */
  readonly gatewayPath?: string;
  readonly access: RouteAccess;
  readonly operation: FhirOperation;
  /** The path that replaces this deprecated one, with the same parameters. */
  readonly successor?: string;
}

/** The three metadata routes of an interface: the path in docs/service.md, FHIR's, and the base itself. */
function metadata(name: Interface): readonly FhirRoute[] {
  return ['/fhir/metadata', '/metadata', ''].map((suffix) => ({
    interface: name,
    method: 'GET',
    path: `${interfaces[name].basePath}${suffix}`,
    access: 'public',
    operation: 'capabilities',
  }));
}

/** One resource of API Gateway for all documents in `.well-known`. */
function wellKnownGatewayPath(name: Interface): string {
  return `${interfaces[name].basePath}/.well-known/{proxy+}`;
}

/** The route of the SMART configuration, which says how to get tokens. An interface without tokens has none. */
function smartConfiguration(name: Interface): readonly FhirRoute[] {
  const { basePath, caller } = servedInterface(name);
  if (caller === 'key') return [];
  const path = `${basePath}/.well-known/smart-configuration`;
  return [
    {
      ...{ interface: name, method: 'GET', path, gatewayPath: wellKnownGatewayPath(name) },
      ...{ access: 'public', operation: 'smart-configuration' },
    },
  ];
}

/** The routes of the documents by which other payers and apps find this plan. */
const discoveryRoutes: readonly FhirRoute[] = [
  {
    interface: 'payer-access',
    method: 'GET',
    path: `${interfaces['payer-access'].basePath}/.well-known/davinci-configuration`,
    gatewayPath: wellKnownGatewayPath('payer-access'),
    access: 'public',
    operation: 'davinci-configuration',
  },
  {
    interface: 'payer-access',
    method: 'GET',
    path: `${interfaces['payer-access'].basePath}/.well-known/payer-index`,
    gatewayPath: wellKnownGatewayPath('payer-access'),
    access: 'public',
    operation: 'payer-index',
  },
  {
    interface: 'patient-access',
    method: 'GET',
    path: `${interfaces['patient-access'].basePath}/.well-known/user-access-brands`,
    gatewayPath: wellKnownGatewayPath('patient-access'),
    access: 'public',
    operation: 'user-access-brands',
  },
];

/** The routes of a type: read by id, search by GET and, with its parameters in a form, by POST (R4, http.html#search). */
function interactions(name: Interface, type: ResourceType, resource: ServedResource): readonly FhirRoute[] {
  const { basePath, caller: access } = servedInterface(name);
  const shared = {
    interface: name,
    access,
    ...(access === 'backend' && { gatewayPath: `${basePath}/{proxy+}` }),
  } as const;
  const at = `${basePath}/${type}`;
  return resource.interactions.flatMap((interaction): readonly FhirRoute[] => {
    const operation = `${type}.${interaction}` as DataOperation;
    return interaction === 'read'
      ? [{ ...shared, method: 'GET', path: `${at}/{id}`, operation }]
      : [
          { ...shared, method: 'GET', path: at, operation },
          { ...shared, method: 'POST', path: `${at}/_search`, operation },
        ];
  });
}

/**
 * The routes of an interface's operations. On a resource, `{operation}` matches any name, which the function compares. On a type, API
 * Gateway matches the name with `{id}`.
 */
function operations(name: Interface): readonly FhirRoute[] {
  const { basePath, caller: access, operations: served } = servedInterface(name);
  return served.flatMap((each) => {
    const operation = `${each.type}.${each.name}` as DataOperation;
    const at = `${basePath}/${each.type}`;
    const paths =
      each.level === 'instance' && access === 'backend'
        ? { path: `${at}/{id}/$${each.name}` }
        : each.level === 'instance'
          ? { path: `${at}/{id}/{operation}` }
          : { path: `${at}/$${each.name}`, gatewayPath: `${at}/{id}` };
    return (each.methods ?? (['GET', 'POST'] as const)).map((method) => ({
      interface: name,
      method,
      ...paths,
      ...(access === 'backend' && { gatewayPath: `${basePath}/{proxy+}` }),
      access,
      operation,
    }));
  });
}

/** The routes of the Provider Directory: read, vread and search of each of its types. */
function directoryInteractions(): readonly FhirRoute[] {
  const name: Interface = 'provider-directory';
  const { basePath, caller: access } = servedInterface(name);
  const shared = { interface: name, access, gatewayPath: `${basePath}/{proxy+}` } as const;
  const definitions = directoryDefinitions.map(
    (type): FhirRoute => ({
      ...shared,
      method: 'GET',
      path: `${basePath}/${type}/{id}`,
      operation: `directory.${type}.read`,
    }),
  );
  const ofTypes = directoryTypes.flatMap((type): readonly FhirRoute[] => {
    const at = `${basePath}/${type}`;
    const search = `directory.${type}.search-type` as const;
    return [
      { ...shared, method: 'GET', path: `${at}/{id}`, operation: `directory.${type}.read` },
      {
        ...shared,
        method: 'GET',
        path: `${at}/{id}/_history/{versionId}`,
        operation: `directory.${type}.vread`,
      },
      { ...shared, method: 'GET', path: at, operation: search },
      { ...shared, method: 'POST', path: `${at}/_search`, operation: search },
    ];
  });
  return [...ofTypes, ...definitions];
}

/**
 * The routes of a whole publication. Those below `public` never require a key, whatever the environment requires of searches. API Gateway
 * can't have a route `$bulk-publish`, so at the base it requires the credentials of a search.
 */
function publicationRoutes(): readonly FhirRoute[] {
  const name: Interface = 'provider-directory';
  const { basePath, caller } = servedInterface(name);
  const shared = { interface: name, method: 'GET' } as const;
  const open = { ...shared, access: 'public', gatewayPath: `${basePath}/public/{proxy+}` } as const;
  const guarded = { ...shared, access: caller, gatewayPath: `${basePath}/{proxy+}` } as const;
  const at = `${basePath}/public`;
  return [
    { ...guarded, path: `${basePath}/$bulk-publish`, operation: 'publication.bulk-publish' },
    { ...guarded, path: `${basePath}/$export`, operation: 'publication.export' },
    { ...open, path: `${at}/$bulk-publish`, operation: 'publication.bulk-publish' },
    { ...open, path: `${at}/$export`, operation: 'publication.export' },
    { ...open, path: `${at}/export/{publication}`, operation: 'publication.export-status' },
    { ...open, path: `${at}/files/{publication}/{folder}/{file}`, operation: 'publication.file' },
    { ...open, path: `${at}/plan-finder/{contract}/{year}/index.json`, operation: 'publication.plan-finder' },
    { ...open, path: `${at}/truth-report`, operation: 'publication.truth-report' },
  ];
}

/** The routes of Payer Access on groups and jobs. */
function groupRoutes(): readonly FhirRoute[] {
  const name: Interface = 'payer-access';
  const { basePath, caller: access } = servedInterface(name);
  const shared = { interface: name, access, gatewayPath: `${basePath}/{proxy+}` } as const;
  const [group, job] = [`${basePath}/Group`, `${basePath}/jobs/{job}`];
  return [
    { ...shared, method: 'GET', path: `${group}/{id}`, operation: 'Group.read' },
    { ...shared, method: 'GET', path: group, operation: 'Group.search-type' },
    { ...shared, method: 'POST', path: `${group}/_search`, operation: 'Group.search-type' },
    { ...shared, method: 'GET', path: job, operation: 'job-status' },
    { ...shared, method: 'DELETE', path: job, operation: 'job-cancel' },
    { ...shared, method: 'GET', path: `${job}/files/{file}`, operation: 'job-file' },
  ];
}

/** Days (`YYYY-MM-DD`) since which older paths are deprecated, and until which they are served at least: twelve months later. */
export const deprecation = { since: '2026-11-20', servedUntil: '2027-11-20' } as const;

/** Older paths that are still served. Source: docs/service.md S5.9. */
const deprecatedRoutes: readonly FhirRoute[] = [
  {
    interface: 'patient-access',
    method: 'GET',
    path: '/v1/fhir/patientaccess/Patient/{id}',
    access: interfaces['patient-access'].caller,
    operation: 'Patient.read',
    successor: `${interfaces['patient-access'].basePath}/Patient/{id}`,
  },
];

/**
 * Every route of a LOB's host, from the table of interfaces. API Gateway's resources, the functions' dispatch, the CapabilityStatement and
 * the API reference are made from these routes, so that they agree. Source: docs/service.md S5.5 to S5.9.
 */
export const fhirRoutes: readonly FhirRoute[] = interfaceNames.flatMap((name) => [
  ...metadata(name),
  ...smartConfiguration(name),
  ...discoveryRoutes.filter((route) => route.interface === name),
  ...servedResources(name).flatMap(([type, resource]) => interactions(name, type, resource)),
  ...operations(name),
  ...(name === 'provider-directory' ? [...directoryInteractions(), ...publicationRoutes()] : []),
  ...(name === 'payer-access' ? groupRoutes() : []),
  ...deprecatedRoutes.filter((route) => route.interface === name),
]);

/** The methods of a path, from its routes. HEAD is added if there is GET (RFC 9110 section 9.1; R4, http.html, "Support for HEAD"). */
export function methodsOf(
  atPath: readonly Pick<FhirRoute, 'method'>[],
): readonly ('GET' | 'HEAD' | 'POST' | 'DELETE')[] {
  const methods = atPath.flatMap(({ method }) => (method === 'GET' ? (['GET', 'HEAD'] as const) : [method]));
  return [...new Set(methods)];
}

/** The distinct interactions and operations on members' data. */
export const dataOperations: readonly DataOperation[] = [
  ...new Set(
    fhirRoutes
      .map(({ operation }) => operation)
      .filter((operation) => operation !== 'capabilities' && operation !== 'smart-configuration')
      .filter((operation) => !isDiscoveryOperation(operation))
      .filter((operation) => !isDirectoryInteraction(operation) && !isPublicationOperation(operation))
      .filter((operation) => !isGroupOperation(operation)),
  ),
];

export function isDirectoryInteraction(operation: FhirOperation): operation is DirectoryInteraction {
  return operation.startsWith('directory.');
}

export function isPublicationOperation(operation: FhirOperation): operation is PublicationOperation {
  return operation.startsWith('publication.');
}

export function isDiscoveryOperation(operation: FhirOperation): operation is DiscoveryOperation {
  return discoveryOperations.some((each) => each === operation);
}

export function isGroupOperation(operation: FhirOperation): operation is GroupOperation {
  return payerGroupOperations.some((each) => each === operation);
}

export function isDataOperation(value: unknown): value is DataOperation {
  return dataOperations.some((operation) => operation === value);
}
