/** OpenAPI operations of the FHIR APIs: metadata, SMART configuration and data. */

import * as z from 'zod';
import { environments } from '../../../lambdas/catalog/environments.ts';
import type { PatientAccessType } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import {
  type DataOperation,
  type DirectoryInteraction,
  type FhirRoute,
  fhirRoutes,
  isDirectoryInteraction,
  isDiscoveryOperation,
  isPublicationOperation,
} from '../../../lambdas/catalog/fhir/fhir-routes.ts';
import { interfaces, offers } from '../../../lambdas/catalog/fhir/interfaces.ts';
import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import {
  payerSmartConfiguration,
  smartConfiguration as smartConfigurationOf,
} from '../../../lambdas/catalog/oauth/smart-configuration.ts';
import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import { documentedDirectory } from './directory-operations.ts';
import {
  accept,
  type Described,
  docrefOperation,
  everythingOperation,
  format,
  readOperation,
  searchOperation,
} from './fhir-data-operations.ts';
import { publicRefusals, refusalResponses } from './fhir-refusal-responses.ts';
import { documentedGroup, groupOperationId, isPayerOperation } from './group-operations.ts';
import { exampleLob } from './member-examples.ts';
import {
  backendSmartConfiguration,
  capabilityStatementSchema,
  smartConfigurationSchema,
} from './member-schemas.ts';
import { type DocumentedOperation, requestIdAnswer, requestIdHeader } from './operations.ts';
import { payerDataOperation, payerDataOperationId } from './payer-data-operations.ts';
import { documentedDiscovery } from './payer-discovery-operations.ts';
import { memberMatchOperation } from './payer-operations.ts';
import { documentedPublication, publicationOperationId } from './publication-operations.ts';

/** The parameters and responses of a route, by its operation. */
function described(route: FhirRoute, service: PublishedService): Described {
  const { operation } = route;
  if (operation === 'capabilities') return capabilities(route);
  if (operation === 'smart-configuration') return smart(route, service);
  if (isDiscoveryOperation(operation)) return documentedDiscovery(operation, service);
  if (isDirectoryInteraction(operation)) return documentedDirectory(route, operation);
  if (isPublicationOperation(operation)) return documentedPublication(route, operation);
  if (isPayerOperation(operation)) return documentedGroup(route, operation);
  if (operation === 'Patient.member-match') return memberMatchOperation();
  if (route.access === 'backend') return payerDataOperation(route, operation, service);
  if (operation === 'Patient.everything') return everythingOperation(route, service);
  if (operation === 'DocumentReference.docref') return docrefOperation(route, service);
  const [type, interaction] = operation.split('.') as [PatientAccessType, 'read' | 'search-type'];
  return interaction === 'read' ? readOperation(route, type) : searchOperation(route, type, service);
}

function capabilities({ interface: name, path }: FhirRoute): Described {
  return {
    summary: `${interfaces[name].name} metadata${spelling(name, path)}`,
    description: 'Returns the CapabilityStatement of the interface. Needs no credentials.',
    requestParams: {
      query: z.object({ _format: format }),
      header: z.object({ Accept: accept, 'X-Request-Id': requestIdHeader }),
    },
    responses: {
      '200': {
        description: 'The CapabilityStatement.',
        headers: z.object({ 'X-Request-Id': requestIdAnswer }),
        content: {
          'application/fhir+json': { schema: capabilityStatementSchema },
          'application/json': { schema: capabilityStatementSchema },
        },
      },
      ...refusalResponses(publicRefusals),
    },
  };
}

function smart({ interface: name }: FhirRoute, service: PublishedService): Described {
  const { origins, resourceId } = service.environments.sandbox;
  const document =
    interfaces[name].caller === 'backend'
      ? { schema: backendSmartConfiguration, example: payerSmartConfiguration(origins, resourceId) }
      : { schema: smartConfigurationSchema, example: smartConfigurationOf(origins, exampleLob) };
  return {
    summary: `SMART configuration of ${interfaces[name].name}`,
    description: `Returns ${interfaces[name].caller === 'backend' ? 'the token endpoint for backend services' : 'the authorization server of this line of business'}, with its capabilities (SMART App Launch 2.2). Needs no credentials.`,
    requestParams: { header: z.object({ 'X-Request-Id': requestIdHeader }) },
    responses: {
      '200': {
        description: 'The SMART configuration.',
        headers: z.object({ 'X-Request-Id': requestIdAnswer }),
        content: { 'application/json': document },
      },
      ...refusalResponses(publicRefusals.filter(({ status }) => status !== 406)),
    },
  };
}

