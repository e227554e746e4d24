import { deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { petsApi } from '../pets.ts';
import { serve } from './serve.ts';

const text = 'a'.repeat(2_000);

function petsFrom(minimumBytes: number | undefined) {
  const resources = petsApi();
  const Properties = minimumBytes === undefined ? {} : { MinimumCompressionSize: minimumBytes };
  resources.Api = { Type: 'AWS::ApiGateway::RestApi', Properties };
  return serve(resources, { pets: () => ({ statusCode: 200, body: text }) });
}

describe('an answer', () => {
  const coded = async (acceptEncoding: string | undefined, minimumBytes: number | undefined = 2_000) => {
    const headers = acceptEncoding === undefined ? [] : [['Accept-Encoding', acceptEncoding] as const];
    const { raw, header } = await petsFrom(minimumBytes).call('/pets', { headers });
    return { coding: header('content-encoding'), body: raw.body };
  };

  it.each([
    ['gzip'],
    ['gzip, deflate, br'],
    ['deflate;q=0.5, GZIP;q=1.0'],
    ['gzip;q=1.0,identity;q=0.5,*;q=0'],
  ])('is compressed by gzip for %s', async (acceptEncoding) => {
    const { coding, body } = await coded(acceptEncoding);
    expect([coding, gunzipSync(body).toString()]).toEqual(['gzip', text]);
  });

  it('is compressed by deflate for who prefers that', async () => {
    const { coding, body } = await coded('deflate, gzip');
    expect([coding, inflateSync(body).toString()]).toEqual(['deflate', text]);
  });

  it.each([
    [undefined],
    [''],
    ['*'],
    ['identity'],
    ['br, gzip;q=0.5'],
    ['br, gzip'],
    ['gzip;q=0'],
  ])('is sent as it is for %s', async (acceptEncoding) => {
    const { coding, body } = await coded(acceptEncoding);
    expect([coding, body.toString()]).toEqual([undefined, text]);
  });

  it('is sent as it is below the minimum size, or where the API has none', async () => {
    expect((await coded('gzip', 2_001)).coding).toBeUndefined();
    expect((await petsFrom(undefined).call('/pets', { headers: [['Accept-Encoding', 'gzip']] })).body).toBe(
      text,
    );
  });
});

describe('a request', () => {
  const sent = async (coding: string, body: Buffer, minimumBytes?: number) => {
    const api = petsFrom(minimumBytes);
    const answer = await api.call('/files/a', {
      method: 'PUT',
      headers: [['content-encoding', coding]],
      body,
    });
    return { ...answer, event: api.invoked[0]?.event };
  };

  it.each([
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['identity', Buffer.from(text)],
  ])('reaches the function without its %s', async (coding, body) => {
    expect((await sent(coding, body)).event?.body).toBe(text);
  });

  it('no longer claims the coding it no longer has', async () => {
    expect((await sent('gzip', gzipSync(text))).event?.headers).not.toHaveProperty('content-encoding');
  });

  it.each([
    ['a coding API Gateway does not know', 'br', Buffer.from(text)],
    ['a body that is not of its coding', 'gzip', Buffer.from(text)],
  ])('is refused with 415 for %s', async (_what, coding, body) => {
    const { status, refusal, event } = await sent(coding, body);
    expect([status, refusal?.type, event]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE', undefined]);
  });

  it('is refused with 413 where more than 10 MB comes out', async () => {
    expect((await sent('gzip', gzipSync(Buffer.alloc(10_485_761)))).status).toBe(413);
  });

  it('is handed on as it came below the minimum size', async () => {
    const { event } = await sent('gzip', gzipSync(text), 2_000);
    expect(event?.headers).toHaveProperty('content-encoding', 'gzip');
    expect(event?.body).not.toBe(text);
  });
});
