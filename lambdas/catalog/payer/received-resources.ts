/** IDs of resources that were received from another payer, which keep them apart from the plan's own. */

/** Start of the ID of a received resource. No resource of the plan may have an ID that begins so. */
export const receivedIdPrefix = 'received-';

/**
 * The ID of a received resource: 160 bits of a digest after the prefix.
 *
 * @param digest SHA-256 of what identifies it at its payer, in hex.
 */
export function receivedId(digest: string): string {
  return `${receivedIdPrefix}${digest.slice(0, 40)}`;
}

/** Whether an ID is that of a received resource. */
export function isReceivedId(id: string): boolean {
  return /^received-[0-9a-f]{40}$/.test(id);
}

/** Whether an ID is reserved for received resources. */
export function isReservedId(id: string): boolean {
  return id.startsWith(receivedIdPrefix);
}
