/** Freshness of every LOB's data, for functions outside of loads: `provisioning` hands it to the portal's status page. */

import type { Table } from '../../platform/table/table.ts';
import { type FreshnessView, readFreshness } from '../ledger/freshness.ts';
import { createLoadLedger } from './load-ledger.ts';

/** @param now milliseconds since 1970. */
export async function readFreshnessOf(table: Table, now: number): Promise<readonly FreshnessView[]> {
  return await readFreshness(createLoadLedger(table), now);
}
