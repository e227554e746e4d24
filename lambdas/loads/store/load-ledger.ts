/** Stores the ledger of loads, with their files, ranges and counts. */

import * as z from 'zod/mini';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import { conditionHolds, putIfAbsent } from '../../platform/table/conditional-writes.ts';
import { queryAll } from '../../platform/table/query-all.ts';
import { ConditionFailed, type Table, type Update, type Write } from '../../platform/table/table.ts';
import {
  freshnessKey,
  freshnessPartition,
  loadFileKey,
  loadKey,
  loadListKey,
  loadListPartition,
  loadPartition,
  loadRangeKey,
  loadTurnKey,
} from '../../platform/table/table-keys.ts';
import { transition } from '../../platform/table/transition.ts';
import type { FreshnessClock } from '../ledger/freshness.ts';
import { type Load, loadStates, loadTransitions, notStarted } from '../ledger/load.ts';
import type { LoadLedger } from '../ledger/load-ledger-port.ts';
import { dropKinds, dropManifest } from '../ledger/manifest.ts';
import { fileRefusals } from '../ledger/rejects.ts';

const counts = z.object({
  loaded: z.number(),
  unchanged: z.number(),
  older: z._default(z.number(), 0),
  rejected: z.number(),
});
const lob = z.enum(lineOfBusinessCodes);
const loadItem = z.object({
  lob,
  jobId: z.string(),
  source: z.string(),
  drop: z.string(),
  kind: z.enum(dropKinds),
  folder: z.string(),
  state: z.enum(loadStates),
  manifest: dropManifest,
  execution: z.string(),
  attempt: z.number(),
  acceptedAt: z.string(),
  endedAt: z.optional(z.string()),
  reason: z.optional(
    z.enum([
      'counts_differ',
      'file_refused',
      'range_not_loaded',
      'too_many_rejects',
      'execution_failed',
      'operator',
    ]),
  ),
  counts: z.optional(counts),
});
const fileItem = z.object({
  file: z.number(),
  name: z.string(),
  type: z.string(),
  rows: z.number(),
  versionId: z.string(),
  bytes: z.number(),
  rowsFound: z.number(),
  refusal: z.optional(z.enum(Object.keys(fileRefusals) as (keyof typeof fileRefusals)[])),
});
const rangeItem = z.object({
  file: z.number(),
  range: z.number(),
  from: z.number(),
  to: z.number(),
  firstLine: z.number(),
  rows: z.number(),
  wave: z.number(),
  looks: z.number(),
  unresolved: z.number(),
  resolved: z._default(z.number(), 0),
  counts: z.optional(counts),
});
const turnItem = z.object({ jobId: z.string() });
const clockItem = z.object({ lob, source: z.string(), reconciledAt: z.string(), jobId: z.string() });

/** Most ranges that one transaction writes. */
const rangesInWrite = 90;

