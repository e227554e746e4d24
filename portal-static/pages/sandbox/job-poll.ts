/** Asks for the status of an asynchronous job until it is complete (Bulk Data Access IG, "Bulk Data Status Request"). */

import { answerHeader, type Exchange, sendOnce } from './exchange.ts';
import type { HttpCall } from './http-call.ts';

/** Most requests of one press, and the least and most seconds between two. */
const polling = { requests: 40, leastSeconds: 1, mostSeconds: 10 } as const;

/** Seconds until the next request, by `Retry-After`. */
export function pauseSeconds(exchange: Exchange): number {
  const asked = Number(answerHeader(exchange, 'retry-after') ?? polling.leastSeconds);
  if (!Number.isFinite(asked)) return polling.mostSeconds;
  return Math.min(Math.max(asked, polling.leastSeconds), polling.mostSeconds);
}

/**
 * Sends the request until the answer is another than 202 or 429.
 *
 * @param pause waits for seconds.
 * @returns the last exchange, and the number of requests.
 */
export async function pollJob(
  request: HttpCall,
  pause: (seconds: number) => Promise<void>,
  ask: (call: HttpCall) => Promise<Exchange> = sendOnce,
): Promise<{ readonly exchange: Exchange; readonly requests: number }> {
  let exchange = await ask(request);
  let requests = 1;
  while (isPending(exchange) && requests < polling.requests) {
    await pause(pauseSeconds(exchange));
    exchange = await ask(request);
    requests += 1;
  }
  return { exchange, requests };
}

function isPending({ answer }: Exchange): boolean {
  return answer?.status === 202 || answer?.status === 429;
}
