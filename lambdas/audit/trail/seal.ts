/** Format of an audit seal and its lists of events. */

import type { Environment } from '../../catalog/environments.ts';
import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';
import { canonicalJson } from '../../platform/kernel/canonical-json.ts';
import type { Sha256 } from '../../platform/kernel/digests.ts';
import { merkleRoot } from './merkle-tree.ts';

/** One event as it is sealed: where it is and what it was. */
export interface Leaf {
  readonly pk: string;
  readonly sk: string;
  readonly digest: string;
}

/** A part of the list of a shard's events, in the order of their `sk`. Written once, before the seal that covers it. */
export interface ListPart {
  /** 0, 1, 2 … */
  readonly part: number;
  /** Events in this part and the parts before it. */
  readonly events: number;
  /** Digest of this part's events and of the `chain` of the part before. */
  readonly chain: string;
  readonly leaves: readonly Leaf[];
}

/** A seal's statement of one shard's list: its length, and the `chain` of its last part. */
export interface SealedList {
  readonly shard: number;
  readonly parts: number;
  readonly events: number;
  readonly chain: string;
}

/** A seal: the statement of all events of an issuer between two times. */
export interface SealStatement {
  readonly environment: Environment;
  /** The token issuer; under this name in what is sealed. */
  readonly authority: TokenIssuer;
  /** 1, 2, 3 …: a seal that is taken out leaves a gap. */
  readonly sequence: number;
  /** ISO 8601; this moment is inside, `until` is not. Begins where the seal before ends. */
  readonly from: string;
  readonly until: string;
  readonly events: number;
  /** Lists of the shards with events in the last window before `until`; the windows before it have none. */
  readonly lists: readonly SealedList[];
  /** Digest of the seal before; empty for the first. */
  readonly previous: string;
  /** ISO 8601. Long after `until`, it tells that there was no sealing, or that seals were taken out and made again. */
  readonly sealedAt: string;
}

export interface Seal extends SealStatement {
  /** MAC over the statement by a key that never leaves KMS, base64. */
  readonly mac: string;
}

/** The newest seal of an authority, as it is anchored outside the table. */
export interface Head {
  readonly sequence: number;
  readonly digest: string;
}

/** The text the MAC is over. At most 2,500 bytes with all shards; KMS takes 4,096. */
export function statementText(seal: SealStatement): string {
  const { environment, authority, sequence, from, until, events, lists, previous, sealedAt } = seal;
  return canonicalJson({ environment, authority, sequence, from, until, events, lists, previous, sealedAt });
}

/** The digest by which the next seal and the anchor name this one. */
export function sealDigest(seal: SealStatement, sha256: Sha256): string {
  return sha256(statementText(seal));
}

/** The `chain` of a part with these leaves after the part before it. @param previous its `chain`; empty for the first part. */
export function chainOf(previous: string, leaves: readonly Leaf[], sha256: Sha256): string {
  const root = merkleRoot(
    leaves.map(({ pk, sk, digest }) => `${sk} ${pk} ${digest}`),
    sha256,
  );
  return sha256(`part ${previous} ${root}`);
}
