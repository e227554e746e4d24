/** Stores exchanges, and the list of those that have something to do. */

import * as z from 'zod/mini';
import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { exchangeStates, exchangeTransitions } from '../../catalog/payer/exchange-states.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { conditionHolds, putIfAbsent } from '../../platform/table/conditional-writes.ts';
import { queryAll } from '../../platform/table/query-all.ts';
import type { Table, Write } from '../../platform/table/table.ts';
import {
  exchangeAskedKey,
  exchangeDueKey,
  exchangeDuePartition,
  exchangeKey,
  exchangePartition,
} from '../../platform/table/table-keys.ts';
import { timesIn } from '../exchange/exchange-clocks.ts';
import type { MemberExchange } from '../exchange/member-exchange.ts';
import type { DueExchange, ExchangeChanges, MemberExchanges } from '../exchange/member-exchanges-port.ts';

const exchangeItem = z.object({
  exchangeId: z.string(),
  patientId: z.string(),
  state: z.enum(exchangeStates),
  plan: z.object({
    name: z.string(),
    memberNumber: z.optional(z.string()),
    groupNumber: z.optional(z.string()),
  }),
  payerId: z.optional(z.string()),
  isConcurrent: z.boolean(),
  permission: z.optional(
    z.object({
      givenAt: z.string(),
      by: z.object({ kind: z.enum(['member', 'representative', 'plan']), id: z.string() }),
      policy: z.enum(['regular', 'sensitive']),
      until: z.optional(z.string()),
    }),
  ),
  coverageStart: z.optional(z.string()),
  nextAt: z.optional(z.string()),
  dueAt: z.optional(z.string()),
  runId: z.optional(z.string()),
  match: z.optional(z.object({ groupId: z.string(), patientId: z.string() })),
  received: z.optional(z.object({ at: z.string(), since: z.string(), resources: z.number() })),
  because: z.optional(z.string()),
  decidedAt: z.optional(z.string()),
  changedAt: z.string(),
  version: z.number(),
});

/** Seconds for which it is kept that another payer was asked: the year, and two more in which somebody may ask how it was. */
const askedSeconds = 3 * 366 * 24 * 60 * 60;

/** Most keys of a `BatchGetItem`. */
const keysInRead = 100;

