/** A thread of `npm run bench:loads` that loads ranges, one after the other, as a Lambda of the Distributed Map does. */

import { parentPort, workerData } from 'node:worker_threads';
import { loadRange, type RangeItem } from '../lambdas/loads/course/load-range.ts';
import { backgroundPatience } from '../lambdas/platform/table/background-patience.ts';
import type { ServiceAccess } from '../lambdas/platform/table/signed-calls.ts';
import { createSignedTable } from '../lambdas/platform/table/signed-table.ts';
import type { Table } from '../lambdas/platform/table/table.ts';
import { loadServices } from '../test/support/load-services.ts';
import { folderBucket } from './load-bucket.ts';

export interface LoadWorkerData {
  /** Folder of the drop and of the files written beside it. */
  readonly folder: string;
  readonly tableName: string;
  readonly access: ServiceAccess;
}

/** Calls to the store for one range, without those of the ledger. */
export interface LoadedRange {
  /** Items written. */
  readonly writes: number;
  /** Keys read. */
  readonly reads: number;
}

const { folder, tableName, access } = workerData as LoadWorkerData;
const patience = { ...backgroundPatience, mayWait: () => true };
const signed = createSignedTable({ tableName, access, patience });
let [writes, reads] = [0, 0];
const table: Table = {
  ...signed,
  batchGet: (keys) => {
    reads += keys.length;
    return signed.batchGet(keys);
  },
  transact: (all, token) => {
    writes += all.length;
    return signed.transact(all, token);
  },
};
const { ranges } = loadServices(table, folderBucket(folder), { ledgerTable: signed });

parentPort?.on('message', async (item: RangeItem) => {
  [writes, reads] = [0, 0];
  await loadRange(ranges, item);
  parentPort?.postMessage({ writes, reads } satisfies LoadedRange);
});
