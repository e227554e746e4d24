import { describe, expect, it } from 'vitest';
import { sendPatiently } from '../../portal-static/api/retry.ts';

/** Sends a request that gets these answers, the last one repeatedly. Returns the number of requests and the waits between them. */
async function sentTo(method: string, answers: readonly (readonly [status: number, retryAfter?: string])[]) {
  const waits: number[] = [];
  let sent = 0;
  const response = await sendPatiently(
    method,
    async () => {
      const [status, retryAfter] = answers[Math.min(sent, answers.length - 1)] ?? [200];
      sent += 1;
      return new Response(null, {
        status,
        headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
      });
    },
    async (milliseconds) => waits.push(milliseconds),
  );
  return { status: response.status, sent, waits };
}

describe('a call from the portal’s pages', () => {
  it('waits as long as Retry-After says and is sent again', async () => {
    expect(await sentTo('POST', [[429, '2'], [429, '1'], [200]])).toEqual({
      status: 200,
      sent: 3,
      waits: [2000, 1000],
    });
    expect(await sentTo('GET', [[503, '1'], [200]])).toMatchObject({ status: 200, sent: 2 });
  });

  it('is given up after three more tries', async () => {
    expect(await sentTo('GET', [[429, '1']])).toMatchObject({ status: 429, sent: 4 });
  });

  it.each([
    ['a wait that is too long for a page', 'GET', [429, '11']],
    ['an answer that names no wait', 'GET', [429]],
    ['a wait that is no number of seconds', 'GET', [429, 'Sun, 22 Nov 2026 16:00:00 GMT']],
    ['a 503 of what may have been carried out', 'POST', [503, '1']],
    ['any other refusal', 'GET', [401, '1']],
  ] as const)('is not repeated after %s', async (_what, method, answer) => {
    expect(await sentTo(method, [answer])).toMatchObject({ status: answer[0], sent: 1, waits: [] });
  });
});
