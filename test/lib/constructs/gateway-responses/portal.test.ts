import { describe, expect, it } from 'vitest';
import { gatewayResponseTypes } from '../../../../lambdas/catalog/gateway/gateway-response-types.ts';
import { portalProblems } from '../../../../lambdas/portal/catalog/problems.ts';
import { portalProblemResponses } from '../../../../lib/constructs/gateway-responses/portal.ts';

const origin = 'https://developer.example.org';
const table = portalProblemResponses(origin);

describe('the portal’s API', () => {
  it.each(gatewayResponseTypes)('words %s as a problem of its table', (type) => {
    const { statusCode, templates = {}, responseHeaders } = table[type];
    const body = JSON.parse(templates['application/json'] ?? '');
    const { status, title, fix } = portalProblems[body.code as keyof typeof portalProblems];
    expect(body).toMatchObject({
      type: `${origin}/docs/errors#${body.code}`,
      title,
      status,
      detail: fix,
      requestId: '$context.requestId',
    });
    expect(statusCode).toBe(`${status}`);
    expect(responseHeaders?.['Content-Type']).toBe("'application/problem+json'");
    expect(responseHeaders?.['Cache-Control']).toBe("'no-store'");
    expect(responseHeaders).not.toHaveProperty('Access-Control-Allow-Origin');
  });

  it.each(gatewayResponseTypes)('says with %s when to come back, where waiting helps', (type) => {
    const { statusCode, templates = {}, responseHeaders } = table[type];
    const { retryAfter } = JSON.parse(templates['application/json'] ?? '');
    const waits = statusCode === '429' || statusCode === '503';
    expect(retryAfter === undefined).toBe(!waits);
    expect(responseHeaders?.['Retry-After']).toBe(waits ? `'${retryAfter}'` : undefined);
  });
});
