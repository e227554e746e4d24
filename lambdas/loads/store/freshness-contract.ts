/** Reads the freshness of every LOB's data, for functions outside of loads: `provisioning` passes it to the portal's status page. */

import type { Table } from '../../platform/table/table.ts';
import { type FreshnessView, readFreshness } from '../ledger/freshness.ts';
import { createLoadLedger } from './load-ledger.ts';

/**
 * Reads the freshness clock of every source.
 *
 * @param now milliseconds since 1970.
 */
export async function readFreshnessOf(table: Table, now: number): Promise<readonly FreshnessView[]> {
  return await readFreshness(createLoadLedger(table), now);
}
