/** Serves documents that are the same for everybody: CapabilityStatement and SMART configuration. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import type { FhirHandler } from './fhir-dispatch.ts';
import { corsHeaders, fhirRefusal } from './operation-outcome.ts';
import { header } from './pipeline.ts';

/** Cache lifetime of a document that changes with deployments only. */
const maxAgeSeconds = 300;

/** Makes a document; what makes it may be loaded first. */
type Build = () => object | Promise<object>;

/** Answers with a resource that is the same for everybody, serialized at its first use. */
export function fhirDocument(
  build: Build,
  negotiate: (
    accept: string | undefined,
    format: string | undefined,
    preferred: 'application/fhir+json',
  ) => string | undefined,
): FhirHandler {
  let body: string | undefined;
  return async (event) => {
    const format = event.queryStringParameters?._format;
    const mediaType = negotiate(header(event, 'accept'), format, 'application/fhir+json');
    if (mediaType === undefined) return fhirRefusal('not-acceptable');
    body ??= JSON.stringify(await build());
    return publicDocument(body, mediaType);
  };
}

/** The same for a document of JSON, whatever `Accept` says: discovery has one form (RFC 8414 section 3.2). */
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
      // The gateway compresses it for who takes gzip, and says nothing of it to caches.
      Vary: 'Accept, Accept-Encoding',
    },
    body,
  };
}
