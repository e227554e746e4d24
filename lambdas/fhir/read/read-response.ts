/** HTTP responses of FHIR reads and searches, with their headers. */

import { isFhirId } from '../../catalog/fhir/fhir-id.ts';
import { deprecation, type FhirRoute } from '../../catalog/fhir/fhir-routes.ts';
import type { MediaType } from '../query/media-type.ts';
import type { StoredResource } from '../values/patient-compartment.ts';
import { entityTag } from './entity-tag.ts';
import type { ReadAnswer } from './resource-read.ts';

/** The HTTP response of a successful read (R4, http.html#read). */
export interface ReadResponse {
  readonly statusCode: 200 | 304;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly isBase64Encoded?: boolean;
}

/** A document may contain its author's scripts, so a browser must save it instead of opening it. */
const asFile = {
  'Content-Disposition': 'attachment',
  'Content-Security-Policy': "default-src 'none'; sandbox",
};

/** Caches must not store a member's data; applications revalidate by entity tag. */
const noStore = { 'Cache-Control': 'private, no-store', Vary: 'Accept' };

export function readResponse(answer: Extract<ReadAnswer, { resource: StoredResource }>): ReadResponse {
  const { versionId, lastUpdated } = answer.resource;
  const headers = {
    ...noStore,
    ETag: entityTag(versionId),
    'Last-Modified': new Date(lastUpdated).toUTCString(),
  };
  if (answer.kind === 'content') {
    const { contentType, ...content } = answer.content;
    return { statusCode: 200, headers: { ...headers, ...asFile, 'Content-Type': contentType }, ...content };
  }
  return answer.kind === 'not-modified'
    ? { statusCode: 304, headers, body: '' }
    : { statusCode: 200, headers: { ...headers, 'Content-Type': answer.mediaType }, body: answer.body };
}

/** The HTTP response of a result page. It has no entity tag, because a Bundle has no version. */
export function bundleResponse({
  body,
  mediaType,
}: {
  readonly body: string;
  readonly mediaType: MediaType;
}) {
  return { statusCode: 200, headers: { ...noStore, 'Content-Type': mediaType }, body };
}

/** Start of the day since which the older paths are deprecated, seconds since 1970. */
const deprecatedSince = Date.parse(deprecation.since) / 1000;

/**
 * Headers of a response at a deprecated path: its date and the successor's URL (RFC 9745; RFC 5829 section 3.2 for the relation).
 *
 * @param id as sent; an invalid ID gets no successor.
 */
export function deprecationHeaders(route: FhirRoute, origin: string, id: string): Record<string, string> {
  if (route.successor === undefined) return {};
  const Deprecation = `@${deprecatedSince}`;
  if (!isFhirId(id)) return { Deprecation };
  const path = route.successor.replace('{id}', id);
  return { Deprecation, Link: `<${origin}${path}>; rel="successor-version"` };
}
