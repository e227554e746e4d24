/** OpenAPI operations of the documents by which other payers and apps find this plan. */

import * as z from 'zod';
import type { ZodOpenApiMediaTypeObject } from 'zod-openapi';
import type { DiscoveryOperation } from '../../../lambdas/catalog/fhir/fhir-routes.ts';
import { davinciConfiguration } from '../../../lambdas/catalog/payer/published-payer.ts';
import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import { userAccessBrands } from '../../../lambdas/catalog/user-access-brands.ts';
import { accept, type Described, format, ifNoneMatch } from './fhir-data-operations.ts';
import { functionRefusal, publicRefusals, refusalResponses } from './fhir-refusal-responses.ts';
import { exampleLob } from './member-examples.ts';
import { requestIdAnswer, requestIdHeader } from './operations.ts';

const endpoints = z.record(z.string(), z.url());

const davinciConfigurationSchema = z
  .looseObject({
    resourceType: z.string(),
    identifier: z.object({ system: z.string(), value: z.string() }),
    endpoints,
  })
  .meta({ id: 'DavinciConfiguration', description: 'Da Vinci HRex 1.2, "Endpoint Discovery".' });

const payerIndexSchema = z
  .looseObject({
    copied_from_url: z.null(),
    resourceType: z.string(),
    identifier: z.array(z.looseObject({ system: z.string(), value: z.string() })),
    plan_groups: z.array(z.looseObject({ plan_endpoints: endpoints })),
  })
  .meta({ id: 'PayerIndex', description: 'The payer index, a draft for national directories.' });

const brandsSchema = z
  .looseObject({
    resourceType: z.literal('Bundle'),
    type: z.literal('collection'),
    timestamp: z.string(),
    entry: z.array(z.looseObject({ fullUrl: z.url() })),
  })
  .meta({ id: 'UserAccessBrands', description: 'SMART App Launch 2.2, "User-access Brands".' });

const wellKnownResponses = refusalResponses([
  functionRefusal('unknown-path'),
  ...publicRefusals.filter(({ status }) => status !== 406),
]);
const requestId = z.object({ 'X-Request-Id': requestIdAnswer });

/** The description of one of the documents. */
export function documentedDiscovery(operation: DiscoveryOperation, service: PublishedService): Described {
  switch (operation) {
    case 'davinci-configuration':
      return wellKnown(
        'Endpoints of this plan (HRex)',
        'Returns the endpoints of this line of business, with the identifier of the plan (Da Vinci HRex 1.2).',
        { schema: davinciConfigurationSchema, ...configurationExample(service) },
      );
    case 'payer-index':
      return wellKnown(
        'Payer index of this plan',
        'Returns the endpoints of this line of business as the draft of the payer index defines them. The draft may change.',
        { schema: payerIndexSchema },
      );
    case 'user-access-brands':
      return brands(service);
  }
}

function wellKnown(summary: string, description: string, content: ZodOpenApiMediaTypeObject): Described {
  return {
    summary,
    description: `${description} Needs no credentials. A plan without an identifier is not published: 404.`,
    requestParams: { header: z.object({ 'X-Request-Id': requestIdHeader }) },
    responses: {
      '200': { description: 'The document.', headers: requestId, content: { 'application/json': content } },
      ...wellKnownResponses,
    },
  };
}

/** An example with the sandbox's identifier; none where it has none. */
function configurationExample({ environments: { sandbox } }: PublishedService) {
  const [identifier] = sandbox.planIdentifiers[exampleLob] ?? [];
  if (identifier === undefined) return {};
  return { example: davinciConfiguration(sandbox.origins, exampleLob, identifier) };
}

function brands({ environments: { sandbox } }: PublishedService): Described {
  const headers = z.object({
    'X-Request-Id': requestIdAnswer,
    ETag: z.string().meta({ description: 'Changes with the content.' }),
  });
  const content = { schema: brandsSchema, example: userAccessBrands(sandbox.origins, exampleLob, undefined) };
  return {
    summary: 'Brand of this plan',
    description:
      'Returns the name of the plan with its Patient Access endpoint, by which apps show it in a list (SMART App Launch 2.2). Needs no credentials.',
    requestParams: {
      query: z.object({ _format: format }),
      header: z.object({
        Accept: accept,
        'If-None-Match': ifNoneMatch,
        'X-Request-Id': requestIdHeader,
      }),
    },
    responses: {
      '200': {
        description: 'The Bundle.',
        headers,
        content: { 'application/fhir+json': content, 'application/json': content },
      },
      '304': { description: 'The cached version is current.', headers },
      ...refusalResponses(publicRefusals),
    },
  };
}
