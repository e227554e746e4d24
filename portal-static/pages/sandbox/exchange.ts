/** Sends the requests of the guided first call. */

import { sendPatiently } from '../../api/retry.ts';
import { type HttpCall, requestBodyText } from './http-call.ts';

/** A request that was sent, and what came back. */
export interface Exchange {
  readonly call: HttpCall;
  /** Undefined where no answer came: the network, or a host that does not let this page read it. */
  readonly answer?: {
    readonly status: number;
    readonly headers: readonly (readonly [string, string])[];
    readonly text: string;
    readonly milliseconds: number;
  };
  /** Whether the answer was a redirect to another host, which the page may not read: the signed address of a file. */
  readonly isRedirect?: true;
}

/** Sends a call as the application would, from this browser, without any cookie; again after a `Retry-After`. */
export async function send(call: HttpCall): Promise<Exchange> {
  return await exchange(call, (request) => sendPatiently(call.method, request));
}

/** Sends a call once: the page says when to try again. */
export async function sendOnce(call: HttpCall): Promise<Exchange> {
  return await exchange(call, (request) => request());
}

async function exchange(
  call: HttpCall,
  sending: (request: () => Promise<Response>) => Promise<Response>,
): Promise<Exchange> {
  const started = performance.now();
  const body = requestBodyText(call);
  try {
    const response = await sending(() =>
      fetch(call.url, {
        method: call.method,
        headers: call.headers,
        credentials: 'omit',
        redirect: isFile(call.url) ? 'manual' : 'error',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
        ...(body === undefined ? {} : { body }),
      }),
    );
    if (response.type === 'opaqueredirect') return { call, isRedirect: true };
    const text = await response.text();
    return {
      call,
      answer: {
        status: response.status,
        headers: [...response.headers],
        text,
        milliseconds: Math.round(performance.now() - started),
      },
    };
  } catch {
    return { call };
  }
}

/** Whether an address is that of a file of a job, which is sent by a redirect to its signed address. */
function isFile(url: string): boolean {
  return /\/jobs\/[^/]+\/files\//.test(url);
}

/** A header of the response, by its name in lowercase. */
export function answerHeader({ answer }: Exchange, name: string): string | undefined {
  return answer?.headers.find(([one]) => one === name)?.[1];
}

/** The JSON object of an answer; empty where it is none. */
export function jsonOf({ answer }: Exchange): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(answer?.text ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** JSON over several lines; anything else as it came. */
export function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/**
 * Concurrent reads that are sent to cause a 429, and milliseconds for which volleys follow. A browser sends six at a time over HTTP/1.1,
 * so that the sandbox's burst is used up in some seconds.
 */
const volleys = { size: 50, untilMs: 20_000 } as const;

/** Reads in parallel until the gateway throttles one. @returns what was sent, the throttled one last where there is one. */
export async function sendUntilThrottled(call: HttpCall): Promise<{
  readonly sent: number;
  readonly last: Exchange;
}> {
  let sent = 0;
  let last: Exchange = { call };
  for (const started = performance.now(); performance.now() - started < volleys.untilMs; ) {
    const answers = await Promise.all(Array.from({ length: volleys.size }, () => sendOnce(call)));
    sent += answers.length;
    last = answers.find(({ answer }) => answer?.status === 429) ?? answers[0] ?? last;
    if (last.answer?.status === 429) break;
  }
  return { sent, last };
}
