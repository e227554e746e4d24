/** Format of an audit seal and its lists of events. */

import type { Environment } from '../../catalog/environments.ts';
import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';
import { canonicalJson } from '../../platform/kernel/canonical-json.ts';
import type { Sha256 } from '../../platform/kernel/digests.ts';
import { merkleRoot } from './merkle-tree.ts';

/** One event in a seal's list: its key and the digest of its attributes. */
export interface Leaf {
  readonly pk: string;
  readonly sk: string;
  readonly digest: string;
}

/** A part of the list of a shard's events, in the order of `sk`. It is written once, before the seal that refers to it. */
export interface ListPart {
  /** Number of the part: 0, 1, 2 … */
  readonly part: number;
  /** Number of events in this part and all parts before it. */
  readonly events: number;
  /** Digest of this part's events and the `chain` of the previous part. */
  readonly chain: string;
  readonly leaves: readonly Leaf[];
}

/** A shard's list as a seal records it: its length, and the `chain` of its last part. */
export interface SealedList {
  readonly shard: number;
  readonly parts: number;
  readonly events: number;
  readonly chain: string;
}

/** The sealed text: a record of all events of an issuer in a period. */
export interface SealStatement {
  readonly environment: Environment;
  /** The token issuer whose events are sealed. The signed text names it so, and can't be changed. */
  readonly authority: TokenIssuer;
  /** Number of the seal: 1, 2, 3 … A removed seal leaves a gap. */
  readonly sequence: number;
  /** Start of the period, ISO 8601, inclusive; `until` is exclusive. It is the end of the previous seal. */
  readonly from: string;
  readonly until: string;
  readonly events: number;
  /** Lists of the shards that have events in the last window of the period. Earlier windows of the period have no events. */
  readonly lists: readonly SealedList[];
  /** Digest of the previous seal; empty for the first. */
  readonly previous: string;
  /** Time of sealing, ISO 8601. If it is long after `until`, sealing had stopped, or seals were removed and made again. */
  readonly sealedAt: string;
  /** ID of the KMS key that signs the statement. */
  readonly keyId: string;
}

export interface Seal extends SealStatement {
  /** Signature of the statement by the key it names: ECDSA on P-256 with SHA-256, DER (RFC 3279 section 2.2.3), base64. */
  readonly signature: string;
}

/** The newest seal of an issuer, as anchored outside the table. */
export interface Head {
  readonly sequence: number;
  readonly digest: string;
}

/** The text that the signature covers. It has at most 2,500 bytes, with all shards; KMS allows 4,096. */
export function statementText(seal: SealStatement): string {
  const { environment, authority, sequence, from, until, events, lists, previous, sealedAt, keyId } = seal;
  const period = { from, until, events, lists };
  return canonicalJson({ environment, authority, sequence, ...period, previous, sealedAt, keyId });
}

/** Digest of a seal, by which the next seal and the anchor refer to it. */
export function sealDigest(seal: SealStatement, sha256: Sha256): string {
  return sha256(statementText(seal));
}

/**
 * The `chain` of a part with these leaves.
 *
 * @param previous `chain` of the previous part; empty for the first.
 */
export function chainOf(previous: string, leaves: readonly Leaf[], sha256: Sha256): string {
  const root = merkleRoot(
    leaves.map(({ pk, sk, digest }) => `${sk} ${pk} ${digest}`),
    sha256,
  );
  return sha256(`part ${previous} ${root}`);
}