/** The ledger of loads in the environment's table; each LOB's loads have partitions of their own. */
export function createLoadLedger(table: Table): LoadLedger {
  async function updated(update: Update): Promise<boolean> {
    try {
      await table.update(update);
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  }

  async function load({ lob: of, jobId }: Parameters<LoadLedger['load']>[0]): Promise<Load | undefined> {
    const item = await table.get(loadKey(of, jobId));
    return item && loadItem.parse(item);
  }

  return {
    load,

    async accept(accepted) {
      const { lob: of, jobId, acceptedAt } = accepted;
      return await conditionHolds(table, [
        putIfAbsent({ ...loadKey(of, jobId), ...accepted }),
        { put: { ...loadListKey(of, acceptedAt, jobId), jobId } },
      ]);
    },

    async enlist({ lob: of, jobId }, execution) {
      const accepted = { from: ['accepted'], to: 'accepted' } as const;
      return await updated(
        transition(loadKey(of, jobId), accepted, {
          sets: 'execution = :execution',
          condition: 'execution = :none',
          values: { ':execution': execution, ':none': notStarted },
        }),
      );
    },

    async turn(of) {
      const item = await table.get(loadTurnKey(of));
      return item && turnItem.parse(item).jobId;
    },

    async start({ lob: of, jobId }, execution, holder) {
      const condition =
        holder === undefined
          ? { expression: 'attribute_not_exists(pk)' }
          : { expression: 'jobId = :holder', values: { ':holder': holder } };
      return await conditionHolds(table, [
        {
          update: transition(loadKey(of, jobId), loadTransitions.start, {
            condition: 'execution = :execution',
            values: { ':execution': execution },
          }),
        },
        { put: { ...loadTurnKey(of), jobId }, condition },
      ]);
    },

    async act({ lob: of, jobId }, act, sets = {}, clock) {
      const given = Object.entries(sets).filter(([, value]) => value !== undefined);
      const assignments = given.map(([name]) => `#${name} = :${name}`);
      const again = act === 'retry' ? ['attempt = attempt + :one'] : [];
      const all = [...assignments, ...again];
      const update = transition(loadKey(of, jobId), loadTransitions[act], {
        ...(all.length > 0 && { sets: all.join(', ') }),
        names: Object.fromEntries(given.map(([name]) => [`#${name}`, name])),
        values: {
          ...Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
          ...(act === 'retry' && { ':one': 1 }),
        },
      });
      // A retry removes the end and reason of the previous attempt.
      const removal = act === 'retry' ? ' REMOVE endedAt, #reason, #counts' : '';
      const names = act === 'retry' ? { '#reason': 'reason', '#counts': 'counts' } : {};
      const whole = {
        ...update,
        expression: `${update.expression}${removal}`,
        names: { ...update.names, ...names },
      };
      if (clock === undefined) return await updated(whole);
      return await conditionHolds(table, [
        { update: whole },
        { put: { ...freshnessKey(clock.lob, clock.source), ...clock } },
      ]);
    },

    async files({ lob: of, jobId }) {
      return (await queryAll(table, loadPartition(of, jobId), 'FILE#')).map((item) => fileItem.parse(item));
    },

    async ranges({ lob: of, jobId }) {
      return (await queryAll(table, loadPartition(of, jobId), 'RANGE#')).map((item) => rangeItem.parse(item));
    },

    async file({ lob: of, jobId }, file) {
      const item = await table.get(loadFileKey(of, jobId, file));
      return item && fileItem.parse(item);
    },

    async range({ lob: of, jobId }, file, range) {
      const item = await table.get(loadRangeKey(of, jobId, file, range));
      return item && rangeItem.parse(item);
    },

    async plan({ lob: of, jobId }, file, ranges) {
      for (let from = 0; from < ranges.length; from += rangesInWrite) {
        const writes = ranges
          .slice(from, from + rangesInWrite)
          .map((range): Write => ({ put: { ...loadRangeKey(of, jobId, file.file, range.range), ...range } }));
        await table.transact(writes);
      }
      // Only a refused file is planned again. Two executions that plan it at once write the same.
      const condition = {
        expression: 'attribute_not_exists(pk) OR attribute_exists(refusal) OR versionId = :versionId',
        values: { ':versionId': file.versionId },
      };
      await conditionHolds(table, [{ put: { ...loadFileKey(of, jobId, file.file), ...file }, condition }]);
    },

    async finishRange({ lob: of, jobId }, range, outcome) {
      await updated({
        key: loadRangeKey(of, jobId, range.file, range.range),
        expression: 'SET looks = :after, #counts = :counts, unresolved = :unresolved, resolved = :resolved',
        condition: 'looks = :before',
        names: { '#counts': 'counts' },
        values: {
          ':after': outcome.looks,
          ':before': range.looks,
          ':counts': outcome.counts,
          ':unresolved': outcome.unresolved,
          ':resolved': Math.max(0, range.unresolved - outcome.unresolved),
        },
      });
    },

    async reopenRange({ lob: of, jobId }, { file, range, looks }) {
      await updated({
        key: loadRangeKey(of, jobId, file, range),
        expression: 'SET looks = :none',
        condition: 'looks = :before',
        values: { ':none': 0, ':before': looks },
      });
    },

    async loads(of, most, after) {
      const before = after === undefined ? undefined : await load({ lob: of, jobId: after });
      if (after !== undefined && before === undefined) return { loads: [] };
      const { items, next } = await table.query({
        pk: loadListPartition(of),
        descending: true,
        limit: most,
        ...(before !== undefined && { after: loadListKey(of, before.acceptedAt, before.jobId).sk }),
      });
      const ids = items.map((item) => String(item.jobId));
      const found = await table.batchGet(ids.map((jobId) => loadKey(of, jobId)));
      const last = ids.at(-1);
      return {
        loads: found.flatMap((item) => (item === undefined ? [] : [loadItem.parse(item)])),
        ...(next !== undefined && last !== undefined && { next: last }),
      };
    },

    async clocks(of) {
      return (await queryAll(table, freshnessPartition(of))).map(
        (item): FreshnessClock => clockItem.parse(item),
      );
    },
  };
}
