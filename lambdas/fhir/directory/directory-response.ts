/** HTTP headers of the Provider Directory, whose answers caches may keep. */

import { entityTag } from '../entity-tag.ts';
import type { MediaType } from '../media-type.ts';

/** Seconds a cache may answer without asking: as long as a function may take to learn of a new publication. */
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
