import { describe, expect, it } from 'vitest';
import { petsApi } from '../pets.ts';
import { FunctionFails, identified, serve } from './serve.ts';

const answering = (answer: unknown) => serve(petsApi(), { pets: () => answer });

describe('a proxy integration', () => {
  it('hands the function the event of the specification', async () => {
    const api = serve(petsApi());
    await api.call('/files/a%20b/c?x=1&x=2&y=%C3%A9+z', {
      method: 'PUT',
      headers: [
        ['X-One', 'a'],
        ['x-two', 'b'],
        ['x-two', 'c'],
      ],
      body: 'é',
    });
    expect(api.invoked[0]?.event).toMatchObject({
      resource: '/files/{path+}',
      path: '/files/a%20b/c',
      httpMethod: 'PUT',
      headers: { 'X-One': 'a', 'x-two': 'c', Host: 'pets.localhost:8080', 'X-Forwarded-Port': '8080' },
      multiValueHeaders: { 'x-two': ['b', 'c'] },
      queryStringParameters: { x: '2', y: 'é z' },
      multiValueQueryStringParameters: { x: ['1', '2'], y: ['é z'] },
      pathParameters: { path: 'a b/c' },
      stageVariables: { colour: 'brown' },
      body: 'é',
      isBase64Encoded: false,
      requestContext: {
        resourcePath: '/files/{path+}',
        httpMethod: 'PUT',
        path: '/files/a%20b/c',
        stage: 'live',
        domainName: 'pets.localhost',
        domainPrefix: 'pets',
        requestId: '00000000-0000-4000-8000-000000000001',
        requestTime: '20/Nov/2026:12:00:00 +0000',
        accountId: '111122223333',
        identity: { sourceIp: '127.0.0.1' },
      },
    });
  });

  it('says null where there is nothing', async () => {
    const api = serve(petsApi());
    await api.call('/pets');
    expect(api.invoked[0]?.event).toMatchObject({
      body: null,
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
    });
  });

  it('sends what the function returned, every value of a header too', async () => {
    const answer = await answering({
      statusCode: 201,
      headers: { 'Content-Type': 'text/plain', Count: 3 },
      multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
      body: 'made',
    }).call('/pets');
    expect([answer.status, answer.body, answer.header('count')]).toEqual([201, 'made', '3']);
    expect(answer.raw.headers.filter(([name]) => name === 'Set-Cookie')).toHaveLength(2);
  });

  it('calls a body without a type application/json', async () => {
    expect((await answering({ statusCode: 200, body: '{}' }).call('/pets')).header('content-type')).toBe(
      'application/json',
    );
  });

  it('renames headers a function may not set', async () => {
    const headers = { 'WWW-Authenticate': 'Bearer', Server: 'x', 'Content-Length': '99' };
    const answer = await answering({ statusCode: 401, headers, body: '' }).call('/pets');
    expect(answer.header('WWW-Authenticate')).toBeUndefined();
    expect(answer.header('x-amzn-Remapped-WWW-Authenticate')).toBe('Bearer');
    expect(answer.header('x-amzn-Remapped-Server')).toBe('x');
    expect(answer.header('content-length')).toBeUndefined();
    expect(answer.header('x-amzn-Remapped-Content-Length')).toBe('99');
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['text', 'hello'],
    ['no status', { body: 'x' }],
    ['a status that is no number', { statusCode: 'ok', body: 'x' }],
    ['a body that is no text', { statusCode: 200, body: { a: 1 } }],
    ['a header that is a list', { statusCode: 200, headers: { a: ['b'] }, body: '' }],
    ['a member that is not of the form', { statusCode: 200, cookies: [], body: '' }],
  ])('is 502 where the function returns %s', async (_what, returned) => {
    const answer = await answering(returned).call('/pets');
    expect([answer.status, answer.body]).toEqual([502, '{"message":"Internal server error"}']);
  });

  it('is 502 where the function fails, and says nothing of why', async () => {
    const api = serve(petsApi(), {
      pets: () => {
        throw new FunctionFails('TypeError', 'secret detail');
      },
    });
    const answer = await api.call('/pets');
    expect([answer.status, answer.body]).toEqual([502, '{"message":"Internal server error"}']);
  });

  it.each([
    ['Lambda throttles the function', 'FunctionThrottled', 'INTEGRATION_FAILURE'],
    ['there is no such function', 'FunctionNotFound', 'DEFAULT_5XX'],
  ])('is 500 where %s', async (_what, name, type) => {
    const api = serve(petsApi(), {
      pets: () => {
        throw Object.assign(new Error(name), { name });
      },
    });
    const answer = await api.call('/pets');
    expect([answer.status, answer.refusal?.type]).toEqual([500, type]);
  });

  it('is 504 where the function is later than the integration allows', async () => {
    const resources = petsApi();
    const integration = resources.ListPets?.Properties?.Integration as Record<string, unknown>;
    integration.TimeoutInMillis = 50;
    const api = serve(resources, { pets: () => new Promise(() => {}) });
    const answer = await api.call('/pets');
    expect([answer.status, answer.refusal?.type]).toEqual([504, 'INTEGRATION_TIMEOUT']);
  });

  it('decodes bytes only for media types the API calls binary', async () => {
    const returned = {
      statusCode: 200,
      isBase64Encoded: true,
      body: Buffer.from('bytes').toString('base64'),
    };
    const accept = { headers: [['Accept', 'image/png, */*']] as const };
    expect((await answering(returned).call('/pets', accept)).body).toBe(returned.body);
    const resources = petsApi();
    resources.Api = { Type: 'AWS::ApiGateway::RestApi', Properties: { BinaryMediaTypes: ['image/png'] } };
    const binary = serve(resources, { pets: () => returned });
    expect((await binary.call('/pets', accept)).body).toBe('bytes');
  });
});

