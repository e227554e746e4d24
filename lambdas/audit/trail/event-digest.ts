/** Digest of an audit event, which its seal covers. */

import { canonicalJson } from '../../platform/kernel/canonical-json.ts';
import type { Sha256 } from '../../platform/kernel/digests.ts';

/** A stored event as plain values, whatever they are: what an attacker adds is part of it too. */
export type StoredEvent = Readonly<Record<string, unknown>>;

/** The attribute that holds an event's own digest, and so is no part of it. */
const digestAttribute = 'digest';

/** Digest of a whole event, keys included: the same whatever the order its attributes come in. */
export function eventDigest(event: StoredEvent, sha256: Sha256): string {
  const { [digestAttribute]: _own, ...rest } = event;
  return sha256(canonicalJson(rest));
}
