import type { Environment } from '../catalog/environments.ts';
import type { TokenAuthority } from '../catalog/token-authority.ts';
import { canonicalJson, type Sha256 } from './event-digest.ts';
import { merkleRoot } from './merkle-tree.ts';

/** One event as it is sealed: where it is and what it was. */
export interface Leaf {
  readonly pk: string;
  readonly sk: string;
  readonly digest: string;
}

/** What is said of all events of an authority between two moments. */
export interface SealStatement {
  readonly environment: Environment;
  readonly authority: TokenAuthority;
  /** 1, 2, 3 …: a seal that is taken out leaves a gap. */
  readonly sequence: number;
  /** ISO 8601; this moment is inside, `until` is not. Begins where the seal before ends. */
  readonly from: string;
  readonly until: string;
  readonly events: number;
  /** Root of the tree over the leaves, in the order of their `sk` and `pk`. */
  readonly root: string;
  /** Digest of the seal before; empty for the first. */
  readonly previous: string;
  /** ISO 8601. Long after `until`, it tells that there was no sealing, or that seals were taken out and made again. */
  readonly sealedAt: string;
}

export interface Seal extends SealStatement {
  /** MAC over the statement by a key that never leaves KMS, base64. */
  readonly mac: string;
}

/** The text the MAC is over. */
export function statementText(seal: SealStatement): string {
  const { environment, authority, sequence, from, until, events, root, previous, sealedAt } = seal;
  return canonicalJson({ environment, authority, sequence, from, until, events, root, previous, sealedAt });
}

/** What the next seal says of this one. */
export function sealDigest(seal: SealStatement, sha256: Sha256): string {
  return sha256(statementText(seal));
}

export function rootOf(leaves: readonly Leaf[], sha256: Sha256): string {
  return merkleRoot(
    leaves.map(({ pk, sk, digest }) => `${sk} ${pk} ${digest}`),
    sha256,
  );
}

/** In the order of time, whatever shard they came from. */
export function inOrder(leaves: readonly Leaf[]): Leaf[] {
  return [...leaves].sort((a, b) => compare(a.sk, b.sk) || compare(a.pk, b.pk));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
