/** OpenAPI operations of Payer Access on groups and asynchronous jobs. */

import * as z from 'zod';
import type { FhirOperation, FhirRoute, GroupOperation } from '../../../lambdas/catalog/fhir/fhir-routes.ts';
import { exportParameterTexts, payerToPayer } from '../../../lambdas/catalog/payer/export-parameters.ts';
import { groupSearchParameters } from '../../../lambdas/catalog/payer/group-search-parameters.ts';
import { accept, type Described } from './fhir-data-operations.ts';
import { payerRefusals, refusalResponses } from './fhir-refusal-responses.ts';
import { requestIdAnswer, requestIdHeader } from './operations.ts';
import { bulkMatchBody } from './payer-operations.ts';
import { count, cursor, elements } from './search-parameters.ts';

export type DocumentedGroupOperation =
  | GroupOperation
  | 'Group.bulk-member-match'
  | 'Group.davinci-data-export'
  | 'Group.export';

const file = z.looseObject({ type: z.string(), url: z.string(), count: z.int() });
const files = (description: string) => z.array(file).meta({ description });
const manifest = z
  .looseObject({
    transactionTime: z.string().meta({ description: 'Time of the data, an instant.' }),
    request: z.string().meta({ description: 'The request that began the job.' }),
    requiresAccessToken: z.boolean().meta({ description: 'Whether the files need an access token.' }),
    output: files('NDJSON files with their type, address and number of resources.'),
    error: files('NDJSON files of OperationOutcomes.'),
    deleted: files('NDJSON files of Bundles that name deleted resources.'),
  })
  .meta({ id: 'JobManifest', description: 'Manifest of a job’s files (Bulk Data Access).' });
const group = z
  .looseObject({ resourceType: z.literal('Group') })
  .meta({ id: 'Group', description: 'FHIR R4 Group of the members that a payer submitted.' });
const bundle = z
  .looseObject({ resourceType: z.literal('Bundle'), type: z.literal('searchset') })
  .meta({ id: 'GroupSearchset', description: 'FHIR R4 Bundle of Groups, without their members.' });

const answerHeaders = z.object({ 'X-Request-Id': requestIdAnswer });
const progressHeaders = answerHeaders.extend({
  'X-Progress': z
    .string()
    .meta({ description: 'Place in line, and then the members that are done, of all.' }),
  'Retry-After': z.string().meta({ description: 'Seconds the job still takes at its pace so far.' }),
});
const locationHeaders = answerHeaders.extend({
  'Content-Location': z.string().meta({ description: 'Address of the job’s status.' }),
});
const redirectHeaders = answerHeaders.extend({
  Location: z.string().meta({ description: 'Address of the file in storage, valid for a minute.' }),
});

const segment = (description: string) => z.string().meta({ description });
const pathParameters: Readonly<Record<string, z.ZodType>> = {
  id: segment('Logical ID of the Group.'),
  job: segment('From the address in `Content-Location`.'),
  file: segment('From an address of the manifest.'),
};

const fhirJson = (schema: z.ZodType) => ({
  'application/fhir+json': { schema },
  'application/json': { schema },
});

/** Words, successful responses and refusals of each operation. */
const operations: Readonly<
  Record<
    DocumentedGroupOperation,
    Pick<Described, 'summary' | 'responses'> & {
      readonly description: string;
      readonly refusals: keyof typeof payerRefusals;
    }
  >
