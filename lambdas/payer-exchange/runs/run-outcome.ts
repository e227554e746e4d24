/** Outcomes of one step of a run, and the rules for a payer that can't or doesn't answer. */

import { type ExchangeRun, runLimits } from './exchange-run.ts';
import type { PayerAnswer, PayerStream } from './run-ports.ts';

/** The run after a step, and when the next one begins. */
export type StepOutcome =
  | { readonly kind: 'again'; readonly run: ExchangeRun }
  | { readonly kind: 'wait'; readonly run: ExchangeRun; readonly seconds: number }
  /** The payer can't answer now: the same step is repeated, for a day at most. */
  | {
      readonly kind: 'trouble';
      readonly run: ExchangeRun;
      readonly reason: string;
      readonly seconds?: number;
    }
  /** The run can't go on. */
  | { readonly kind: 'failed'; readonly run: ExchangeRun; readonly reason: string }
  | { readonly kind: 'complete'; readonly run: ExchangeRun };

/** Statuses that mean: later. */
const later = [408, 425, 429, 500, 502, 503, 504];

/** The outcome of an answer that is none of those a phase expects. */
export function unexpected(run: ExchangeRun, { status, headers }: PayerAnswer | PayerStream): StepOutcome {
  if (later.includes(status)) {
    const seconds = retryAfter(headers);
    const reason = status === 429 ? 'payer_busy' : 'payer_failed';
    return { kind: 'trouble', run, reason, ...(seconds !== undefined && { seconds }) };
  }
  const reason = status === 401 || status === 403 ? 'payer_refused_access' : `payer_answered_${status}`;
  return { kind: 'failed', run, reason };
}

/**
 * Seconds of `Retry-After`, or from the answer's `Date` until its date (RFC 9110 section 10.2.3); undefined if it has neither. By the
 * payer's own clock, because two clocks may differ by minutes.
 */
function retryAfter(headers: PayerAnswer['headers']): number | undefined {
  const value = payerHeader(headers, 'retry-after');
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const seconds = (Date.parse(value) - Date.parse(payerHeader(headers, 'date') ?? '')) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

export function payerHeader(headers: PayerAnswer['headers'], name: string): string | undefined {
  const { [name]: value } = headers;
  return Array.isArray(value) ? value[0] : (value as string | undefined);
}

/** Seconds until a status is asked for again: as long as the payer says, within the bounds of a wait. */
export function pollSeconds(headers: PayerAnswer['headers']): number {
  return Math.max(runLimits.leastWait, Math.min(runLimits.mostWait, retryAfter(headers) ?? 30));
}

/** The run with so many more requests sent. */
export function afterCalls(run: ExchangeRun, calls: number): ExchangeRun {
  return { ...run, counts: { ...run.counts, calls: run.counts.calls + calls } };
}

/** Whether a response is gzipped; undefined for another encoding, which is not read. */
export function isGzipped({ headers }: PayerStream): boolean | undefined {
  const encoding = payerHeader(headers, 'content-encoding')?.toLowerCase() ?? 'identity';
  return encoding === 'gzip' || (encoding === 'identity' ? false : undefined);
}
