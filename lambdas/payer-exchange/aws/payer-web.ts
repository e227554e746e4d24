/** Requests to other payers over the guarded fetch. */

import { otherPayerLimits } from '../../catalog/payer/other-payers.ts';
import { createGuardedRequest, GuardedFetchError } from '../../platform/runtime/guarded-fetch.ts';
import type { PayerWeb, PayerWebAnswer } from '../discovery/payer-web-port.ts';

/**
 * Creates the web of other payers.
 *
 * @param loopback admits http to this machine
 */
export function createPayerWeb(
  loopback: boolean,
  send: ReturnType<typeof createGuardedRequest> = createGuardedRequest(undefined, {
    loopback,
    timeoutMs: otherPayerLimits.answerMs,
    mostBytes: otherPayerLimits.documentBytes,
  }),
): PayerWeb {
  return async (address, request): Promise<PayerWebAnswer> => {
    try {
      return { kind: 'answer', ...(await send(address, request)) };
    } catch (error) {
      return { kind: 'failed', code: failureOf(error) };
    }
  };
}

function failureOf(error: unknown): Extract<PayerWebAnswer, { kind: 'failed' }>['code'] {
  if (error instanceof GuardedFetchError) return error.reason;
  const { name } = error as Error;
  if (name === 'AbortError' || name === 'TimeoutError') return 'too-slow';
  // A body that is no UTF-8, such as a compressed one.
  return error instanceof TypeError ? 'not-json' : 'unreachable';
}
