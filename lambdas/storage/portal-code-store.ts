import * as z from 'zod/mini';
import type { CodeStore, CodeUse, SentCode } from '../developers/ports.ts';
import { holds } from './conditional-writes.ts';
import { codeKey } from './portal-keys.ts';
import type { Table, Write } from './table.ts';

const storedCode = z.object({
  mac: z.string(),
  destination: z.object({ channel: z.enum(['email', 'sms']), to: z.string() }),
  sentAt: z.number(),
  expiresAt: z.number(),
  tries: z.number(),
});

/** Codes over the portal's table: one live code for each owner and purpose. */
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
      return await holds(table, [{ put, condition }]);
    },
    async wrong(use) {
      const { expression, values } = unchanged(use.code);
      const update = {
        key: codeKey(use.owner, use.purpose),
        expression: 'SET tries = :next',
        condition: expression,
        values: { ...values, ':next': use.code.tries + 1 },
      };
      return await holds(table, [{ update }]);
    },
    use: async (use, nowSeconds) => await holds(table, [codeUsed(use, nowSeconds)]),
  };
}

/** Uses a code up, where it is the one that was read, as often tried, and in time: of two uses one holds. */
export function codeUsed({ owner, purpose, code }: CodeUse, nowSeconds: number): Write {
  const { expression, values } = unchanged(code);
  return {
    delete: codeKey(owner, purpose),
    condition: {
      expression: `${expression} AND expiresAt > :now`,
      values: { ...values, ':now': nowSeconds },
    },
  };
}

function unchanged({ mac, tries }: SentCode) {
  return { expression: 'mac = :mac AND tries = :tries', values: { ':mac': mac, ':tries': tries } };
}
