/** Builds the CapabilityStatement of an interface from the tables of types and routes. */

import type {
  CapabilityStatement,
  CapabilityStatementRest,
  CapabilityStatementRestResource,
  CapabilityStatementRestSecurity,
} from 'fhir/r4.js';
import { authorizationServerEndpoints, type EnvironmentOrigins, fhirBase } from '../catalog/addresses.ts';
import type { DirectoryAccess } from '../catalog/fhir/directory-access.ts';
import {
  type ResourceType,
  recordSearchParameters,
  type ServedResource,
} from '../catalog/fhir/fhir-resources.ts';
import {
  type Interface,
  type InterfaceCaller,
  servedInterface,
  servedResources,
} from '../catalog/fhir/interfaces.ts';
import { type LineOfBusiness, linesOfBusiness } from '../catalog/lines-of-business.ts';
import type { SubscriptionKeyRequirement } from '../catalog/subscription-key-requirements.ts';

/** Date of the last change to a statement's content (R4, CapabilityStatement.date): update it with every such change. */
const publishedOn = '2026-11-28';

/** The FHIR host that a CapabilityStatement describes. */
export interface DescribedHost {
  readonly origins: EnvironmentOrigins;
  readonly lob: LineOfBusiness;
  /** Whether a call with a member's access token needs the subscription key too. */
  readonly subscriptionKey: SubscriptionKeyRequirement;
  /** Whether a call to the Provider Directory needs a subscription key. @default subscription */
  readonly directoryAccess?: DirectoryAccess;
}

/**
 * The CapabilityStatement of one interface of one LOB (R4 4.0.1, `kind: instance`), built from the table of interfaces. It names only what
 * is implemented.
 *
 * @param others resource types beside those in the table of interfaces: those of the provider directory.
 */
export function capabilityStatement(
  host: DescribedHost,
  name: Interface,
  others: readonly CapabilityStatementRestResource[] = [],
): CapabilityStatement {
  const { origins, lob } = host;
  const served = servedInterface(name);
  const base = fhirBase(origins, lob, name);
  const title = `${served.name}, ${linesOfBusiness[lob].name}`;
  return {
    resourceType: 'CapabilityStatement',
    url: `${base}/metadata`,
    version: '1',
    name: `${served.name.replaceAll(' ', '')}${lob}`,
    title,
    status: 'active',
    experimental: false,
    date: publishedOn,
    description: `Capabilities of ${title}.`,
    kind: 'instance',
    ...(served.instantiates.length > 0 && { instantiates: [...served.instantiates] }),
    software: { name: 'Member Data API', version: '1' },
    implementation: { description: title, url: base },
    fhirVersion: '4.0.1',
    format: ['application/fhir+json', 'application/json'],
    rest: [rest(host, name, others)],
  };
}

function rest(
  host: DescribedHost,
  name: Interface,
  others: readonly CapabilityStatementRestResource[],
): CapabilityStatementRest {
  const { caller } = servedInterface(name);
  const resources = [
    ...servedResources(name).map(([type, row]) => resource(name, type, row)),
    ...operationsAlone(name).filter(({ type }) => others.every((other) => other.type !== type)),
    ...others,
  ];
  return {
    mode: 'server',
    documentation: `${credentials(host, caller)} This statement and discovery need no credentials.`,
    security: securityOf(host, caller),
    // FHIR's JSON allows no empty lists.
    ...(resources.length > 0 && { resource: resources }),
    ...(name === 'provider-directory' && { operation: bulkOperations }),
  };
}

const bulkData = 'http://hl7.org/fhir/uv/bulkdata/OperationDefinition';

/** Operations on the whole directory (Bulk Data Access). */
const bulkOperations = [
  { name: 'bulk-publish', definition: `${bulkData}/bulk-publish` },
  { name: 'export', definition: `${bulkData}/export` },
];

/**
 * Describes in words the credentials that a call needs: the gateway's identity sources (docs/architecture.md, "How a call is authorized").
 */
