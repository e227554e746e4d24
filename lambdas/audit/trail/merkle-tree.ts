/** Hash tree over a window's audit events; its root stands in the seal. */
import type { Sha256 } from '../../platform/kernel/digests.ts';

/**
 * Root of a hash tree over leaves in their order (the tree of RFC 9162 section 2.1.1, over texts): a leaf can be shown to be in
 * it by the hashes beside its way to the root, without the other leaves.
 */
export function merkleRoot(leaves: readonly string[], sha256: Sha256): string {
  if (leaves.length === 0) return sha256('');
  // What is hashed says whether it is a leaf or a node, so that neither can stand for the other.
  const [only] = leaves;
  if (leaves.length === 1 && only !== undefined) return sha256(`leaf ${only}`);
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  const left = merkleRoot(leaves.slice(0, split), sha256);
  return sha256(`node ${left} ${merkleRoot(leaves.slice(split), sha256)}`);
}
