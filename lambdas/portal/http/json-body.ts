/** Parses the JSON body of a portal request. The schema of each route's body is in `portal/api/`. */

import { firstFault } from '../../platform/kernel/json-faults.ts';
import { isDeeperThan } from '../../platform/kernel/json-levels.ts';
import { isJsonObject, jsonValue } from '../../platform/kernel/json-members.ts';

/** Most nesting levels of a body. DynamoDB allows 32, and no request of the portal needs more than 16. */
const deepest = 16;

/**
 * Parses a JSON object that every parser understands alike: no repeated names (RFC 8259 section 4), no name with a meaning in JavaScript,
 * no lone surrogate, no excessive nesting.
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
