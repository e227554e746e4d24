import { describe, expect, it } from 'vitest';
import { petsApi } from '../pets.ts';
import { type Behaviour, FunctionFails, identified, policy, serve, welcoming } from './serve.ts';

const format = {
  time: '$context.requestTimeEpoch',
  requestId: '$context.requestId',
  host: '$context.domainName',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  responseType: '$context.error.responseType',
  apiKeyId: '$context.identity.apiKeyId',
  sourceIp: '$context.identity.sourceIp',
  responseLength: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  integrationMs: '$context.integrationLatency',
  authorizerMs: '$context.authorizer.latency',
  nobody: '$context.authorizer.nobody',
};

function logging(behaviour: Behaviour = {}, destination: unknown = { 'Fn::GetAtt': ['AccessLog', 'Arn'] }) {
  const resources = petsApi();
  resources.AccessLog = { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: 'pets-access' } };
  Object.assign(resources.Stage?.Properties ?? {}, {
    AccessLogSetting: { DestinationArn: destination, Format: JSON.stringify(format) },
  });
  const api = serve(resources, behaviour);
  const line = () => JSON.parse(api.accessLog.at(-1)?.line ?? 'null') as Record<string, string>;
  return { ...api, line };
}

const milliseconds = expect.stringMatching(/^\d+$/);

describe('the access log of a stage', () => {
  it('has a line for a call, with - where there is nothing to say', async () => {
    const api = logging();
    await api.call('/pets?secret=1');
    expect(api.accessLog).toMatchObject([{ group: 'pets-access', timestamp: Date.UTC(2026, 10, 20, 12) }]);
    expect(api.line()).toEqual({
      time: String(Date.UTC(2026, 10, 20, 12)),
      requestId: '00000000-0000-4000-8000-000000000001',
      host: 'pets.localhost',
      method: 'GET',
      route: '/pets',
      status: '200',
      responseType: '-',
      apiKeyId: '-',
      sourceIp: '127.0.0.1',
      responseLength: '2',
      latencyMs: milliseconds,
      integrationMs: milliseconds,
      authorizerMs: '-',
      nobody: '-',
    });
  });

  it('names the key and the route, never the path', async () => {
    const api = logging();
    await api.call('/pets/4711', { headers: identified });
    expect(api.line()).toMatchObject({ route: '/pets/{id}', apiKeyId: 'k1', authorizerMs: milliseconds });
    expect(api.accessLog[0]?.line).not.toContain('4711');
  });

  it.each<[string, Behaviour, string, readonly (readonly [string, string])[], Record<string, string>]>([
    [
      'an unknown route',
      {},
      '/nowhere',
      [],
      { status: '403', responseType: 'MISSING_AUTHENTICATION_TOKEN', route: '-' },
    ],
    [
      'a missing token',
      {},
      '/pets/1',
      [],
      { status: '401', responseType: 'UNAUTHORIZED', integrationMs: '-', authorizerMs: '-' },
    ],
    [
      'an authorizer’s no',
      { guard: () => ({ ...welcoming(), policyDocument: policy('Deny', '*') }) },
      '/pets/1',
      identified,
      { status: '403', responseType: 'ACCESS_DENIED', apiKeyId: '-' },
    ],
    [
      'an unknown key',
      { guard: () => ({ ...welcoming(), usageIdentifierKey: 'nobody' }) },
      '/pets/1',
      identified,
      { status: '403', responseType: 'INVALID_API_KEY', apiKeyId: '-' },
    ],
    [
      'a function that failed',
      {
        pets: () => {
          throw new FunctionFails('Error', 'no');
        },
      },
      '/pets',
      [],
      { status: '502', responseType: 'DEFAULT_5XX', integrationMs: milliseconds },
    ],
  ])('has a line for %s', async (_what, behaviour, path, headers, expected) => {
    const api = logging(behaviour);
    await api.call(path, { headers });
    expect(api.accessLog).toHaveLength(1);
    expect(api.line()).toMatchObject(expected);
  });

  it('has a line for a call beyond the plan, with its key', async () => {
    const api = logging();
    for (let count = 0; count < 4; count += 1) await api.call('/pets/1', { headers: identified });
    expect(api.line()).toMatchObject({ status: '429', responseType: 'THROTTLED', apiKeyId: 'k1' });
  });

  it('has what the authorizer said of a call it denied', async () => {
    const denied = { ...welcoming(), policyDocument: policy('Deny', '*'), context: { nobody: 'expired' } };
    const api = logging({ guard: () => denied });
    await api.call('/pets/1', { headers: identified });
    expect(api.line()).toMatchObject({ status: '403', nobody: 'expired', authorizerMs: milliseconds });
  });

  it('stays one line of JSON whatever a value holds', async () => {
    const api = logging({ guard: () => ({ ...welcoming(), context: { nobody: 'a "b"\n{' } }) });
    await api.call('/pets/1', { headers: identified });
    expect(api.line().nobody).toBe('a "b"\n{');
    expect(api.accessLog[0]?.line).not.toContain('\n');
  });

  it('is nobody’s where the stage has none', async () => {
    const api = serve(petsApi());
    await api.call('/pets');
    expect(api.accessLog).toEqual([]);
  });

  it('is refused at the start where its group does not exist', () => {
    expect(() => logging({}, 'arn:aws:logs:us-east-2:111122223333:log-group:gone:*')).toThrow(
      "no template declares the access log's group",
    );
  });
});
