/** Text of a claim that its source takes back: it stays, with the status `cancelled`. */

import { isJsonObject } from '../../platform/kernel/json-members.ts';

/** Types of which a withdrawal leaves the resource in the record, cancelled. */
export function isKeptWhenWithdrawn(resourceType: string): boolean {
  return resourceType === 'ExplanationOfBenefit';
}

/** `JSON` of ECMAScript's JSON.parse source text access, which keeps a decimal as it was written (R4, datatypes.html#decimal). */
const sourceText = JSON as unknown as {
  readonly rawJSON: (text: string) => unknown;
  readonly parse: (
    text: string,
    reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ) => unknown;
};

/** Characters of an ID (R4, datatypes.html#id). */
const longestId = 64;
const suffix = '.cancelled';

/**
 * Cancels a claim as of a withdrawal. Its version is new, and the same whenever the same version is withdrawn.
 *
 * @returns undefined if this withdrawal has cancelled it already.
 */
export function cancelledClaim(
  { json, versionId }: { readonly json: string; readonly versionId: string },
  withdrawnAt: string,
): { readonly json: string; readonly versionId: string } | undefined {
  const claim = sourceText.parse(json, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined ? sourceText.rawJSON(source) : value,
  );
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
