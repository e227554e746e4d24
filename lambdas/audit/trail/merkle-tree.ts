/** Hash tree over the events of a part of a seal's list. */
import type { Sha256 } from '../../platform/kernel/digests.ts';

/**
 * Root of a hash tree over texts (leaves) in their order (RFC 9162 section 2.1.1). The hashes beside the path from a leaf to the root prove
 * that the leaf is in the tree, without the other leaves.
 */
export function merkleRoot(leaves: readonly string[], sha256: Sha256): string {
  if (leaves.length === 0) return sha256('');
  // Leaves and nodes are hashed with different prefixes, so that a node can't be presented as a leaf.
  const [only] = leaves;
  if (leaves.length === 1 && only !== undefined) return sha256(`leaf ${only}`);
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  const left = merkleRoot(leaves.slice(0, split), sha256);
  return sha256(`node ${left} ${merkleRoot(leaves.slice(split), sha256)}`);
}
