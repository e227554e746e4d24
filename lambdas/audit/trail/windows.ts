/** Windows of time in which audit events are sealed, and their partitions in the index. */

import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';

/** Length of a window, milliseconds. An event belongs to the window of its `time`. */
export const windowMs = 5 * 60_000;
/**
 * Milliseconds after its end when a window is sealed. A write takes at most 4 s with all attempts, and appears in the index about a second
 * later.
 */
export const settledMs = 2 * 60_000;
/**
 * Shards of a window, by the first hexadecimal digit of the event's random ID. An index partition takes 1,000 writes a second, so 16 shards
 * take three times the expected 5,000 events a second.
 */
export const windowShards = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const;

/** The window and shard of an event as the partition key of the index: `WINDOW#DSNP#2026-11-20T10:05#3`. */
export function sealWindow(issuer: TokenIssuer, time: string, eventId: string): string {
  const digit = Number.parseInt(eventId.slice(0, 1), 16);
  return windowPartition(issuer, windowStart(Date.parse(time)), Number.isNaN(digit) ? 0 : digit);
}

export function windowPartition(issuer: TokenIssuer, startMs: number, shard: number): string {
  return `WINDOW#${issuer}#${new Date(startMs).toISOString().slice(0, 16)}#${shard}`;
}

/** First millisecond of the window that contains a time. */
export function windowStart(ms: number): number {
  return ms - (ms % windowMs);
}

/** Starts of the windows in [from, until). Both bounds must be starts of windows. */
export function windowsBetween(fromMs: number, untilMs: number): number[] {
  const starts: number[] = [];
  for (let start = fromMs; start < untilMs; start += windowMs) starts.push(start);
  return starts;
}
