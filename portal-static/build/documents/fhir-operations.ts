import * as z from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { smartConfiguration as smartConfigurationOf } from '../../../lambdas/catalog/authorization-server-metadata.ts';
import { environments } from '../../../lambdas/catalog/environments.ts';
import { fhirFailures, fhirRefusals } from '../../../lambdas/catalog/fhir-refusals.ts';
import { type FhirOperation, type FhirRoute, fhirRoutes } from '../../../lambdas/catalog/fhir-routes.ts';
import { gatewayIssues } from '../../../lambdas/catalog/gateway-issues.ts';
import { interfaces, offers } from '../../../lambdas/catalog/interfaces.ts';
import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import { exampleLob, examplePatient } from './member-examples.ts';
import { capabilityStatement, operationOutcome, patient, smartConfiguration } from './member-schemas.ts';
import {
  type DocumentedOperation,
  refusalResponse,
  requestIdAnswer,
  requestIdHeader,
  retryAfterAnswer,
} from './operations.ts';

interface Refusal {
  readonly name: string;
  readonly status: number;
  readonly code: string;
  readonly diagnostics: string;
}

const functionRefusal = (name: keyof typeof fhirRefusals): Refusal => ({ name, ...fhirRefusals[name] });
const gatewayRefusal = (name: keyof typeof gatewayIssues, status: number): Refusal => ({
  name,
  ...gatewayIssues[name],
  status: gatewayIssues[name].status ?? status,
});

/** What can be answered instead, by who may call. */
const publicRefusals: readonly Refusal[] = [
  functionRefusal('not-acceptable'),
  { name: 'defect', ...fhirFailures.defect },
  gatewayRefusal('INTEGRATION_TIMEOUT', 504),
];
const memberRefusals: readonly Refusal[] = [
  gatewayRefusal('UNAUTHORIZED', 401),
  gatewayRefusal('ACCESS_DENIED', 401),
  functionRefusal('invalid-token'),
  gatewayRefusal('INVALID_API_KEY', 403),
  functionRefusal('insufficient-scope'),
  functionRefusal('product-missing'),
  functionRefusal('not-found'),
  functionRefusal('not-acceptable'),
  gatewayRefusal('THROTTLED', 429),
  gatewayRefusal('QUOTA_EXCEEDED', 429),
  { name: 'defect', ...fhirFailures.defect },
  { name: 'unavailable', ...fhirFailures.unavailable },
  gatewayRefusal('INTEGRATION_TIMEOUT', 504),
];

function refusalResponses(refusals: readonly Refusal[]): Record<string, ZodOpenApiResponseObject> {
  const statuses = [...new Set(refusals.map(({ status }) => status))];
  return Object.fromEntries(
    statuses.map((status) => [
      `${status}`,
      refusalResponse(
        'application/fhir+json',
        operationOutcome,
        refusals
          .filter((each) => each.status === status)
          .map(({ name, code, diagnostics }) => ({
            name,
            summary: diagnostics,
            body: { resourceType: 'OperationOutcome', issue: [{ severity: 'error', code, diagnostics }] },
          })),
        {
          ...(status === 401 && {
            'WWW-Authenticate': z.string().optional().meta({
              description:
                'Bearer challenge (RFC 6750). Where the refusal comes from behind the gateway it is called x-amzn-Remapped-WWW-Authenticate.',
            }),
          }),
          ...([429, 503, 504].includes(status) && { 'Retry-After': retryAfterAnswer }),
        },
      ),
    ]),
  );
}

const format = z.enum(['json', 'application/json', 'application/fhir+json']).optional().meta({
  description: 'Overrides `Accept`.',
});
const accept = z.enum(['application/json', 'application/fhir+json']).optional().meta({
  description: 'The form of the answer; an error is always `application/fhir+json`.',
});

/** The answers and parameters of what a route does. */
const described: Readonly<
  Record<
    FhirOperation,
    (
      route: FhirRoute,
      service: PublishedService,
    ) => { readonly summary: string } & Pick<
      DocumentedOperation['operation'],
      'description' | 'requestParams' | 'responses'
    >
  >
