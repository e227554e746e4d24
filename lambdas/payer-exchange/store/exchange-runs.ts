/** Stores runs, the list of them, and the turn of each payer. */

import * as z from 'zod/mini';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { conditionHolds, putIfAbsent } from '../../platform/table/conditional-writes.ts';
import type { Table } from '../../platform/table/table.ts';
import {
  exchangeRunKey,
  exchangeRunListKey,
  exchangeRunListPartition,
  exchangeTurnKey,
} from '../../platform/table/table-keys.ts';
import { type ExchangeRun, runPhases, runStates } from '../runs/exchange-run.ts';
import type { ExchangeRuns } from '../runs/run-ports.ts';

const text = z.optional(z.string());
const flag = z.optional(z.literal(true));

const runItem = z.object({
  runId: z.string(),
  payerId: z.string(),
  state: z.enum(runStates),
  phase: z.enum(runPhases),
  since: text,
  members: z.number(),
  batches: z.array(z.object({ from: z.number(), to: z.number(), status: text, isDone: flag })),
  exports: z.array(z.object({ groupId: z.string(), isPlain: flag, status: text, transactionTime: text })),
  files: z.array(
    z.object({
      url: z.string(),
      type: z.string(),
      withToken: z.boolean(),
      isGzipped: flag,
      bytes: z.number(),
      chunks: z.number(),
      isDownloaded: flag,
      transactionTime: z.string(),
    }),
  ),
  drop: z.array(z.object({ name: z.string(), type: z.string(), rows: z.number(), sha256: z.string() })),
  translated: z.number(),
  counts: z.object({
    matched: z.number(),
    notMatched: z.number(),
    constrained: z.number(),
    rows: z.number(),
    rejected: z.number(),
    calls: z.number(),
  }),
  troubleSince: text,
  because: text,
  startedAt: z.string(),
  endedAt: text,
  revision: z.number(),
});

/** Seconds for which an ended run is kept for operators: a year and a quarter, as long as its members are asked about again. */
const keptSeconds = 455 * 24 * 60 * 60;

/** The runs of one LOB. */
export function createExchangeRuns(table: Table, lob: LineOfBusiness): ExchangeRuns {
  const read = (item: Readonly<Record<string, unknown>>): ExchangeRun => ({ ...runItem.parse(item), lob });
  const ttlOf = ({ startedAt }: ExchangeRun) => Math.floor(Date.parse(startedAt) / 1000) + keptSeconds;

  return {
    async find(runId) {
      const item = await table.get(exchangeRunKey(lob, runId));
      return item && read(item);
    },

    async begin(run) {
      const { runId, payerId, startedAt } = run;
      const { lob: _, ...item } = run;
      const ttl = ttlOf(run);
      return await conditionHolds(table, [
        putIfAbsent({ ...exchangeRunKey(lob, runId), ...item, ttl }),
        { put: { ...exchangeRunListKey(lob, startedAt, runId), runId, ttl } },
        putIfAbsent({ ...exchangeTurnKey(lob, payerId), runId }),
      ]);
    },

    async save(run) {
      const { lob: _, ...item } = run;
      return await conditionHolds(table, [
        {
          put: {
            ...exchangeRunKey(lob, run.runId),
            ...item,
            revision: run.revision + 1,
            ttl: ttlOf(run),
          },
          condition: {
            expression: '#revision = :revision',
            names: { '#revision': 'revision' },
            values: { ':revision': run.revision },
          },
        },
        ...(run.state === 'running' ? [] : [{ delete: exchangeTurnKey(lob, run.payerId) }]),
      ]);
    },

    async list(most) {
      // Turns sort after times.
      const { items } = await table.query({
        pk: exchangeRunListPartition(lob),
        skTo: '9999',
        descending: true,
        limit: most,
      });
      const found = await table.batchGet(items.map(({ runId }) => exchangeRunKey(lob, String(runId))));
      return found.flatMap((item) => (item === undefined ? [] : [read(item)]));
    },
  };
}