describe('a mock integration', () => {
  it('answers a preflight by itself', async () => {
    const api = serve(petsApi());
    const answer = await api.call('/pets/1', { method: 'OPTIONS' });
    expect([answer.status, answer.header('access-control-allow-origin')]).toEqual([204, '*']);
    expect(api.invoked).toEqual([]);
  });

  it('is a configuration error where the method response does not declare a header', async () => {
    const resources = petsApi();
    if (resources.Preflight?.Properties)
      resources.Preflight.Properties.MethodResponses = [{ StatusCode: '204' }];
    expect((await serve(resources).call('/pets/1', { method: 'OPTIONS' })).status).toBe(500);
  });
});

describe('the gateway itself', () => {
  it('knows no other host', async () => {
    const answer = await serve(petsApi()).call('/pets', { host: 'dogs.localhost' });
    expect([answer.status, answer.body]).toEqual([403, '{"message":"Forbidden"}']);
  });

  it('words an unknown path or method by its default response', async () => {
    const api = serve(petsApi());
    const unknown = await api.call('/cats');
    const wrong = await api.call('/pets', { method: 'HEAD' });
    expect([unknown.status, unknown.body]).toEqual([403, '{"refused":"MISSING_AUTHENTICATION_TOKEN"}']);
    expect(wrong.refusal?.type).toBe('MISSING_AUTHENTICATION_TOKEN');
  });

  it('refuses a raw pipe in the query, and takes an encoded one', async () => {
    const api = serve(petsApi());
    expect((await api.call('/pets?a=b|c')).status).toBe(400);
    expect((await api.call('/pets?a=b%7Cc')).status).toBe(200);
  });

  it('refuses broken percent-encodings', async () => {
    const api = serve(petsApi());
    expect((await api.call('/pets/%E0%A4%A', { headers: identified })).status).toBe(400);
    expect((await api.call('/pets?a=%')).status).toBe(400);
    expect(api.invoked).toEqual([]);
  });

  it('splits a query at raw semicolons too', async () => {
    const api = serve(petsApi());
    await api.call('/pets?state=a;b=c&d=e%3Bf');
    expect(api.invoked[0]?.event.queryStringParameters).toEqual({ state: 'a', b: 'c', d: 'e;f' });
  });

  it('refuses a URL of more than 10,240 characters, and a method ARN of more than 1,600 bytes', async () => {
    const api = serve(petsApi());
    expect((await api.call(`/pets?a=${'b'.repeat(10_000)}`)).status).toBe(200);
    expect((await api.call(`/pets?a=${'b'.repeat(10_240)}`)).status).toBe(414);
    const longId = await api.call(`/pets/${'b'.repeat(1_600)}`, { headers: identified });
    expect([longId.status, longId.refusal?.message]).toEqual([414, 'Request URI too long']);
    expect((await api.call(`/files/${'b'.repeat(1_600)}`, { method: 'PUT' })).status).toBe(200);
  });

  it('words a body that is too large by itself: that response can not be customized', async () => {
    const large = await serve(petsApi()).call('/files/a', { method: 'PUT', body: 'a'.repeat(10_485_761) });
    expect(large.body).toBe('{"message":"Request Too Long"}');
  });

  it('refuses headers of more than 10,240 bytes and bodies of more than 10 MB', async () => {
    const api = serve(petsApi());
    expect((await api.call('/pets', { headers: [['a', 'b'.repeat(10_240)]] })).status).toBe(431);
    const large = await api.call('/files/a', { method: 'PUT', body: 'a'.repeat(10_485_761) });
    expect([large.status, large.refusal?.type]).toEqual([413, 'REQUEST_TOO_LARGE']);
  });

  it('finds an API under a base path', async () => {
    const resources = petsApi();
    if (resources.Mapping?.Properties) resources.Mapping.Properties.BasePath = 'zoo';
    const api = serve(resources);
    expect((await api.call('/zoo/pets')).status).toBe(200);
    expect(api.invoked[0]?.event.path).toBe('/zoo/pets');
    expect((await api.call('/pets')).status).toBe(403);
  });
});
