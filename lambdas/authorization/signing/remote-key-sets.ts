/** Fetches and caches the JWK Sets that clients publish. */

import * as z from 'zod/mini';
import { type ClientJwk, clientJwk } from '../../catalog/oauth/client-jwks.ts';
import { mostClientKeys } from '../../catalog/oauth/client-keys.ts';
import type { FetchDocument } from '../../platform/runtime/guarded-fetch.ts';

/** Result of a read. `unavailable`: the address returned no JWK Set in the last ten minutes. */
export type PublishedKeys =
  | { readonly kind: 'keys'; readonly keys: readonly ClientJwk[] }
  | { readonly kind: 'unavailable' };

/** Reads the JWK Sets that clients publish. */
export interface RemoteKeySets {
  /**
   * Reads the key set at an address.
   *
   * @param wanted matches the needed key. If the cached set has none, it is read again, as the client may have rotated its keys: at most
   * once a minute, because an attacker can name keys that do not exist.
   */
  keys(uri: string, wanted: (key: ClientJwk) => boolean): Promise<PublishedKeys>;
}

/** Milliseconds that a set is cached. A key that the client removed may verify assertions for that long. */
const rememberedMs = 10 * 60_000;
const forcedReadMs = 60_000;
const mostRemembered = 200;

interface Remembered {
  published: PublishedKeys;
  /** Start of the last read, successful or not. The next read is at least a minute later. */
  triedAt: number;
  readAt: number;
  reading: Promise<void> | undefined;
}

/** JWK Set (RFC 7517 section 5); each key is parsed by itself later. */
const jwkSet = z.object({ keys: z.array(z.unknown()) });

/** Creates a cache of key sets. Concurrent callers share one read. */
export function createRemoteKeySets(options: {
  readonly fetchDocument: FetchDocument;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}): RemoteKeySets {
  const { fetchDocument, now } = options;
  const sets = new Map<string, Remembered>();

  function rememberedOf(uri: string): Remembered {
    const known = sets.get(uri);
    if (known !== undefined) return known;
    const made: Remembered = {
      published: { kind: 'unavailable' },
      triedAt: Number.NEGATIVE_INFINITY,
      readAt: Number.NEGATIVE_INFINITY,
      reading: undefined,
    };
    const [oldest] = sets.size >= mostRemembered ? sets.keys() : [];
    if (oldest !== undefined) sets.delete(oldest);
    sets.set(uri, made);
    return made;
  }

  async function read(uri: string, set: Remembered): Promise<void> {
    const began = now();
    set.triedAt = began;
    try {
      set.published = { kind: 'keys', keys: verificationKeys(await fetchDocument(uri)) };
      set.readAt = began;
    } catch {
      // After a failed read the cached set stays valid until its ten minutes are over.
      if (began - set.readAt >= rememberedMs) set.published = { kind: 'unavailable' };
    }
  }

  return {
    async keys(uri, wanted) {
      const set = rememberedOf(uri);
      const old = now() - set.readAt >= rememberedMs;
      const lacking = set.published.kind === 'unavailable' || !set.published.keys.some(wanted);
      if (set.reading !== undefined || ((old || lacking) && now() - set.triedAt >= forcedReadMs)) {
        set.reading ??= read(uri, set).finally(() => {
          set.reading = undefined;
        });
        await set.reading;
      }
      return now() - set.readAt < rememberedMs ? set.published : { kind: 'unavailable' };
    },
  };
}

/**
 * The keys of a published set that can verify an assertion, without those for encryption and of other types.
 *
 * @throws Error for a document that is no JWK Set.
 */
function verificationKeys(document: string): readonly ClientJwk[] {
  const set: unknown = JSON.parse(document);
  const { data } = jwkSet.safeParse(set);
  if (data === undefined) throw new Error('the document is no JWK Set');
  return data.keys.slice(0, mostClientKeys).flatMap((one: unknown) => {
    const parsed = clientJwk.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });
}