/** The suffix of the summary that tells apart the three paths of the same CapabilityStatement. */
function spelling(name: FhirRoute['interface'], path: string): string {
  const suffix = path.slice(interfaces[name].basePath.length);
  if (suffix === '') return ' at the base';
  return suffix === '/metadata' ? ' at the path of the FHIR specification' : '';
}

const methods = { GET: 'get', POST: 'post', DELETE: 'delete' } as const;

const camelCase = (text: string) => text.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Makes the ID of an operation; for the CapabilityStatement it depends on the path, because three paths serve it. */
function operationId(route: FhirRoute): string {
  const { interface: name, operation, path } = route;
  const family = camelCase(name);
  if (operation === 'smart-configuration') return `${family}SmartConfiguration`;
  if (isDiscoveryOperation(operation)) return camelCase(operation);
  if (isDirectoryInteraction(operation)) return directoryOperationId(route, operation);
  if (isPublicationOperation(operation)) return publicationOperationId(route, operation);
  if (isPayerOperation(operation)) return groupOperationId(route, operation);
  if (operation !== 'capabilities') return dataOperationId(route, operation);
  const suffix = path.slice(interfaces[name].basePath.length);
  return (
    { '/fhir/metadata': `${family}Metadata`, '/metadata': `${family}MetadataUnderBase` }[suffix] ??
    `${family}Base`
  );
}

function directoryOperationId({ method }: FhirRoute, operation: DirectoryInteraction): string {
  const [, type, interaction] = operation.split('.');
  if (interaction === 'search-type')
    return method === 'POST' ? `searchDirectory${type}ByForm` : `searchDirectory${type}`;
  return interaction === 'vread' ? `readDirectory${type}Version` : `readDirectory${type}`;
}

function dataOperationId({ method, successor, access }: FhirRoute, operation: DataOperation): string {
  const [type, interaction] = operation.split('.');
  if (interaction === 'member-match') return 'matchMember';
  if (access === 'backend') return payerDataOperationId(method, operation);
  if (interaction === 'docref') return method === 'POST' ? 'findDocumentsByPost' : 'findDocuments';
  if (interaction === 'everything') return method === 'POST' ? 'readEverythingByPost' : 'readEverything';
  if (interaction === 'read') return successor === undefined ? `read${type}` : `read${type}ByOlderPath`;
  return method === 'POST' ? `search${type}ByForm` : `search${type}`;
}

/** Lists every route of a LOB's host, from the table that the gateway is made from. */
export function fhirOperations(service: PublishedService): readonly DocumentedOperation[] {
  return fhirRoutes.map((route) => ({
    host: 'lob',
    method: methods[route.method],
    path: route.path,
    linesOfBusiness: lineOfBusinessCodes.filter((lob) => offers(lob, route.interface)),
    operation: {
      operationId: operationId(route),
      tags: [interfaces[route.interface].name],
      ...(route.successor !== undefined && { deprecated: true }),
      security: securityOf(route, service),
      ...described(route, service),
    },
  }));
}

/**
 * The credentials of a route. A member's call has a second alternative, without a subscription key, if an environment requires the token
 * only.
 */
function securityOf(
  { access }: FhirRoute,
  { environments: all }: PublishedService,
): Record<string, string[]>[] {
  if (access === 'public') return [];
  if (access === 'key') return [{ subscriptionKey: [] }];
  if (access === 'backend') return [{ subscriptionKey: [], backendToken: [] }];
  const optional = environments.some((name) => all[name].subscriptionKey === 'optional');
  return [{ subscriptionKey: [], memberToken: [] }, ...(optional ? [{ memberToken: [] }] : [])];
}
