import { createHash } from 'node:crypto';
import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';
import { ConditionFailed, type Table } from '../../platform/table/table.ts';
import { usedAssertionKey } from '../../platform/table/table-keys.ts';
import type { UsedAssertions } from '../token/client-assertion.ts';

/** Records which client assertions have been used at one issuer, by client and `jti` (RFC 7523 section 3, point 7). */
export function createUsedAssertions(table: Table, issuer: TokenIssuer): UsedAssertions {
  return {
    async use(clientId, jti, expiresAt, now) {
      const sha256 = createHash('sha256')
        .update(JSON.stringify([clientId, jti]))
        .digest('hex');
      const put = { ...usedAssertionKey(issuer, sha256), clientId, expiresAt, ttl: expiresAt };
      const condition = {
        expression: 'attribute_not_exists(pk) OR expiresAt <= :now',
        values: { ':now': now },
      };
      try {
        // A transaction, although there is one write only: its idempotency token distinguishes a repeat after a lost response from a second
        // use.
        await table.transact([{ put, condition }]);
        return true;
      } catch (error) {
        if (error instanceof ConditionFailed) return false;
        throw error;
      }
    },
  };
}