> = {
  capabilities: ({ interface: name, path }) => ({
    summary: `${interfaces[name].name} metadata${spelling(name, path)}`,
    description: 'The CapabilityStatement of the interface. Needs neither key nor token.',
    requestParams: {
      query: z.object({ _format: format }),
      header: z.object({ Accept: accept, 'X-Request-Id': requestIdHeader }),
    },
    responses: {
      '200': {
        description: 'The CapabilityStatement.',
        headers: z.object({ 'X-Request-Id': requestIdAnswer }),
        content: {
          'application/fhir+json': { schema: capabilityStatement },
          'application/json': { schema: capabilityStatement },
        },
      },
      ...refusalResponses(publicRefusals),
    },
  }),
  'smart-configuration': ({ interface: name }, service) => ({
    summary: `SMART configuration of ${interfaces[name].name}`,
    description:
      'Where the authorization server of this line of business is, and what it can do (SMART App Launch 2.2). Needs neither key nor token.',
    requestParams: { header: z.object({ 'X-Request-Id': requestIdHeader }) },
    responses: {
      '200': {
        description: 'The SMART configuration.',
        headers: z.object({ 'X-Request-Id': requestIdAnswer }),
        content: {
          'application/json': {
            schema: smartConfiguration,
            example: smartConfigurationOf(service.environments.sandbox.origins, exampleLob),
          },
        },
      },
      ...refusalResponses(publicRefusals.filter(({ status }) => status !== 406)),
    },
  }),
  'Patient.read': ({ successor }) => ({
    summary: successor === undefined ? 'Read a Patient' : 'Read a Patient by the older path',
    description: `${
      successor === undefined ? '' : `Deprecated: use \`${successor}\`. The answers are the same. `
    }The member’s own demographic record. Needs a subscription key, and an access token of the same application with a scope like \`patient/Patient.read\`. \`application/json\` is the form of the service’s own description; \`application/fhir+json\` is valid FHIR R4.`,
    requestParams: {
      path: z.object({
        id: z
          .string()
          .regex(/^[A-Za-z0-9\-.]{1,64}$/)
          .meta({
            description: 'The id that came as `patient` with the token.',
            example: examplePatient.id,
          }),
      }),
      query: z.object({ _format: format }),
      header: z.object({
        Accept: accept,
        'If-None-Match': z.string().optional().meta({ description: 'An `ETag` you have: 304 if unchanged.' }),
        'X-Request-Id': requestIdHeader,
      }),
    },
    responses: {
      '200': {
        description: 'The Patient.',
        headers: z.object({ ...readHeaders, ...(successor !== undefined && deprecationHeaders) }),
        content: {
          'application/json': { schema: patient, example: examplePatient },
          'application/fhir+json': { schema: patient, example: { ...examplePatient, birthDate: '1956' } },
        },
      },
      '304': { description: 'You have this version already.', headers: z.object(readHeaders) },
      ...refusalResponses(memberRefusals),
    },
  }),
};

const readHeaders = {
  ETag: z.string().meta({ description: 'Weak tag of the version.' }),
  'Last-Modified': z.string(),
  'X-Request-Id': requestIdAnswer,
};
const deprecationHeaders = {
  Deprecation: z.string().meta({ description: 'Since when the path is deprecated (RFC 9745).' }),
  Link: z.string().meta({ description: 'The path that takes its place: `rel="successor-version"`.' }),
};

/** The same document stands at three paths. */
function spelling(name: FhirRoute['interface'], path: string): string {
  const suffix = path.slice(interfaces[name].basePath.length);
  if (suffix === '') return ' at the base';
  return suffix === '/metadata' ? ' where FHIR clients look' : '';
}

const camelCase = (text: string) => text.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The paths of one document tell its spellings apart. */
function operationId({ interface: name, operation, path, successor }: FhirRoute): string {
  const family = camelCase(name);
  if (operation === 'Patient.read') return successor === undefined ? 'readPatient' : 'readPatientByOlderPath';
  if (operation === 'smart-configuration') return `${family}SmartConfiguration`;
  const suffix = path.slice(interfaces[name].basePath.length);
  return (
    { '/fhir/metadata': `${family}Metadata`, '/metadata': `${family}MetadataUnderBase` }[suffix] ??
    `${family}Base`
  );
}

/** Every route of a line of business's host, from the table the gateway is made of. */
export function fhirOperations(service: PublishedService): readonly DocumentedOperation[] {
  return fhirRoutes.map((route) => ({
    host: 'lob',
    method: 'get',
    path: route.path,
    linesOfBusiness: lineOfBusinessCodes.filter((lob) => offers(lob, route.interface)),
    operation: {
      operationId: operationId(route),
      tags: [interfaces[route.interface].name],
      ...(route.successor !== undefined && { deprecated: true }),
      security: securityOf(route, service),
      ...described[route.operation](route, service),
    },
  }));
}

/** The second form of a member's call is for the environments where the token alone lets it in. */
function securityOf(
  { access }: FhirRoute,
  { environments: all }: PublishedService,
): Record<string, string[]>[] {
  if (access === 'public') return [];
  if (access === 'subscription') return [{ subscriptionKey: [] }];
  const optional = environments.some((name) => all[name].subscriptionKey === 'optional');
  return [{ subscriptionKey: [], memberToken: [] }, ...(optional ? [{ memberToken: [] }] : [])];
}
