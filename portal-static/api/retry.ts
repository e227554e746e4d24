/** Retry of the portal's API calls that were refused with 429 or 503, by their `Retry-After`. */

/** Longest wait, in seconds, before a repeat; the page shows longer ones to the person. */
const longestWaitSeconds = 10;

/** Repeats after the first request. */
const mostRetries = 3;

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Sends a request, and again as long after a refusal as its `Retry-After` says (RFC 9110 section 10.2.3): 429 is never carried out,
 * 503 may have been, so that it is repeated for reads only.
 *
 * @param method of the request. @param send makes the request; called once for each try.
 * @returns the last answer.
 */
export async function sendPatiently(
  method: string,
  send: () => Promise<Response>,
  wait: (milliseconds: number) => Promise<unknown> = sleep,
): Promise<Response> {
  for (let retries = 0; ; retries += 1) {
    const response = await send();
    const seconds = waitSeconds(method, response);
    if (seconds === undefined || retries === mostRetries) return response;
    await wait(seconds * 1000);
  }
}

function waitSeconds(method: string, { status, headers }: Response): number | undefined {
  const repeatable = status === 429 || (status === 503 && method === 'GET');
  const text = headers.get('retry-after') ?? '';
  const seconds = Number(text);
  return repeatable && /^\d+$/.test(text) && seconds <= longestWaitSeconds ? seconds : undefined;
}
