import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import {
  corsPreflight,
  json,
  notFound,
  oauthDialect,
  oauthError,
  oauthMethodNotAllowed,
} from '../../../lambdas/platform/http/oauth-error.ts';
import { createPipeline } from '../../../lambdas/platform/http/pipeline.ts';
import {
  jsonBodyParser,
  type TokenBody,
  tokenParameters,
} from '../../../lambdas/platform/http/token-request-body.ts';
import { eventOf } from '../../authorization/events.ts';

/** The OAuth error dialect of token hosts (RFC 6749 section 5.2): which bodies are refused, and with which errors. */

const stored = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };
const common = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Retry-After,WWW-Authenticate,X-Request-Id',
  'Content-Type': 'application/json',
};

describe('an OAuth error', () => {
  it.each([
    ['invalid_grant', undefined, 400],
    ['invalid_client', undefined, 401],
    ['invalid_client', 400, 400],
    ['invalid_request', 404, 404],
    ['server_error', 500, 500],
  ] as const)('%s with the status %s asked for is %i', (error, status, expected) => {
    const answer = oauthError({ error, description: 'why' }, status);
    expect(answer.statusCode).toBe(expected);
    expect(answer.headers).toMatchObject({ ...common, ...stored });
    expect(JSON.parse(answer.body)).toEqual({ error, error_description: 'why' });
    const challenge = answer.headers?.['WWW-Authenticate'];
    if (expected === 401) expect(challenge).toMatch(/^Basic realm="[^"]+"/);
    else expect(challenge).toBeUndefined();
  });

  it('that asks to wait says how long, in the header, as 429', () => {
    const answer = oauthError({ error: 'invalid_grant', description: 'why', retryAfterSeconds: 7 }, 400);
    expect(answer).toMatchObject({ statusCode: 429, headers: { ...common, ...stored, 'Retry-After': '7' } });
    expect(JSON.parse(answer.body)).toEqual({ error: 'invalid_grant', error_description: 'why' });
  });

  it('of ours says nothing of what went wrong', () => {
    const [defect, unavailable] = [oauthDialect.defect('r'), oauthDialect.unavailable('r')];
    expect([defect.statusCode, JSON.parse(defect.body)]).toEqual([
      500,
      { error: 'server_error', error_description: 'The service failed to process the request.' },
    ]);
    expect(unavailable).toMatchObject({ statusCode: 503, headers: { ...stored, 'Retry-After': '1' } });
    expect(JSON.parse(unavailable.body).error).toBe('temporarily_unavailable');
  });

  it('tells a path that is none from a method that is none', () => {
    expect(notFound().statusCode).toBe(404);
    expect(oauthMethodNotAllowed('POST')).toMatchObject({
      statusCode: 405,
      headers: { ...stored, Allow: 'POST' },
    });
    expect(JSON.parse(oauthMethodNotAllowed('POST').body).error_description).toContain('POST');
  });
});

describe('an answer', () => {
  it('is JSON that is not kept, or under the headers given', () => {
    expect(json(200, { a: 1 })).toEqual({
      statusCode: 200,
      headers: { ...common, ...stored },
      body: '{"a":1}',
    });
    expect(json(200, '{"as":"it is"}', { ETag: '"1"' })).toEqual({
      statusCode: 200,
      headers: { ...common, ETag: '"1"' },
      body: '{"as":"it is"}',
    });
  });

  it('to a preflight lets any origin send the headers a token request has', () => {
    const { statusCode, headers = {}, body } = corsPreflight('POST, OPTIONS');
    expect([statusCode, body, headers['Access-Control-Allow-Methods']]).toEqual([204, '', 'POST, OPTIONS']);
    expect(headers['Access-Control-Allow-Origin']).toBe('*');
    for (const name of ['Authorization', 'Content-Type', 'x-api-subscription-key']) {
      expect(String(headers['Access-Control-Allow-Headers']).split(',')).toContain(name);
    }
    expect(Number(headers['Access-Control-Max-Age'])).toBeGreaterThan(0);
  });
});

/** Sends a body through the pipeline of the token endpoint. Returns its parameters, or the error that the caller gets. */
async function read(type: string, body: string | Buffer, accepted: TokenBody = 'json or form') {
  let told: unknown;
  const handler = createPipeline({
    dialect: oauthDialect,
    log: () => undefined,
    middlewares: [jsonBodyParser()],
    handler: async (event) => {
      const read = tokenParameters(event, accepted);
      told = read.kind === 'refusal' ? read.refusal.description : Object.fromEntries(read.parameters);
      return json(200, {});
    },
  });
  const event: APIGatewayProxyEvent = {
    ...eventOf({ path: '/' }),
    headers: { 'Content-Type': type, 'X-Request-Id': 'mine' },
    body: typeof body === 'string' ? body : body.toString('base64'),
    isBase64Encoded: typeof body !== 'string',
  };
  const answer = await handler(event);
  expect(answer.headers?.['X-Request-Id']).toBe('mine');
  return answer.statusCode === 200 ? told : [answer.statusCode, JSON.parse(answer.body).error_description];
}

const form = 'application/x-www-form-urlencoded';
const jsonType = 'application/json';

describe('the body of a token request', () => {
  it.each([
    [form, 'a=1&a=2&b='],
    ['Application/X-WWW-Form-Urlencoded; charset=UTF-8', 'a=1&a=2&b='],
    [form, Buffer.from('a=1&a=2&b=')],
  ])('is read as %s', async (type, body) => {
    expect(await read(type, body)).toEqual({ a: ['1', '2'], b: [''] });
  });

  it.each([
    [jsonType, '{"a":"1","b":""}'],
    ['application/json;charset=utf-8', Buffer.from('{"a":"1","b":""}')],
  ])('is read as %s', async (type, body) => {
    expect(await read(type, body)).toEqual({ a: ['1'], b: [''] });
  });

  it('of machines is a form only', async () => {
    expect(await read(form, 'a=1', 'form')).toEqual({ a: ['1'] });
    expect(await read(jsonType, '{"a":"1"}', 'form')).toBe(`content-type must be ${form}`);
  });

  it.each([
    ['', 'a=1', `content-type must be ${jsonType} or ${form}`],
    ['text/plain', 'a=1', `content-type must be ${jsonType} or ${form}`],
    [form, 'a=%zz', 'the body is not valid form encoding'],
    [form, 'x'.repeat(16_385), 'the body is too large or not UTF-8'],
    [form, Buffer.from([0x61, 0x3d, 0xc3, 0x28]), 'the body is too large or not UTF-8'],
    [jsonType, '["a"]', 'the body must be a JSON object whose values are strings'],
    [jsonType, '{"a":1}', 'the body must be a JSON object whose values are strings'],
  ])('of type %j that is no such thing is told: %#', async (type, body, sentence) => {
    expect(await read(type, body)).toBe(sentence);
  });

  it.each([
    ['{"a":', 'the body is not valid JSON'],
    ['', 'the body is not valid JSON'],
    ['{"a":"1","a":"2"}', 'a member of the body was sent more than once'],
    ['{"a":"1","\\u0061":"2"}', 'a member of the body was sent more than once'],
    [`{"a":"${'x'.repeat(16_384)}"}`, 'the body is too large or not UTF-8'],
  ])('in JSON is refused before anything reads it: %#', async (body, sentence) => {
    expect(await read(jsonType, body)).toEqual([400, sentence]);
  });

  it('in JSON may hold what looks like a name', async () => {
    expect(await read(jsonType, '{"a":"\\"a\\":\\"b\\"","c":"{}"}')).toEqual({ a: ['"a":"b"'], c: ['{}'] });
  });
});
