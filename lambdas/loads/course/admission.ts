/** Admits loads: one load of a LOB at a time, in the order of arrival. Divides the ranges that are loaded at once among the LOBs. */

import { type LineOfBusiness, lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import { aheadInLine, secondsUntilAsked, shareOf } from '../../platform/kernel/line.ts';
import { type Load, notStarted } from '../ledger/load.ts';
import type { LoadLedger, LoadName } from '../ledger/load-ledger-port.ts';

export type Admission =
  | { readonly kind: 'admitted' }
  /** The load asks again after `seconds`; `ahead` loads of the LOB come before it. */
  | { readonly kind: 'waiting'; readonly seconds: number; readonly ahead: number }
  /** The load was cancelled, or another execution carries it out. */
  | { readonly kind: 'ended' };

/** Most loads of a LOB that are read to find a load's position in the queue. */
export const mostInLine = 100;

/**
 * Starts a load if no other load of its LOB is running or came before it. The ledger records by a conditional write which load's turn it is,
 * so that only one of two loads that ask at once starts.
 */
export async function admitLoad(
  ledger: Pick<LoadLedger, 'load' | 'loads' | 'turn' | 'start'>,
  name: LoadName,
  execution: string,
  now: number,
): Promise<Admission> {
  const { lob, jobId } = name;
  const [load, { loads }, holder] = await Promise.all([
    ledger.load(name),
    ledger.loads(lob, mostInLine),
    ledger.turn(lob),
  ]);
  if (load === undefined || load.execution !== execution) return { kind: 'ended' };
  if (load.state === 'running') return { kind: 'admitted' };
  if (load.state !== 'accepted') return { kind: 'ended' };
  const holding =
    holder === undefined || holder === jobId ? undefined : await ledger.load({ lob, jobId: holder });
  const ahead = aheadOf(load, loads, holding?.state === 'running' ? 1 : 0);
  if (ahead === 0 && (await ledger.start(name, execution, holder))) return { kind: 'admitted' };
  return { kind: 'waiting', seconds: secondsUntilAsked(now - Date.parse(load.acceptedAt)), ahead };
}

/**
 * Counts the loads of the LOB that come before this one. A load whose retry has no execution yet is not queued.
 *
 * @param running number of running loads.
 */
export function aheadOf(load: Load, loads: readonly Load[], running: number): number {
  const inLine = loads.filter(({ state, execution }) => state === 'accepted' && execution !== notStarted);
  const all = new Map([...inLine, load].map((each) => [each.jobId, each] as const)).values();
  // All loads of a LOB have one owner, so they run in the order of arrival.
  const waiting = [...all].map(({ jobId, acceptedAt }) => ({ id: jobId, owner: '', since: acceptedAt }));
  return aheadInLine({ waiting, running: Array(running).fill(''), recent: [], atOnce: 1 }, load.jobId);
}

/**
 * The number of ranges that a wave may load at once: the environment's limit, divided by the number of LOBs that are loading, at least one.
 * A wave keeps its number until it ends.
 */
export async function shareOfRanges(
  ledger: Pick<LoadLedger, 'load' | 'turn'>,
  rangesAtOnce: number,
): Promise<number> {
  const running = await Promise.all(lineOfBusinessCodes.map((lob) => isLoading(ledger, lob)));
  return shareOf(rangesAtOnce, running.filter(Boolean).length);
}

async function isLoading(ledger: Pick<LoadLedger, 'load' | 'turn'>, lob: LineOfBusiness): Promise<boolean> {
  const holder = await ledger.turn(lob);
  return holder !== undefined && (await ledger.load({ lob, jobId: holder }))?.state === 'running';
}
