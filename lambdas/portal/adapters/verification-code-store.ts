/** DynamoDB store of the portal's verification codes. */

import * as z from 'zod/mini';
import { conditionHolds } from '../../platform/table/conditional-writes.ts';
import { ConditionFailed, type Table, type Write } from '../../platform/table/table.ts';
import type { CodeStore, CodeUse } from '../accounts/code-store-port.ts';
import { portalLimits } from '../catalog/limits.ts';
import { authenticatorKey, codeKey } from './portal-table-keys.ts';

const storedCode = z.object({
  mac: z.string(),
  destination: z.object({ channel: z.enum(['email', 'sms']), to: z.string() }),
  sentAt: z.number(),
  expiresAt: z.number(),
  tries: z.number(),
});

/** Creates the store of verification codes over the portal's table: one live code for each owner and purpose. */
export function createPortalCodeStore(table: Table): CodeStore {
  return {
    async find(owner, purpose) {
      const item = await table.get(codeKey(owner, purpose));
      return item === undefined ? undefined : storedCode.parse(item);
    },
    async replace(owner, purpose, code, notBefore) {
      const put = { ...codeKey(owner, purpose), ...code, ttl: Math.ceil(code.expiresAt) };
      const condition = {
        expression: 'attribute_not_exists(pk) OR sentAt <= :notBefore',
        values: { ':notBefore': notBefore },
      };
      return await conditionHolds(table, [{ put, condition }]);
    },
    async attempt(owner, purpose, nowSeconds) {
      const update = {
        key: codeKey(owner, purpose),
        expression: 'ADD tries :one',
        condition: 'attribute_exists(pk) AND tries < :most AND expiresAt > :now',
        values: { ':one': 1, ':most': portalLimits.codeTries, ':now': nowSeconds },
      };
      try {
        return storedCode.parse(await table.update(update));
      } catch (error) {
        if (error instanceof ConditionFailed) return undefined;
        throw error;
      }
    },
    async useStep(accountId, step) {
      const update = {
        key: authenticatorKey(accountId),
        expression: 'SET lastStep = :step',
        condition: 'attribute_not_exists(lastStep) OR lastStep < :step',
        values: { ':step': step },
      };
      return await conditionHolds(table, [{ update }]);
    },
    use: async (use, nowSeconds) => await conditionHolds(table, [useCode(use, nowSeconds)]),
  };
}

/**
 * Makes the write that uses up a code. It fails unless the stored code is the one that was compared and has not expired, so that of two
 * uses one succeeds.
 */
export function useCode({ owner, purpose, code }: CodeUse, nowSeconds: number): Write {
  return {
    delete: codeKey(owner, purpose),
    condition: {
      expression: 'mac = :mac AND expiresAt > :now',
      values: { ':mac': code.mac, ':now': nowSeconds },
    },
  };
}
