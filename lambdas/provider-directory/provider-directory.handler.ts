/** Handler of `provider-directory`: the Provider Directory API of one LOB (read, vread, search, metadata), answered from its publication. */

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { FhirResource } from 'fhir/r4.js';
import { fhirBase } from '../catalog/addresses.ts';
import {
  type DirectoryDefinition,
  type DirectoryType,
  directoryDefinitions,
  directoryTypes,
} from '../catalog/fhir/directory-types.ts';
import { isFhirId } from '../catalog/fhir/fhir-id.ts';
import type { FhirRefusal } from '../catalog/fhir/fhir-refusals.ts';
import {
  type DirectoryInteraction,
  type PublicationOperation,
  publicationOperations,
} from '../catalog/fhir/fhir-routes.ts';
import type { Interface } from '../catalog/fhir/interfaces.ts';
import { capabilityStatement } from '../fhir/capability-statement.ts';
import { type MediaType, negotiate } from '../fhir/query/media-type.ts';
import { parseSelection } from '../fhir/query/result-parameters.ts';
import { formatOf, isStrict } from '../fhir/query/search-request.ts';
import { matchesEntityTag } from '../fhir/read/entity-tag.ts';
import { subset } from '../fhir/search/subset.ts';
import { dispatchFhir, type FhirHandler } from '../platform/http/fhir-dispatch.ts';
import { fhirDocument } from '../platform/http/fhir-documents.ts';
import { fhirParameters } from '../platform/http/fhir-parameters.ts';
import {
  corsHeaders,
  fhirDialect,
  fhirRefusal,
  invalidRequest,
  publicationUnavailable,
} from '../platform/http/operation-outcome.ts';
import { createPipeline, header } from '../platform/http/pipeline.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { digests } from '../platform/runtime/digests.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { createPublicationBucket } from './aws/publication-bucket.ts';
import { answerPublication, type PublicationAnswer } from './files/publication-answers.ts';
import { createPublicationCatalogs } from './files/publication-catalog.ts';
import { PublicationUnavailable } from './publication/publication.ts';
import { directoryCapabilities } from './search/directory-capabilities.ts';
import { directoryHeaders, documentHeaders } from './search/directory-response.ts';
import { readDirectoryResource, searchDirectory } from './search/directory-search.ts';
import { directorySearchParameter } from './search/directory-search-parameters.ts';
import { specialtyConceptMap, specialtyConceptMapId } from './search/specialty-concept-map.ts';
import { createKeptPublications } from './sqlite/kept-publications.ts';

const {
  lineOfBusiness,
  subscriptionKey,
  directoryAccess,
  publicationBucket,
  authOrigin,
  tokenOrigin,
  apiOriginTemplate,
} = readEnvironment([
  'lineOfBusiness',
  'subscriptionKey',
  'directoryAccess',
  'publicationBucket',
  'authOrigin',
  'tokenOrigin',
  'apiOriginTemplate',
]);
const origins = { auth: authOrigin, token: tokenOrigin, apiTemplate: apiOriginTemplate };
const host = { origins, lob: lineOfBusiness, subscriptionKey, directoryAccess };
/** The interface that this function serves. */
const served: Interface = 'provider-directory';
const base = fhirBase(origins, lineOfBusiness, served);

const bucket = createPublicationBucket(new S3Client({ retryStrategy: sdkRetries }), publicationBucket);
const publications = createKeptPublications({
  bucket,
  lob: lineOfBusiness,
  folder: join(tmpdir(), 'publications'),
  now: systemClock,
  log: consoleLog,
});
const services = { publications, sha256: digests.sha256Hex, now: systemClock };

/** The refusal of an application that may not read the directory; undefined if it may, or if the directory needs no key. */
function accessRefusal({ requestContext: { authorizer } }: APIGatewayProxyEvent): FhirRefusal | undefined {
  if (directoryAccess === 'public') return undefined;
  if (typeof authorizer?.clientId !== 'string') return 'key-invalid';
  return String(authorizer.products).split(' ').includes(served) ? undefined : 'product-missing';
}

type Answer = (
  event: APIGatewayProxyEvent,
  parameters: readonly (readonly [string, string])[],
  mediaType: MediaType,
) => Promise<APIGatewayProxyResult>;

/** Makes the handler of a data request, which checks access, parameters and media type first. */
function answering(answer: Answer): FhirHandler {
  return async (event) => {
    const refused = accessRefusal(event);
    if (refused !== undefined) return fhirRefusal(refused);
    const asked = fhirParameters(event);
    if (asked.kind === 'refusal') return fhirRefusal(asked.refusal);
    const format = formatOf(asked.parameters)[0]?.[1];
    const mediaType = negotiate(header(event, 'accept'), format, 'application/fhir+json');
    if (mediaType === undefined) return fhirRefusal('not-acceptable');
    try {
      return await answer(event, asked.parameters, mediaType);
    } catch (error) {
      if (error instanceof PublicationUnavailable) return publicationUnavailable();
      throw error;
    }
  };
}

/** Status 200 with the body, or 304 if the client has this version. */
function respond(
  event: APIGatewayProxyEvent,
  tag: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): APIGatewayProxyResult {
  const isKnown = event.httpMethod !== 'POST' && matchesEntityTag(header(event, 'if-none-match'), tag);
  return {
    statusCode: isKnown ? 304 : 200,
    headers: { ...corsHeaders, ...headers },
    body: isKnown ? '' : body,
  };
}

