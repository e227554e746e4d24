/** Builds the OpenAPI document of the member-facing interfaces from the catalog's tables. */

import { createDocument, type ZodOpenApiObject, type ZodOpenApiPathItemObject } from 'zod-openapi';
import { type Environment, environments } from '../../../lambdas/catalog/environments.ts';
import { type Interface, interfaceNames, interfaces } from '../../../lambdas/catalog/fhir/interfaces.ts';
import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import { authorizationOperations } from './authorization-operations.ts';
import { fhirOperations } from './fhir-operations.ts';
import { exampleLob } from './member-examples.ts';
import type { DocumentedOperation } from './operations.ts';

/** Version of the described interfaces: that of the newest release in portal-static/docs/changelog.md. */
export const documentVersion = '1.4.0';

/** The OpenAPI document of every member-facing interface: FHIR, authorization, machine-to-machine tokens. */
export type OpenApiDocument = ReturnType<typeof createDocument>;

const environmentTitles: Readonly<Record<Environment, string>> = {
  sandbox: 'Sandbox (fictional members)',
  production: 'Production (approved applications only)',
};

const interfaceWords: Readonly<Record<Interface, string>> = {
  'patient-access': 'A member’s own data, for the application that the member chooses.',
  'payer-access': 'For other payers: matching members, reading and exporting their data.',
  'provider-directory': 'Doctors, hospitals, pharmacies, networks and plans.',
};

/** Returns the contact and the terms of use of the interfaces. */
export function publisherOf({ portal, supportEmail }: PublishedService) {
  const terms = `${portal}/docs/agreements`;
  return {
    termsOfService: terms,
    contact: { name: 'Developer support', email: supportEmail, url: `${portal}/docs` },
    license: { name: 'Terms of Use', url: terms },
  };
}

/** Lists the servers of a host, sandbox first. */
function serversOf(
  service: PublishedService,
  { host, linesOfBusiness }: Pick<DocumentedOperation, 'host' | 'linesOfBusiness'>,
) {
  return environments.map((name) => {
    const { origins, linesOfBusiness: deployed } = service.environments[name];
    const description = environmentTitles[name];
    if (host !== 'lob') return { url: origins[host], description };
    const codes = deployed.filter((lob) => linesOfBusiness?.includes(lob) ?? true);
    return {
      url: origins.apiTemplate,
      description,
      variables: {
        lob: {
          enum: codes.map((code) => code.toLowerCase()),
          default: (codes.find((code) => code === exampleLob) ?? codes[0] ?? exampleLob).toLowerCase(),
        },
      },
    };
  });
}

function pathsOf(
  service: PublishedService,
  operations: readonly DocumentedOperation[],
): Record<string, ZodOpenApiPathItemObject> {
  const items: Record<string, ZodOpenApiPathItemObject> = {};
  for (const { host, path, method, operation, linesOfBusiness } of operations) {
    items[path] = {
      servers: serversOf(service, { host, ...(linesOfBusiness && { linesOfBusiness }) }),
      ...items[path],
      [method]: operation,
    };
  }
  return items;
}

export function memberOpenApi(service: PublishedService): OpenApiDocument {
  const document: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: {
      title: 'Member Data API',
      version: documentVersion,
      description:
        'A health plan’s member data, for the applications its members choose. Each line of business has its own host in a sandbox and in production, so each path lists its servers.',
      ...publisherOf(service),
    },
    externalDocs: { url: `${service.portal}/docs`, description: 'Documentation' },
    servers: serversOf(service, { host: 'lob' }),
    tags: [
      ...interfaceNames.map((name) => ({ name: interfaces[name].name, description: interfaceWords[name] })),
      { name: 'Authorization', description: 'OAuth 2.0, OpenID Connect and SMART App Launch.' },
      { name: 'Machine to machine', description: 'Client credentials.' },
      { name: 'Discovery', description: 'Documents that need no credentials.' },
    ],
    paths: pathsOf(service, [...fhirOperations(service), ...authorizationOperations(service)]),
    components: {
      securitySchemes: {
        subscriptionKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-subscription-key',
          description: 'The application’s subscription key in this environment.',
        },
        memberToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'An access token that a member consented to, issued to the same application as the key.',
        },
        backendToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'An access token of the client credentials grant with system scopes, issued to the same application as the key.',
        },
        clientSecretBasic: {
          type: 'http',
          scheme: 'basic',
          description: 'Client ID and client secret.',
        },
      },
    },
  };
  return createDocument(document);
}
