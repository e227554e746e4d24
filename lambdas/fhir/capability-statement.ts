import { authorizationServerEndpoints, type EnvironmentOrigins, fhirBase } from '../catalog/addresses.ts';
import {
  commonSearchParameters,
  isPatientAccessType,
  type PatientAccessType,
  servedResource,
} from '../catalog/fhir-resources.ts';
import { fhirRoutes } from '../catalog/fhir-routes.ts';
import { type Interface, interfaces } from '../catalog/interfaces.ts';
import { type LineOfBusiness, linesOfBusiness } from '../catalog/lines-of-business.ts';
import type { SubscriptionKeyDemand } from '../catalog/subscription-key-demands.ts';

/** Changed with every change of what a statement says (R4, CapabilityStatement.date). */
const publishedOn = '2026-11-22';

/** What the CARIN Consumer Directed Payer Data Exchange asks of a server. */
const carinBlueButton = 'http://hl7.org/fhir/us/carin-bb/CapabilityStatement/c4bb';

/** Operations of the table of routes, by the name after the type (R4, patient-operation-everything.html). */
const operationDefinitions: Readonly<Record<string, string>> = {
  everything: 'http://hl7.org/fhir/OperationDefinition/Patient-everything',
};

/** The host a statement is of. */
export interface DescribedHost {
  readonly origins: EnvironmentOrigins;
  readonly lob: LineOfBusiness;
  /** Whether a call with a member's access token needs the subscription key too. */
  readonly subscriptionKey: SubscriptionKeyDemand;
}

/**
 * The CapabilityStatement of one interface of one LOB (R4 4.0.1, `kind: instance`), made from the table of routes: it
 * names what is implemented and nothing else.
 */
export function capabilityStatement(host: DescribedHost, name: Interface) {
  const { origins, lob } = host;
  const base = fhirBase(origins, lob, name);
  const title = `${interfaces[name].name}, ${linesOfBusiness[lob].name}`;
  return {
    resourceType: 'CapabilityStatement',
    url: `${base}/metadata`,
    version: '1',
    name: `${interfaces[name].name.replaceAll(' ', '')}${lob}`,
    title,
    status: 'active',
    experimental: false,
    date: publishedOn,
    description: `What ${title} offers to applications.`,
    kind: 'instance',
    ...(name === 'patient-access' && { instantiates: [carinBlueButton] }),
    software: { name: 'Member Data API', version: '1' },
    implementation: { description: title, url: base },
    fhirVersion: '4.0.1',
    format: ['application/fhir+json', 'application/json'],
    rest: [rest(host, name)],
  };
}

function rest(host: DescribedHost, name: Interface) {
  const resources = resourcesOf(name);
  return {
    mode: 'server',
    documentation: `${credentials(host, name)} This statement and discovery need nothing.`,
    security: securityOf(host, name),
    ...(resources.length > 0 && { resource: resources }),
  };
}

/** What a call brings, in words: the same as the gateway's identity sources (docs/architecture.md, "How a call is let in"). */
function credentials({ subscriptionKey }: DescribedHost, name: Interface): string {
  const key = 'a subscription key in the header x-api-subscription-key';
  if (name === 'provider-directory') return `Every call needs ${key}; no access token.`;
  if (name === 'payer-access') {
    return `Every call needs an access token of the client credentials grant, and ${key} of the same application.`;
  }
  const token = 'Every call needs an access token a member consented to';
  return subscriptionKey === 'optional'
    ? `${token}; the header x-api-subscription-key is optional.`
    : `${token}, and ${key} of the same application.`;
}

function securityOf(host: DescribedHost, name: Interface) {
  const description = credentials(host, name);
  // The directory holds no member's data: no token is asked for.
  if (name === 'provider-directory') return { cors: true, description };
  return name === 'payer-access'
    ? { cors: true, service: [oauthService('OAuth', 'OAuth 2.0 client credentials')], description }
    : { ...smartSecurity(host), description };
}

function oauthService(code: 'OAuth' | 'SMART-on-FHIR', text: string) {
  const system = 'http://terminology.hl7.org/CodeSystem/restful-security-service';
  return { coding: [{ system, code, display: code }], text };
}

/** SMART App Launch's two marks of a server, the second for clients older than `.well-known/smart-configuration`. */
function smartSecurity({ origins, lob }: DescribedHost) {
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

/** Resource types, from operations named `<type>.<interaction>`; a deprecated alias adds nothing. */
function resourcesOf(name: Interface) {
  const operations = fhirRoutes
    .filter((route) => route.interface === name && route.successor === undefined)
    .map((route) => route.operation.split('.'));
  const codes = Map.groupBy(operations, ([type = '']) => type);
  return [...codes.keys()].filter(isPatientAccessType).map((type) => {
    const named = [...new Set(codes.get(type)?.map(([, code = '']) => code))];
    return resource(type, named);
  });
}

/** @param codes interactions on the type, and names of operations. */
function resource(type: PatientAccessType, codes: readonly string[]) {
  const { supportedProfiles, includes, searchParameters } = servedResource(type);
  const operations = codes.filter((code) => code in operationDefinitions);
  const searched = codes.includes('search-type');
  return {
    type,
    supportedProfile: supportedProfiles,
    interaction: codes.filter((code) => !operations.includes(code)).map((code) => ({ code })),
    documentation: 'Only the current version is kept: no vread, no history.',
    versioning: 'versioned',
    readHistory: false,
    updateCreate: false,
    conditionalCreate: false,
    conditionalRead: 'not-match',
    conditionalUpdate: false,
    conditionalDelete: 'not-supported',
    ...(includes.length > 0 && { searchInclude: [...includes, '*'].map((include) => `${type}:${include}`) }),
    ...(searched && { searchParam: [...commonSearchParameters, ...searchParameters] }),
    ...(operations.length > 0 && {
      operation: operations.map((operation) => ({
        name: operation,
        definition: operationDefinitions[operation],
      })),
    }),
  };
}