/** The exchanges of the members of one LOB. */
export function createMemberExchanges(
  table: Table,
  options: {
    readonly lob: LineOfBusiness;
    readonly now: Clock;
    /** The write of an audit event (`audit/store/audit-events-contract.ts`), for the transaction of an act. */
    readonly auditWrite: (event: AuditEvent) => Write;
  },
): MemberExchanges {
  const { lob, now, auditWrite } = options;
  const read = (item: Readonly<Record<string, unknown>>): MemberExchange => ({
    ...exchangeItem.parse(item),
    lob,
  });

  const listed = ({ nextAt, patientId, exchangeId }: MemberExchange): Write[] =>
    nextAt === undefined
      ? []
      : [
          {
            put: { ...exchangeDueKey(lob, nextAt, { patientId, exchangeId }), patientId, exchangeId, nextAt },
          },
        ];

  /** The entry that the other payer is asked now: the yearly count is made of these. */
  const askedEntry = ({ patientId, exchangeId, dueAt }: MemberExchange): Write => {
    const askedAt = new Date(now()).toISOString();
    const isLate = dueAt !== undefined && Date.parse(dueAt) < now();
    return {
      put: {
        ...exchangeAskedKey(lob, `${askedAt}#${patientId}#${exchangeId}`),
        isLate,
        ttl: Math.floor(now() / 1000) + askedSeconds,
      },
    };
  };

  /** Replaces an exchange that is still as it was read, and its place in the list. */
  async function replace(
    before: MemberExchange,
    after: MemberExchange,
    audit: AuditEvent | undefined,
    also: readonly Write[] = [],
  ): Promise<MemberExchange | undefined> {
    const { lob: _, ...item } = after;
    const isMoved = before.nextAt !== after.nextAt;
    const written = await conditionHolds(table, [
      {
        put: { ...exchangeKey(lob, after.patientId, after.exchangeId), ...item },
        condition: {
          expression: '#version = :version',
          names: { '#version': 'version' },
          values: { ':version': before.version },
        },
      },
      ...(isMoved && before.nextAt !== undefined
        ? [{ delete: exchangeDueKey(lob, before.nextAt, before) }]
        : []),
      ...(isMoved ? listed(after) : []),
      ...also,
      ...(audit === undefined ? [] : [auditWrite(audit)]),
    ]);
    return written ? after : undefined;
  }

  const stamped = (before: MemberExchange, changes: ExchangeChanges): MemberExchange => ({
    ...before,
    ...changes,
    changedAt: new Date(now()).toISOString(),
    version: before.version + 1,
  });

  return {
    async ofPatient(patientId) {
      const items = await queryAll(table, exchangePartition(lob, patientId));
      return items.map(read);
    },

    async find(names) {
      const found: (MemberExchange | undefined)[] = [];
      for (let from = 0; from < names.length; from += keysInRead) {
        const some = names.slice(from, from + keysInRead);
        const items = await table.batchGet(
          some.map(({ patientId, exchangeId }) => exchangeKey(lob, patientId, exchangeId)),
        );
        found.push(...items.map((item) => item && read(item)));
      }
      return found;
    },

    async begin(exchange, audit) {
      const begun: MemberExchange = {
        ...exchange,
        ...timesIn(exchange.state, exchange, now()),
        changedAt: new Date(now()).toISOString(),
        version: 1,
      };
      const { lob: _, ...item } = begun;
      return await conditionHolds(table, [
        putIfAbsent({ ...exchangeKey(lob, begun.patientId, begun.exchangeId), ...item }),
        ...listed(begun),
        ...(audit === undefined ? [] : [auditWrite(audit)]),
      ]);
    },

    async act(exchange, act, changes = {}, audit) {
      const { from, to } = exchangeTransitions[act];
      if (!(from as readonly string[]).includes(exchange.state)) return undefined;
      const times = timesIn(to, { ...exchange, ...changes }, now());
      const after = stamped(exchange, {
        nextAt: undefined,
        dueAt: undefined,
        ...times,
        because: undefined,
        ...changes,
      });
      const also = act === 'send-match' ? [askedEntry(exchange)] : [];
      return await replace(exchange, { ...after, state: to }, audit, also);
    },

    async change(exchange, changes, audit) {
      return await replace(exchange, stamped(exchange, changes), audit);
    },

    async askedIn(year) {
      const counts = { inTime: 0, late: 0 };
      const within = {
        skFrom: exchangeAskedKey(lob, `${year}`).sk,
        skTo: exchangeAskedKey(lob, `${year + 1}`).sk,
      };
      let after: string | undefined;
      do {
        const page = await table.query({
          pk: exchangeDuePartition(lob),
          ...within,
          attributes: ['isLate'],
          ...(after !== undefined && { after }),
        });
        for (const { isLate } of page.items) counts[isLate === true ? 'late' : 'inTime'] += 1;
        after = page.next;
      } while (after !== undefined);
      return counts;
    },

    async due(until, most, after) {
      const { items } = await table.query({
        pk: exchangeDuePartition(lob),
        // `~` sorts after every character of the rest of the key.
        skTo: `${until}~`,
        limit: most,
        ...(after !== undefined && { after: exchangeDueKey(lob, after.nextAt, after).sk }),
      });
      return items.map(
        ({ patientId, exchangeId, nextAt }): DueExchange => ({
          lob,
          patientId: String(patientId),
          exchangeId: String(exchangeId),
          nextAt: String(nextAt),
        }),
      );
    },
  };
}
