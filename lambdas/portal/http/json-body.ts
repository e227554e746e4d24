/** Parsing of a portal request's JSON body. The schema of each route is in `portal/api/`. */

import { firstFault } from '../../platform/kernel/json-faults.ts';
import { isDeeperThan } from '../../platform/kernel/json-levels.ts';
import { isJsonObject, jsonValue } from '../../platform/kernel/json-members.ts';

/** Nesting levels of a body: the store takes 32, and no request needs more than these. */
const deepest = 16;

/**
 * A JSON object that every reader understands alike: each name once (RFC 8259 section 4), no name that JavaScript gives a
 * meaning, no half of a surrogate pair, no depth made to cost time.
 *
 * @returns undefined for any other text.
 */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = jsonValue(text);
  if (!isJsonObject(value) || isDeeperThan(value, deepest)) return undefined;
  const fault = firstFault(
    text,
    (string, isName) => !string.isWellFormed() || (isName && string === '__proto__'),
  );
  return fault === undefined ? value : undefined;
}
