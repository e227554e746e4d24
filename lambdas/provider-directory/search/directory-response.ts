/** HTTP headers of the Provider Directory, whose responses caches may store. */

import type { MediaType } from '../../fhir/query/media-type.ts';
import { entityTag } from '../../fhir/read/entity-tag.ts';

/** Seconds for which a cache may respond without revalidation: as long as a function may take to notice a new publication. */
const maxAgeSeconds = 60;

/**
 * Headers of a data response, which any cache may store.
 *
 * @param tag the publication for a page of results, the version for a resource.
 * @param updated time of a resource's last update, milliseconds since 1970.
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
 * Headers of a document about a whole publication.
 *
 * @param tag ID of the publication.
 */
export function documentHeaders(tag: string, contentType: string): Readonly<Record<string, string>> {
  return {
    'Content-Type': contentType,
    'Cache-Control': `public, max-age=${maxAgeSeconds}`,
    Vary: 'Accept, Accept-Encoding',
    ETag: entityTag(tag),
    // The HTML pages load no script, style or image, have no form, and belong in no frame.
    'Content-Security-Policy':
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  };
}
