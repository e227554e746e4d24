/** Writes and conditions on the items of grants and codes, for the stores of this folder. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { putIfAbsent } from '../../platform/table/conditional-writes.ts';
import type { Key } from '../../platform/table/key.ts';
import type { Write } from '../../platform/table/table.ts';
import { authorizationCodeKey } from '../../platform/table/table-keys.ts';
import { stateCheck } from '../../platform/table/transition.ts';
import type { AuthorizationCode } from '../authorize/interaction.ts';
import { grantTransitions } from './states-contract.ts';

/** Seconds that a used code is kept, so that a replay is noticed until the last token of the code has expired. */
const codeKeptSeconds = 24 * 60 * 60;

export function issuedCode(lob: LineOfBusiness, code: AuthorizationCode): Write {
  const ttl = code.expiresAt + codeKeptSeconds;
  return putIfAbsent({ ...authorizationCodeKey(lob, code.sha256), ...code, ttl });
}

/**
 * The condition that a grant is active, belongs to the application and has not expired.
 *
 * @param now seconds since 1970
 */
export function livingGrant(key: Key, clientId: string, now: number): Write {
  return stateCheck(key, grantTransitions.renew, {
    condition: 'clientId = :clientId AND expiresAt > :now',
    values: { ':clientId': clientId, ':now': now },
  });
}
