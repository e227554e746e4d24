/** Serves documents that are the same for every caller: CapabilityStatement and SMART configuration. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import { digests } from '../runtime/digests.ts';
import type { FhirHandler } from './fhir-dispatch.ts';
import { corsHeaders, fhirRefusal } from './operation-outcome.ts';
import { header } from './pipeline.ts';

/** Seconds that caches may keep a document. It changes only with a deployment. */
const maxAgeSeconds = 300;

/** Makes a document. Asynchronous, so that it can load a module first. */
type Build = () => object | Promise<object>;

/**
 * Makes the handler of a FHIR resource that is the same for every caller. It is serialized at first use.
 *
 * @param matches whether `If-None-Match` has a version; with it, the document has an ETag and is not sent again unchanged (304).
 */
export function fhirDocument(
  build: Build,
  negotiate: (
    accept: string | undefined,
    format: string | undefined,
    preferred: 'application/fhir+json',
  ) => string | undefined,
  matches?: (ifNoneMatch: string | undefined, versionId: string) => boolean,
): FhirHandler {
  let body: string | undefined;
  return async (event) => {
    const format = event.queryStringParameters?._format;
    const mediaType = negotiate(header(event, 'accept'), format, 'application/fhir+json');
    if (mediaType === undefined) return fhirRefusal('not-acceptable');
    body ??= JSON.stringify(await build());
    const document = publicDocument(body, mediaType);
    if (matches === undefined) return document;
    const versionId = digests.sha256Base64Url(body).slice(0, 22);
    const headers = { ...document.headers, ETag: `W/"${versionId}"` };
    return matches(header(event, 'if-none-match'), versionId)
      ? { statusCode: 304, headers, body: '' }
      : { ...document, headers };
  };
}

/** Makes the handler of a JSON document, which is sent whatever `Accept` says (RFC 8414 section 3.2). */
export function jsonDocument(build: Build): FhirHandler {
  let body: string | undefined;
  return async () => {
    body ??= JSON.stringify(await build());
    return publicDocument(body, 'application/json');
  };
}

function publicDocument(body: string, mediaType: string): APIGatewayProxyResult {
  return {
    statusCode: 200,
    headers: {
      ...corsHeaders,
      'Content-Type': mediaType,
      'Cache-Control': `public, max-age=${maxAgeSeconds}`,
      // API Gateway compresses the body for clients that accept gzip, but does not add `Vary`.
      Vary: 'Accept, Accept-Encoding',
    },
    body,
  };
}
