/** Windows of time in which audit events are sealed, and the partitions of their index. */

import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';

/** Events are sealed in windows of five minutes, by the time they say. */
export const windowMs = 5 * 60_000;
/**
 * Milliseconds after its end when a window is sealed: a write takes 4 s at most with all attempts, and the index shows it a second or so
 * later.
 */
export const settledMs = 2 * 60_000;
/**
 * Shards of a window. An index partition takes 1,000 writes a second; 16 shards, by the first hexadecimal digit of the event's random ID,
 * take three times the 5,000 events a second that are expected.
 */
export const windowShards = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const;

/** The window an event belongs to, as the index's partition key: `WINDOW#DSNP#2026-11-20T10:05#3`. */
export function sealWindow(authority: TokenIssuer, time: string, eventId: string): string {
  const digit = Number.parseInt(eventId.slice(0, 1), 16);
  return windowPartition(authority, windowStart(Date.parse(time)), Number.isNaN(digit) ? 0 : digit);
}

export function windowPartition(authority: TokenIssuer, startMs: number, shard: number): string {
  return `WINDOW#${authority}#${new Date(startMs).toISOString().slice(0, 16)}#${shard}`;
}

/** The first millisecond of the window a moment lies in. */
export function windowStart(ms: number): number {
  return ms - (ms % windowMs);
}

/** Starts of the windows in [from, until); both must be the start of a window. */
export function windowsBetween(fromMs: number, untilMs: number): number[] {
  const starts: number[] = [];
  for (let start = fromMs; start < untilMs; start += windowMs) starts.push(start);
  return starts;
}
