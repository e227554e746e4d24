/** Sends a DynamoDB call with timeouts and retries. */

import type { Pace } from './adaptive-pace.ts';
import { ConditionFailed, StoreDenied, StoreUnavailable } from './table.ts';

/** The DynamoDB operations of the `Table` port. */
export type DynamoDbOperation =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'TransactWriteItems';

/**
 * Makes one attempt at a call, for at most `attemptTimeoutMs`. Request and answer are those of the DynamoDB API Reference.
 *
 * @throws CallFailed if DynamoDB refused, or did not answer.
 */
export type Send<Known = DynamoDbOperation> = (
  operation: Known,
  input: object,
) => Promise<Readonly<Record<string, unknown>>>;

/** Error of an attempt without a result. Its `name` is its code, which is logged if the error is a defect. */
export class CallFailed extends Error {
  override readonly name: string;
  /** DynamoDB's exception name; `NoAnswer` after a failed connection or a timeout. */
  readonly code: string;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** `CancellationReasons[].Code` of a cancelled transaction, in the order of its writes. */
  readonly reasons: readonly string[];
  constructor(code: string, status: number, reasons: readonly string[] = [], cause?: unknown) {
    super(`the call failed: ${code}`, { cause });
    this.name = code;
    this.code = code;
    this.status = status;
    this.reasons = reasons;
  }
}

/**
 * Limits of a store call: 1 s for an attempt, and three attempts unless the caller may wait. Conflicts with other transactions are no
 * faults, and are repeated more often.
 */
export const attemptTimeoutMs = 1_000;
const faultAttempts = 3;
const conflictAttempts = 8;
/** Delays with full jitter: a random part of a bound that doubles (AWS Architecture Blog, "Exponential Backoff and Jitter"). */
const firstBackoffMs = 25;
const longestBackoffMs = 400;
/** Maximum delay after throttling: a partition or table gets new capacity each second. */
const longestThrottledBackoffMs = 2_000;

export interface RetryTiming {
  /**
   * Whether a throttled or unanswered call is repeated beyond the three attempts.
   *
   * @default never
   */
  readonly mayWait?: () => boolean;
  /**
   * Limits concurrent calls, and is told when the store is too busy.
   *
   * @default no limit
   */
  readonly pace?: Pace;
  /** Random number in [0, 1). */
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

export const systemRetryTiming: RetryTiming = {
  random: Math.random,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

type Verdict =
  | { readonly kind: 'condition'; readonly failed: readonly number[] }
  | { readonly kind: 'conflict' }
  /** `ambiguous`: a write may have been carried out nevertheless. */
  | { readonly kind: 'fault'; readonly ambiguous: boolean }
  | { readonly kind: 'denied' }
  | { readonly kind: 'defect' };

const throttles = new Set([
  'ProvisionedThroughputExceededException',
  'ProvisionedThroughputExceeded',
  'ThrottlingException',
  'ThrottlingError',
  'RequestLimitExceeded',
]);
const conflicts = new Set([
  'TransactionConflictException',
  'TransactionConflict',
  'TransactionInProgressException',
]);

/**
 * Errors that mean that the caller has no permission or is no longer known (DynamoDB API Reference, "Common Errors"). KMS checks the caller
 * too, because the table's key is used as the caller.
 */
const denials = new Set([
  'AccessDeniedException',
  'AccessDenied',
  'ExpiredTokenException',
  'UnrecognizedClientException',
  'KMSAccessDeniedException',
]);

/** Classifies a failed attempt (DynamoDB Developer Guide, "Error handling"; TransactWriteItems, "Errors"). */
export function classifyFailure(error: unknown): Verdict {
  if (!(error instanceof CallFailed)) return { kind: 'defect' };
  const { code, reasons, status } = error;
  if (code === 'ConditionalCheckFailedException') return { kind: 'condition', failed: [0] };
  if (code === 'TransactionCanceledException') {
    const failed = reasons.flatMap((reason, at) => (reason === 'ConditionalCheckFailed' ? [at] : []));
    if (failed.length > 0) return { kind: 'condition', failed };
    if (reasons.some((reason) => conflicts.has(reason))) return { kind: 'conflict' };
    if (reasons.some((reason) => throttles.has(reason))) return { kind: 'fault', ambiguous: false };
    return { kind: 'defect' };
  }
  if (conflicts.has(code)) return { kind: 'conflict' };
  if (throttles.has(code)) return { kind: 'fault', ambiguous: false };
  if (denials.has(code)) return { kind: 'denied' };
  return status === 0 || status >= 500 ? { kind: 'fault', ambiguous: true } : { kind: 'defect' };
}

/**
 * Repeats a call until it has an answer.
 *
 * If a condition fails after an attempt without an answer, that attempt may have been carried out. For a transaction, the token rules that
 * out; for a single write the outcome is unknown, and StoreUnavailable is thrown.
 *
 * @throws ConditionFailed, StoreUnavailable (StoreDenied), or a defect unchanged.
 */
export async function callWithRetries<T>(
  call: () => Promise<T>,
  options: { readonly repeatable: boolean } & RetryTiming,
): Promise<T> {
  const { pace } = options;
  return pace === undefined
    ? await untilAnswered(call, options)
    : await pace.run(() => untilAnswered(call, options));
}

async function untilAnswered<T>(
  call: () => Promise<T>,
  options: { readonly repeatable: boolean } & RetryTiming,
): Promise<T> {
  let faults = 0;
  let conflictsMet = 0;
  let outcomeUnknown = false;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const verdict = classifyFailure(error);
      if (verdict.kind === 'defect') throw error;
      if (verdict.kind === 'denied')
        throw outcomeUnknown ? new StoreUnavailable(error) : new StoreDenied(error);
      if (verdict.kind === 'condition') {
        if (outcomeUnknown && !options.repeatable) throw new StoreUnavailable(error);
        throw new ConditionFailed(verdict.failed);
      }
      if (verdict.kind === 'fault') {
        options.pace?.throttled();
        if (verdict.ambiguous) outcomeUnknown = true;
        if (options.mayWait?.() === true) {
          await options.sleep(((1 + options.random()) / 2) * longestThrottledBackoffMs);
          continue;
        }
      }
      if (verdict.kind === 'conflict') conflictsMet += 1;
      else faults += 1;
      if (faults >= faultAttempts || conflictsMet >= conflictAttempts) throw new StoreUnavailable(error);
      await options.sleep(backoffMs(faults + conflictsMet, options.random));
    }
  }
}

export function backoffMs(attemptsMade: number, random: () => number): number {
  return random() * Math.min(longestBackoffMs, firstBackoffMs * 2 ** attemptsMade);
}
