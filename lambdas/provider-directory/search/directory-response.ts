/** HTTP headers of the Provider Directory, whose answers caches may keep. */

import type { MediaType } from '../../fhir/query/media-type.ts';
import { entityTag } from '../../fhir/read/entity-tag.ts';

/** Seconds a cache may answer without revalidation: as long as a function may take to notice a new publication. */
const maxAgeSeconds = 60;

/**
 * Headers of an answer of the directory, which anybody may keep.
 *
 * @param tag the publication of a page of results, the version of a resource.
 * @param updated of a resource, milliseconds since 1970.
 */
export function directoryHeaders(
  tag: string,
  mediaType: MediaType,
  updated?: number,
): Readonly<Record<string, string>> {
  return {
    'Content-Type': mediaType,
    'Cache-Control': `public, max-age=${maxAgeSeconds}`,
    Vary: 'Accept, Accept-Encoding',
    ETag: entityTag(tag),
    ...(updated !== undefined && { 'Last-Modified': new Date(updated).toUTCString() }),
  };
}

/**
 * Headers of a document about a publication as a whole.
 *
 * @param tag the publication.
 */
export function documentHeaders(tag: string, contentType: string): Readonly<Record<string, string>> {
  return {
    'Content-Type': contentType,
    'Cache-Control': `public, max-age=${maxAgeSeconds}`,
    Vary: 'Accept, Accept-Encoding',
    ETag: entityTag(tag),
    // Pages have no script, style or picture.
    'Content-Security-Policy': "default-src 'none'",
  };
}