function credentials({ subscriptionKey, directoryAccess }: DescribedHost, caller: InterfaceCaller): string {
  const key = 'a subscription key in the header x-api-subscription-key';
  const memberToken = 'Every call needs an access token that a member consented to';
  return {
    key:
      directoryAccess === 'public'
        ? `No call needs credentials; ${key} meters its application.`
        : `Every call needs ${key}, and no access token.`,
    backend: `Every call needs an access token of the client credentials grant, and ${key} of the same application.`,
    member:
      subscriptionKey === 'optional'
        ? `${memberToken}; the header x-api-subscription-key is optional.`
        : `${memberToken}, and ${key} of the same application.`,
  }[caller];
}

function securityOf(host: DescribedHost, caller: InterfaceCaller): CapabilityStatementRestSecurity {
  const description = credentials(host, caller);
  return {
    key: { cors: true, description },
    backend: { cors: true, service: [oauthService('OAuth', 'OAuth 2.0 client credentials')], description },
    member: { ...smartSecurity(host), description },
  }[caller];
}

function oauthService(code: 'OAuth' | 'SMART-on-FHIR', text: string) {
  const system = 'http://terminology.hl7.org/CodeSystem/restful-security-service';
  return { coding: [{ system, code, display: code }], text };
}

/**
 * The security section in both forms that SMART App Launch defines. The `oauth-uris` extension is for clients older than
 * `.well-known/smart-configuration`.
 */
function smartSecurity({ origins, lob }: DescribedHost): CapabilityStatementRestSecurity {
  const { authorization, token, introspection, revocation, management } = authorizationServerEndpoints(
    origins,
    lob,
  );
  return {
    extension: [
      {
        url: 'http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris',
        extension: [
          { url: 'authorize', valueUri: authorization },
          { url: 'token', valueUri: token },
          { url: 'introspect', valueUri: introspection },
          { url: 'revoke', valueUri: revocation },
          { url: 'manage', valueUri: management },
        ],
      },
    ],
    cors: true,
    service: [oauthService('SMART-on-FHIR', 'OAuth 2.0, as SMART App Launch profiles it')],
  };
}

/** Resource types of an interface that have operations but no interaction. */
function operationsAlone(name: Interface): readonly CapabilityStatementRestResource[] {
  const served = servedResources(name).map(([type]) => type);
  const operations = servedInterface(name).operations.filter(({ type }) => !served.includes(type));
  return [...Map.groupBy(operations, ({ type }) => type)].map(([type, own]) => ({
    type,
    operation: own.map(({ name: code, definition }) => ({ name: code, definition })),
  }));
}

function resource(
  name: Interface,
  type: ResourceType,
  { interactions, supportedProfiles, includes, revIncludes, searchParameters }: ServedResource,
): CapabilityStatementRestResource {
  const operations = servedInterface(name).operations.filter((operation) => operation.type === type);
  return {
    type,
    ...(supportedProfiles.length > 0 && { supportedProfile: bothForms(supportedProfiles) }),
    interaction: interactions.map((code) => ({ code })),
    documentation: 'Only the current version is kept: no vread, no history.',
    versioning: 'versioned',
    readHistory: false,
    updateCreate: false,
    conditionalCreate: false,
    conditionalRead: 'not-match',
    conditionalUpdate: false,
    conditionalDelete: 'not-supported',
    ...(includes.length > 0 && { searchInclude: [...includes, '*'].map((include) => `${type}:${include}`) }),
    ...(revIncludes.length > 0 && { searchRevInclude: [...revIncludes] }),
    ...(interactions.includes('search-type') && {
      searchParam: [...recordSearchParameters, ...searchParameters].map(
        ({ name: parameter, type: kind, definition, documentation }) => ({
          name: parameter,
          ...(definition !== undefined && { definition }),
          type: kind,
          documentation,
        }),
      ),
    }),
    ...(operations.length > 0 && {
      operation: operations.map(({ name: code, definition }) => ({ name: code, definition })),
    }),
  };
}

/** Lists each profile without its version, because some clients compare only that form, and then with each of its versions. */
export function bothForms(canonicals: readonly string[]): string[] {
  return [...new Set(canonicals.flatMap((canonical) => [canonical.split('|', 1)[0] ?? '', canonical]))];
}
