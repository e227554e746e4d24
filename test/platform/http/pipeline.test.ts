import { describe, expect, it, vi } from 'vitest';
import { securityHeaders } from '../../../lambdas/catalog/security-headers.ts';
import { oauthDialect } from '../../../lambdas/platform/http/oauth-error.ts';
import { fhirDialect } from '../../../lambdas/platform/http/operation-outcome.ts';
import { createPipeline, type Dialect, requestIds } from '../../../lambdas/platform/http/pipeline.ts';
import { StoreDenied, StoreUnavailable } from '../../../lambdas/platform/table/table.ts';
import { gatewayEvent } from '../../fhir/gateway-event.ts';

const resource = '/extfhirpatientaccess/v1/metadata';
const given = (id: string) => gatewayEvent({ resource, headers: { 'X-Request-Id': id } });

describe('a request’s ids', () => {
  it.each([
    'r-1',
    'A.b_c-9',
    'x'.repeat(64),
  ])('are API Gateway’s, which nobody chooses, and beside it the client’s own: %s', (id) => {
    expect(requestIds(given(id))).toEqual({ requestId: 'gateway-request-1', clientRequestId: id });
  });

  it.each([
    '',
    'x'.repeat(65),
    'a b',
    'a\nSet-Cookie: b=1',
    'a"',
    '<i>',
    'ä',
    ' a',
    'a\n',
  ])('leave out a client’s that is no plain token: %j', (id) => {
    expect(requestIds(given(id))).toEqual({ requestId: 'gateway-request-1' });
  });

  it('are one where the client sent none', () => {
    expect(requestIds(gatewayEvent({ resource }))).toEqual({ requestId: 'gateway-request-1' });
  });
});

describe('the pipeline', () => {
  const dialect: Dialect = {
    defect: () => ({ statusCode: 500, headers: { A: 'defect' }, body: 'constant' }),
    unavailable: () => ({ statusCode: 503, headers: { 'Retry-After': '1' }, body: 'later' }),
  };
  const failing = async (error: unknown) => {
    const log = vi.fn();
    const handler = createPipeline({ dialect, log, handler: async () => await Promise.reject(error) });
    return { answer: await handler(given('mine-1')), log };
  };

  it('gives each answer the request’s id beside its own headers', async () => {
    const handler = createPipeline({
      dialect,
      log: () => undefined,
      handler: async () => ({ statusCode: 200, headers: { ETag: 'W/"1"' }, body: '{}' }),
    });
    expect((await handler(given('mine-1'))).headers).toEqual({
      ETag: 'W/"1"',
      ...securityHeaders,
      'X-Request-Id': 'mine-1',
    });
  });

  it.each([
    'Authorization',
    'x-api-subscription-key',
  ])('refuses %s in two headers before anything else', async (name) => {
    const inner = vi.fn(async () => ({ statusCode: 200, body: '' }));
    const handlerOf = (of: Dialect) => createPipeline({ dialect: of, log: vi.fn(), handler: inner });
    const twice = {
      ...given('mine-1'),
      multiValueHeaders: { [name]: ['a', 'b'], 'X-Request-Id': ['mine-1'] },
    };
    for (const of of [oauthDialect, fhirDialect]) {
      const { statusCode, headers, body } = await handlerOf(of)(twice);
      expect([statusCode, headers?.['X-Request-Id']]).toEqual([400, 'mine-1']);
      expect(headers).toMatchObject(securityHeaders);
      expect(body).toContain(`${name.toLowerCase()} was sent more than once`);
    }
    expect(inner).not.toHaveBeenCalled();
    const once = { ...twice, multiValueHeaders: { [name]: ['a'] } };
    expect((await handlerOf(oauthDialect)(once)).statusCode).toBe(200);
  });

  it('answers a defect with the dialect’s constant body, and logs its name under the same id', async () => {
    const { answer, log } = await failing(new TypeError('of a secret'));
    expect(answer).toEqual({
      statusCode: 500,
      headers: { A: 'defect', ...securityHeaders, 'X-Request-Id': 'mine-1' },
      body: 'constant',
    });
    const ids = { requestId: 'gateway-request-1', clientRequestId: 'mine-1' };
    expect(log.mock.calls).toEqual([['error', 'defect', { ...ids, errorName: 'TypeError' }]]);
  });

  it.each([
    ['an unreachable store', new StoreUnavailable('gone'), 'StoreUnavailable'],
    ['a store that refuses who calls', new StoreDenied('no'), 'StoreDenied'],
  ])('says of %s that one may come again, and logs it as that', async (_what, error, errorName) => {
    const { answer, log } = await failing(error);
    expect(answer).toMatchObject({
      statusCode: 503,
      headers: { 'Retry-After': '1', 'X-Request-Id': 'mine-1' },
    });
    expect(log.mock.calls).toEqual([
      [
        'error',
        'store_unavailable',
        { requestId: 'gateway-request-1', clientRequestId: 'mine-1', errorName },
      ],
    ]);
  });
});
