import {
  apiOrigin,
  authorizationServerEndpoints,
  type EnvironmentOrigins,
  fhirBase,
} from '../catalog/addresses.ts';
import { fhirRoutes } from '../catalog/fhir-routes.ts';
import { type Interface, interfaces } from '../catalog/interfaces.ts';
import { type LineOfBusiness, linesOfBusiness } from '../catalog/lines-of-business.ts';

/** Changed with every change of what a statement says (R4, CapabilityStatement.date). */
const publishedOn = '2026-11-20';

/**
 * The CapabilityStatement of one interface of one LOB (R4 4.0.1, `kind: instance`), made from the table of routes: it
 * names what is implemented and nothing else.
 */
export function capabilityStatement(origins: EnvironmentOrigins, lob: LineOfBusiness, name: Interface) {
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
    software: { name: 'Member Data API', version: '1' },
    implementation: { description: title, url: base },
    fhirVersion: '4.0.1',
    format: ['application/fhir+json', 'application/json'],
    rest: [rest(origins, lob, name)],
  };
}

function rest(origins: EnvironmentOrigins, lob: LineOfBusiness, name: Interface) {
  const resources = resourcesOf(name);
  return {
    mode: 'server',
    documentation: `${apiOrigin(origins, lob)} takes the header x-api-subscription-key on every call but this statement and discovery.`,
    security: name === 'provider-directory' ? keySecurity : smartSecurity(origins, lob),
    ...(resources.length > 0 && { resource: resources }),
  };
}

/** The directory holds no member's data: no token is asked for. */
const keySecurity = {
  cors: true,
  description: 'A subscription key in the header x-api-subscription-key; no access token.',
};

/** SMART App Launch's two marks of a server, the second for clients older than `.well-known/smart-configuration`. */
function smartSecurity(origins: EnvironmentOrigins, lob: LineOfBusiness) {
  const { authorization, token, introspection, revocation } = authorizationServerEndpoints(origins, lob);
  return {
    extension: [
      {
        url: 'http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris',
        extension: [
          { url: 'authorize', valueUri: authorization },
          { url: 'token', valueUri: token },
          { url: 'introspect', valueUri: introspection },
          { url: 'revoke', valueUri: revocation },
        ],
      },
    ],
    cors: true,
    service: [
      {
        coding: [
          {
            system: 'http://terminology.hl7.org/CodeSystem/restful-security-service',
            code: 'SMART-on-FHIR',
            display: 'SMART-on-FHIR',
          },
        ],
        text: 'OAuth 2.0, as SMART App Launch profiles it',
      },
    ],
    description: 'An access token a member consented to, and a subscription key of the same application.',
  };
}

/** Resource types and interactions, from operations named `<type>.<interaction>`; a deprecated alias adds nothing. */
function resourcesOf(name: Interface) {
  const operations = fhirRoutes
    .filter((route) => route.interface === name && route.successor === undefined)
    .map((route) => route.operation.split('.'))
    .filter(([, interaction]) => interaction !== undefined);
  return [...new Set(operations.map(([type]) => type))].map((type) => ({
    type,
    interaction: operations.filter(([each]) => each === type).map(([, code]) => ({ code })),
    versioning: 'versioned',
    readHistory: false,
    updateCreate: false,
    conditionalCreate: false,
    conditionalRead: 'not-match',
    conditionalUpdate: false,
    conditionalDelete: 'not-supported',
  }));
}
