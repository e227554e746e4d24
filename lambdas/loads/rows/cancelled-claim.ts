/** Cancels a claim that its source withdraws: the claim stays in the record, with the status `cancelled`. */

import { isJsonObject } from '../../platform/kernel/json-members.ts';
import { parseWithSourceNumbers } from '../../platform/kernel/json-source-text.ts';

/** Whether a withdrawn resource of a type stays in the record, as cancelled. */
export function isKeptWhenWithdrawn(resourceType: string): boolean {
  return resourceType === 'ExplanationOfBenefit';
}

/** Most characters of an ID (R4, datatypes.html#id). */
const longestId = 64;
const suffix = '.cancelled';

/**
 * Makes the cancelled claim of a withdrawal. Its version ID is new, and the same each time the same version is withdrawn.
 *
 * @returns undefined if the stored claim was cancelled by this withdrawal already.
 */
export function cancelledClaim(
  { json, versionId }: { readonly json: string; readonly versionId: string },
  withdrawnAt: string,
): { readonly json: string; readonly versionId: string } | undefined {
  const claim = parseWithSourceNumbers(json);
  if (!isJsonObject(claim)) throw new TypeError('a stored claim is no JSON object');
  const meta = isJsonObject(claim.meta) ? claim.meta : {};
  const isCancelled = claim.status === 'cancelled';
  if (isCancelled && Date.parse(String(meta.lastUpdated)) === Date.parse(withdrawnAt)) return undefined;
  const next = versionId.endsWith(suffix)
    ? versionId
    : `${versionId.slice(0, longestId - suffix.length)}${suffix}`;
  const cancelled = {
    ...claim,
    meta: { ...meta, versionId: next, lastUpdated: withdrawnAt },
    status: 'cancelled',
  };
  return { json: JSON.stringify(cancelled), versionId: next };
}