> = {
  'Group.bulk-member-match': {
    summary: 'Match many members',
    description:
      'Begins a job that matches each MemberBundle by the rules of `$member-match` (`$bulk-member-match` of Da Vinci PDex). Requires `Prefer: respond-async`.',
    responses: { '202': { description: 'The job was accepted.', headers: locationHeaders } },
    refusals: 'asynchronous',
  },
  'Group.davinci-data-export': {
    summary: 'Export the data of a group',
    description: `Begins a job that exports the data of matched members for the Payer-to-Payer exchange (\`$davinci-data-export\`). \`exportType\` is \`${payerToPayer}\`. Requires \`Prefer: respond-async\`.`,
    responses: { '202': { description: 'The job was accepted.', headers: locationHeaders } },
    refusals: 'export',
  },
  'Group.export': {
    summary: 'Export the data of a group (Bulk Data Access)',
    description:
      'Begins the same job by the operation of the Bulk Data Access IG (`$export`). Requires `Prefer: respond-async`.',
    responses: { '202': { description: 'The job was accepted.', headers: locationHeaders } },
    refusals: 'export',
  },
  'Group.read': {
    summary: 'Read a group',
    description:
      'Returns a group of members that the application matched. A Group that is too long for a response is a redirect to storage.',
    responses: {
      '200': { description: 'The Group.', headers: answerHeaders, content: fhirJson(group) },
      '307': { description: 'The Group is in storage.', headers: redirectHeaders },
    },
    refusals: 'group',
  },
  'Group.search-type': {
    summary: 'Search groups',
    description: 'Returns the application’s own groups without their members, the newest first.',
    responses: { '200': { description: 'The Groups.', headers: answerHeaders, content: fhirJson(bundle) } },
    refusals: 'group',
  },
  'job-status': {
    summary: 'Get the status of a job',
    description: 'Returns the progress of a job, and its manifest once it is complete.',
    responses: {
      '200': {
        description: 'The job is complete.',
        headers: answerHeaders,
        content: { 'application/json': { schema: manifest } },
      },
      '202': { description: 'The job is under way.', headers: progressHeaders },
    },
    refusals: 'job',
  },
  'job-cancel': {
    summary: 'Cancel a job',
    description: 'Cancels a job, or removes the files of one that has ended.',
    responses: { '202': { description: 'The job is cancelled.', headers: answerHeaders } },
    refusals: 'job',
  },
  'job-file': {
    summary: 'Download a file of a job',
    description:
      'Redirects to the file in storage: NDJSON, compressed with gzip. Follow the redirect without the `Authorization` header.',
    responses: { '307': { description: 'The file is in storage.', headers: redirectHeaders } },
    refusals: 'job',
  },
};

const formType = 'application/x-www-form-urlencoded';
const searchSchema = z.object(
  Object.fromEntries(
    [
      ...groupSearchParameters.map(({ name, documentation }) => [name, documentation] as const),
      ...[count, elements, cursor].map(({ name, words }) => [name, words] as const),
    ].map(([name, description]) => [name, z.string().optional().meta({ description })]),
  ),
);

/** The answers and parameters of a route. */
export function documentedGroup({ path, method }: FhirRoute, operation: DocumentedGroupOperation): Described {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const { refusals, responses, ...words } = operations[operation];
  const isSearch = operation === 'Group.search-type';
  const isMatch = operation === 'Group.bulk-member-match';
  const isExport = operation === 'Group.davinci-data-export' || operation === 'Group.export';
  return {
    ...words,
    ...(isSearch && method === 'POST' && { summary: `${words.summary} by form` }),
    ...(isExport && method === 'POST' && { summary: `${words.summary}, by POST` }),
    requestParams: {
      ...(names.length > 0 && {
        path: z.object(Object.fromEntries(names.map((name) => [name, pathParameters[name] ?? z.string()]))),
      }),
      ...(isSearch && method === 'GET' && { query: searchSchema }),
      ...(isExport && { query: exportSchema }),
      header: z.object({
        ...((operation === 'Group.read' || isSearch) && { Accept: accept }),
        ...((isMatch || isExport) && {
          Prefer: z.literal('respond-async').meta({ description: 'Required: the answer is a job.' }),
        }),
        'X-Request-Id': requestIdHeader,
      }),
    },
    ...(isMatch && {
      requestBody: { required: true, content: { 'application/fhir+json': bulkMatchBody } },
    }),
    ...(isSearch &&
      method === 'POST' && {
        requestBody: {
          required: true,
          content: { [formType]: { schema: searchSchema, example: { code: 'match' } } },
        },
      }),
    responses: { ...responses, ...refusalResponses(payerRefusals[refusals]) },
  };
}

const exportSchema = z.object(
  Object.fromEntries(
    Object.entries(exportParameterTexts).map(([name, description]) => [
      name,
      z.string().optional().meta({ description }),
    ]),
  ),
);

const operationIds: Readonly<Record<DocumentedGroupOperation, string>> = {
  'Group.bulk-member-match': 'matchMembers',
  'Group.davinci-data-export': 'exportGroupForPayer',
  'Group.export': 'exportGroup',
  'Group.read': 'readGroup',
  'Group.search-type': 'searchGroup',
  'job-status': 'readJobStatus',
  'job-cancel': 'cancelJob',
  'job-file': 'downloadJobFile',
};

export function groupOperationId({ method }: FhirRoute, operation: DocumentedGroupOperation): string {
  const id = operationIds[operation];
  if (method !== 'POST' || operation === 'Group.bulk-member-match') return id;
  return operation === 'Group.search-type' ? `${id}ByForm` : `${id}ByPost`;
}

/** Whether an operation is documented here. */
export function isPayerOperation(operation: FhirOperation): operation is DocumentedGroupOperation {
  return Object.hasOwn(operations, operation);
}
