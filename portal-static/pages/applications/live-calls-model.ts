/** Following of new calls: from when to look, how new calls join the list, and how long to wait. */

import type { CallView } from '../../../lambdas/portal/api/views.ts';

const firstWaitMs = 10_000;
const longestWaitMs = 40_000;

/** Most calls that stay in the list while new ones are followed. */
const mostListed = 1_000;

/** Milliseconds that a call may be logged after a later one. */
const loggedLateMs = 60_000;

/** Milliseconds until the next look: ten seconds after something new, otherwise twice as long as before, up to 40 seconds. */
export function nextWaitMs(before?: number, found = 0): number {
  return before === undefined || found > 0 ? firstWaitMs : Math.min(before * 2, longestWaitMs);
}

/**
 * The time from which to look for new calls, ISO 8601: a little before the newest, or before now if there is none.
 *
 * @param earliest ISO 8601; the filter shows no earlier call.
 */
export function sinceOf([newest]: readonly CallView[], now: number, earliest = ''): string {
  const time = newest === undefined ? now : Date.parse(newest.at);
  const since = new Date(time - loggedLateMs).toISOString();
  return since > earliest ? since : earliest;
}

/** Calls, newest first. `next` is set if earlier ones can be read. */
export interface ListedCalls {
  readonly calls: readonly CallView[];
  readonly next?: string | undefined;
}

/**
 * Joins the calls of a look with those listed, newest first, each once. A call that was listed takes its newer description. If there were
 * more new calls than a look shows, the look replaces the list, so that no call between is left out.
 */
export function joinNewer(
  listed: ListedCalls,
  seen: ListedCalls,
): { readonly listed: ListedCalls; readonly added: number } {
  const known = new Set(listed.calls.map(({ requestId }) => requestId));
  const added = seen.calls.filter(({ requestId }) => !known.has(requestId)).length;
  if (seen.next !== undefined && added === seen.calls.length) return { listed: seen, added };
  const calls = new Map([...listed.calls, ...seen.calls].map((one) => [one.requestId, one]));
  const sorted = [...calls.values()].sort((one, other) => other.at.localeCompare(one.at));
  const isCut = sorted.length > mostListed;
  return { listed: { calls: sorted.slice(0, mostListed), next: isCut ? undefined : listed.next }, added };
}
