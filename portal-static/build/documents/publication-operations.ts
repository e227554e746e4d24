/** OpenAPI operations on a publication of the Provider Directory as a whole. */

import * as z from 'zod';
import type { FhirRoute, PublicationOperation } from '../../../lambdas/catalog/fhir/fhir-routes.ts';
import type { Described } from './fhir-data-operations.ts';
import { directoryRefusals, publicRefusals, refusalResponses } from './fhir-refusal-responses.ts';
import { requestIdAnswer, requestIdHeader } from './operations.ts';

const answerHeaders = z.object({
  ETag: z.string().meta({ description: 'Of the publication.' }),
  'Cache-Control': z.string(),
  'X-Request-Id': requestIdAnswer,
});

const file = z.looseObject({ type: z.string(), url: z.string(), count: z.int() });

const files = (description: string) => z.array(file).meta({ description });

const bulkManifest = z
  .looseObject({
    transactionTime: z.string().meta({ description: 'Time of the publication, an instant.' }),
    requiresAccessToken: z.boolean().meta({ description: 'Whether the files need an access token.' }),
    output: files('NDJSON files with their type, address and number of resources.'),
    deleted: files('NDJSON files of Bundles that name deleted resources.').optional(),
    error: files('Always empty.'),
  })
  .meta({
    id: 'BulkManifest',
    description: 'Manifest of bulk files. `extension.changes` names files of what changed since `since`.',
  });

const planFinderIndex = z
  .object({ provider_urls: z.array(z.string()) })
  .meta({ id: 'PlanFinderIndex', description: 'Addresses of Plan-Net Bundles.' });

const truthReport = z
  .looseObject({ publication: z.string(), records: z.int(), verified30: z.int(), verified90: z.int() })
  .meta({
    id: 'TruthReport',
    description: 'Records by type, with those that were verified and those with faults.',
  });

interface Words {
  readonly summary: string;
  readonly description: string;
}

const words: Readonly<Record<PublicationOperation, Words>> = {
  'publication.bulk-publish': {
    summary: 'Get the manifest of the bulk files',
    description:
      'Returns the addresses of the whole directory as gzipped NDJSON, of what changed since the publication before, and of what it no longer has. Addresses never change their content.',
  },
  'publication.export': {
    summary: 'Export the whole directory',
    description:
      'Starts an asynchronous export (Bulk Data Access). The files exist already: the address in `Content-Location` answers at once. Requires `Prefer: respond-async`.',
  },
  'publication.export-status': {
    summary: 'Get the status of an export',
    description: 'Returns the manifest of the export’s files.',
  },
  'publication.file': {
    summary: 'Download a file of the directory',
    description: 'Redirects to the file in storage, which is compressed with gzip.',
  },
  'publication.plan-finder': {
    summary: 'Get the Medicare Plan Finder index of a contract',
    description: 'Returns the addresses of the contract’s Plan-Net Bundles for a year.',
  },
  'publication.truth-report': {
    summary: 'Get the share of the directory that is verified',
    description:
      'Returns records by type, and how many were verified in 30 and 90 days. `Accept: text/html` gets a page.',
  },
};

const segment = (description: string) => z.string().meta({ description });

/** Parameters of the paths, by name. */
const pathParameters: Readonly<Record<string, z.ZodType>> = {
  publication: segment('A publication that is kept.'),
  folder: segment('From an address of a manifest.'),
  file: segment('From an address of a manifest.'),
  contract: segment('CMS contract number, such as H0000.'),
  year: segment('Plan year.'),
};

/** The answers and parameters of a route. */
export function documentedPublication(
  { path, access }: FhirRoute,
  operation: PublicationOperation,
): Described {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const isExport = operation === 'publication.export';
  const { summary, description } = words[operation];
  const needs =
    access === 'public'
      ? 'Needs no credentials.'
      : 'Requires a subscription key, except in an environment where the directory is public.';
  const query = {
    _type: z.string().optional().meta({ description: 'Resource types, separated by commas.' }),
    ...(isExport && {
      _outputFormat: z.enum(['application/fhir+ndjson', 'application/ndjson', 'ndjson']).optional(),
    }),
  };
  const takesTypes = isExport || operation === 'publication.export-status';
  return {
    summary: access === 'public' ? summary : `${summary}, at the base`,
    description: `${description} ${needs}`,
    requestParams: {
      ...(names.length > 0 && {
        path: z.object(Object.fromEntries(names.map((name) => [name, pathParameters[name] ?? z.string()]))),
      }),
      ...(takesTypes && { query: z.object(query) }),
      header: z.object({
        ...(isExport
          ? {
              Prefer: z
                .literal('respond-async')
                .meta({ description: 'Required: the answer is asynchronous.' }),
            }
          : {
              'If-None-Match': z.string().optional().meta({ description: 'The `ETag` of a cached answer.' }),
            }),
        'X-Request-Id': requestIdHeader,
      }),
    },
    responses: { ...successOf(operation), ...refusalResponses(refusalsOf(operation, access)) },
  };
}

function refusalsOf(operation: PublicationOperation, access: FhirRoute['access']) {
  const all =
    access === 'public'
      ? [...publicRefusals, ...directoryRefusals.publication]
      : directoryRefusals.publication;
  const isNamed = operation === 'publication.file' || operation === 'publication.export-status';
  return all.filter(
    ({ status }) =>
      status !== 406 &&
      (isNamed || status !== 410) &&
      (operation === 'publication.export' || status !== 400) &&
      (access !== 'public' || (status !== 401 && status !== 403)),
  );
}

function successOf(operation: PublicationOperation): Described['responses'] {
  const requestId = z.object({ 'X-Request-Id': requestIdAnswer });
  if (operation === 'publication.export') {
    const headers = requestId.extend({ 'Content-Location': z.string() });
    return { '202': { description: 'The export was accepted.', headers } };
  }
  if (operation === 'publication.file') {
    const headers = requestId.extend({ Location: z.string() });
    return { '307': { description: 'The file’s address for the next quarter of an hour.', headers } };
  }
  const schema =
    operation === 'publication.plan-finder'
      ? planFinderIndex
      : operation === 'publication.truth-report'
        ? truthReport
        : bulkManifest;
  return {
    '200': {
      description: 'The document.',
      headers: answerHeaders,
      content: { 'application/json': { schema } },
    },
    '304': { description: 'The cached answer is current.', headers: answerHeaders },
  };
}

/** Operation IDs; the path below `public` is the plain one. */
export function publicationOperationId({ access }: FhirRoute, operation: PublicationOperation): string {
  const id = {
    'publication.bulk-publish': 'getBulkManifest',
    'publication.export': 'exportDirectory',
    'publication.export-status': 'getExportStatus',
    'publication.file': 'downloadDirectoryFile',
    'publication.plan-finder': 'getPlanFinderIndex',
    'publication.truth-report': 'getTruthReport',
  }[operation];
  return access === 'public' ? id : `${id}AtBase`;
}