function search(type: DirectoryType): FhirHandler {
  return answering(async (event, parameters, mediaType) => {
    const strict = isStrict(header(event, 'prefer'));
    const answer = await searchDirectory(services, { type, parameters, strict, base });
    if (answer.kind === 'invalid') return invalidRequest(answer.issues);
    if (answer.kind === 'publication_gone') return fhirRefusal('publication-gone');
    const headers = directoryHeaders(answer.publication, mediaType);
    return respond(event, answer.publication, headers, answer.body);
  });
}

function read(type: DirectoryType): FhirHandler {
  return answering(async (event, parameters, mediaType) => {
    const { id = '', versionId } = event.pathParameters ?? {};
    if (!isFhirId(id)) return fhirRefusal('not-found');
    const asked = parseSelection(parameters);
    if (asked.kind === 'invalid') return invalidRequest(asked.issues);
    const found = await readDirectoryResource(services, type, id, versionId);
    if (found.kind === 'not_found') return fhirRefusal('not-found');
    const headers = directoryHeaders(found.versionId, mediaType, found.updated);
    return respond(event, found.versionId, headers, subset(found.json, type, asked.selection));
  });
}

function interactions(type: DirectoryType): readonly (readonly [DirectoryInteraction, FhirHandler])[] {
  return [
    [`directory.${type}.read`, read(type)],
    [`directory.${type}.vread`, read(type)],
    [`directory.${type}.search-type`, search(type)],
  ];
}

const publicationServices = {
  publications,
  catalogOf: createPublicationCatalogs(bucket, lineOfBusiness),
  lob: lineOfBusiness,
  base,
};

/** Makes the handler of a request for a whole publication. Its files and their URLs are public, whatever the setting of access. */
function wholePublication(operation: PublicationOperation): FhirHandler {
  return async (event, { access }) => {
    const refused = access === 'public' ? undefined : accessRefusal(event);
    if (refused !== undefined) return fhirRefusal(refused);
    const asked = fhirParameters(event);
    if (asked.kind === 'refusal') return fhirRefusal(asked.refusal);
    try {
      const answer = await answerPublication(publicationServices, {
        operation,
        path: event.pathParameters ?? {},
        parameters: asked.parameters,
        isAsync: /(^|[,;]\s*)respond-async\b/.test(header(event, 'prefer') ?? ''),
        wantsPage: (header(event, 'accept') ?? '').startsWith('text/html'),
      });
      return await respondPublication(event, answer);
    } catch (error) {
      if (error instanceof PublicationUnavailable) return publicationUnavailable();
      throw error;
    }
  };
}

async function respondPublication(
  event: APIGatewayProxyEvent,
  answer: PublicationAnswer,
): Promise<APIGatewayProxyResult> {
  switch (answer.kind) {
    case 'document':
      return respond(event, answer.tag, documentHeaders(answer.tag, answer.contentType), answer.body);
    case 'accepted':
      return { statusCode: 202, headers: { ...corsHeaders, 'Content-Location': answer.location }, body: '' };
    case 'file': {
      const method = event.httpMethod === 'HEAD' ? 'HEAD' : 'GET';
      // The key identifies the content, because a publication's file never changes.
      const tag = digests.sha256Hex(answer.key).slice(0, 16);
      const headers = { ...corsHeaders, ETag: `W/"${tag}"`, 'Cache-Control': 'public, max-age=300' };
      if (matchesEntityTag(header(event, 'if-none-match'), tag)) {
        return { statusCode: 304, headers, body: '' };
      }
      const location = await bucket.signedUrl(answer.key, answer.contentType, method);
      return { statusCode: 307, headers: { ...headers, Location: location }, body: '' };
    }
    case 'invalid':
      return invalidRequest(answer.issues);
    case 'not_found':
      return fhirRefusal('not-found');
    case 'publication_gone':
      return fhirRefusal('publication-gone');
  }
}

/** The definition with an ID, by its type; undefined if there is none. */
const definitions: Readonly<Record<DirectoryDefinition, (id: string) => FhirResource | undefined>> = {
  SearchParameter: (id) => directorySearchParameter(base, id),
  ConceptMap: (id) => (id === specialtyConceptMapId ? specialtyConceptMap(base) : undefined),
};

/** Makes the handler that reads a definition. It is the same for everyone, and only a release changes it. */
function readDefinition(type: DirectoryDefinition): FhirHandler {
  return answering(async (event, _parameters, mediaType) => {
    const found = definitions[type](event.pathParameters?.id ?? '');
    if (found === undefined) return fhirRefusal('not-found');
    const body = JSON.stringify(found);
    const tag = digests.sha256Hex(body).slice(0, 16);
    return respond(event, tag, directoryHeaders(tag, mediaType), body);
  });
}

const dispatch = dispatchFhir(
  served,
  {
    ...Object.fromEntries(publicationOperations.map((each) => [each, wholePublication(each)])),
    ...Object.fromEntries(directoryTypes.flatMap(interactions)),
    ...Object.fromEntries(
      directoryDefinitions.map((type) => [`directory.${type}.read`, readDefinition(type)]),
    ),
    capabilities: fhirDocument(() => capabilityStatement(host, served, directoryCapabilities()), negotiate),
  },
  'unknown-directory-type',
);

/**
 * Serves the Provider Directory API of one LOB. Called by applications, and by anybody where the directory is public. Reads publications in
 * the bucket; has no access to the table.
 */
export const handler = createPipeline({ dialect: fhirDialect, log: consoleLog, handler: dispatch });
