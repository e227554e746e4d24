/** Digest of an audit event, which its seal covers. */

import { canonicalJson } from '../../platform/kernel/canonical-json.ts';
import type { Sha256 } from '../../platform/kernel/digests.ts';

/** A stored event with all its attributes, also unknown ones: an attribute that somebody added changes the digest. */
export type StoredEvent = Readonly<Record<string, unknown>>;

/** The attribute that holds the event's digest; the digest does not cover it. */
const digestAttribute = 'digest';

/** Digest of a whole event with its keys, independent of the order of its attributes. */
export function eventDigest(event: StoredEvent, sha256: Sha256): string {
  const { [digestAttribute]: _own, ...rest } = event;
  return sha256(canonicalJson(rest));
}
