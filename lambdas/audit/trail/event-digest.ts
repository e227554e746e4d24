/** Digest of an audit event, which is listed in its seal. */

import { canonicalJson } from '../../platform/kernel/canonical-json.ts';
import type { Sha256 } from '../../platform/kernel/digests.ts';

/** A stored event with all its attributes. Unknown ones are included, so that an added attribute changes the digest. */
export type StoredEvent = Readonly<Record<string, unknown>>;

/** The attribute with the event's digest, which the digest itself does not cover. */
const digestAttribute = 'digest';

/** Digest of a whole event with its keys, independent of the order of its attributes. */
export function eventDigest(event: StoredEvent, sha256: Sha256): string {
  const { [digestAttribute]: _own, ...rest } = event;
  return sha256(canonicalJson(rest));
}
