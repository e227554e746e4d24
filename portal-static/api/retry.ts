/** Repeats calls of the portal's API that were refused with 429 or 503, after their `Retry-After`. */

/** Longest wait, in seconds, before an automatic repeat. If `Retry-After` is longer, the page shows the problem. */
const longestWaitSeconds = 10;

/** Repeats after the first request. */
const mostRetries = 3;

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Sends a request, and repeats it after the `Retry-After` of a refusal (RFC 9110 section 10.2.3). A request refused with 429 was not
 * carried out; one with 503 may have been, so only reads are repeated after 503.
 *
 * @param method of the request.
 * @param send sends the request; called for each try.
 * @returns the last response.
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
