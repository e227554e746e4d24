import { loadAssembly } from '../../../local/assembly/load-assembly.ts';
import { createApiKeys } from '../../../local/gateway/api-keys.ts';
import { createGateway } from '../../../local/gateway/gateway.ts';
import type { InvokeIntegration } from '../../../local/gateway/integration.ts';
import type { GatewayRequest } from '../../../local/gateway/request.ts';
import { type Resources, writeCloudAssembly } from '../cloud-assembly.ts';

/** Answers of the functions behind the API at `pets.localhost`: of `pets`, and of the authorizer `guard`. */
export interface Behaviour {
  pets?: (event: ProxyEvent) => unknown;
  guard?: (event: ProxyEvent) => unknown;
}

export interface ProxyEvent {
  readonly path: string;
  readonly methodArn: string;
  readonly httpMethod: string;
  readonly resource: string;
  readonly headers: Record<string, string>;
  readonly requestContext: Record<string, unknown> & {
    authorizer: unknown;
    identity: Record<string, unknown>;
  };
  readonly [member: string]: unknown;
}

export const goodKey = 'key-value-of-thirty-characters-1';
export const allow = (resource = '*') => policy('Allow', resource);
export const policy = (Effect: string, Resource: string) => ({
  Version: '2012-10-17',
  Statement: [{ Effect, Action: 'execute-api:Invoke', Resource }],
});

/** Result of an authorizer that admits every caller and returns a valid usage key. */
export const welcoming = () => ({
  principalId: 'someone',
  policyDocument: allow(),
  context: { name: 'someone', count: 2, member: true },
  usageIdentifierKey: goodKey,
});

/** Error of a function, as Lambda reports it. */
export class FunctionFails extends Error {
  readonly errorType: string;
  constructor(errorType: string, errorMessage: string) {
    super(errorMessage);
    this.errorType = errorType;
  }
}

interface AccessLogLine {
  readonly group: string;
  readonly timestamp: number;
  readonly line: string;
}

/** The gateway over a template, with functions of the test. `clock.now` sets its time. */
export function serve(resources: Resources, behaviour: Behaviour = {}) {
  const { directory, remove } = writeCloudAssembly([{ name: 'pets', template: { Resources: resources } }], {
    pets: '',
    guard: '',
  });
  const assembly = loadAssembly(directory);
  remove();
  const clock = { now: Date.UTC(2026, 10, 20, 12) };
  const invoked: { name: string; event: ProxyEvent }[] = [];
  const plan = assembly.ofType('AWS::ApiGateway::UsagePlan')[0]?.physicalId ?? 'none';
  const key = { id: 'k1', enabled: true, usagePlanIds: [plan] };
  const keys = new Map([
    [goodKey, key],
    ['disabled', { ...key, id: 'k2', enabled: false }],
    ['planless', { ...key, id: 'k3', usagePlanIds: [] }],
  ]);
  const invoke: InvokeIntegration = async (functionArn, payload) => {
    const name = functionArn.includes('Guard') ? 'guard' : 'pets';
    const event = JSON.parse(payload) as ProxyEvent;
    invoked.push({ name, event });
    const run = behaviour[name] ?? (name === 'guard' ? welcoming : () => ({ statusCode: 200, body: 'ok' }));
    try {
      return { payload: JSON.stringify(await run(event)) ?? 'null' };
    } catch (error) {
      if (!(error instanceof FunctionFails)) throw error;
      const failure = { errorType: error.errorType, errorMessage: error.message };
      return { payload: JSON.stringify(failure), functionError: 'Unhandled' };
    }
  };
  const apiKeys = createApiKeys(keys);
  const accessLog: AccessLogLine[] = [];
  const gateway = createGateway({
    assembly,
    invoke,
    apiKeys,
    now: () => clock.now,
    accessLog: (group, timestamp, line) => accessLog.push({ group, timestamp, line }),
  });
  return {
    clock,
    accessLog,
    invoked,
    gateway,
    async call(target: string, options: CallOptions = {}) {
      const { answer, refusal, resourcePath } = await gateway.answer(request(target, options));
      const header = (name: string) =>
        answer.headers.findLast(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
      return {
        status: answer.statusCode,
        header,
        body: answer.body.toString(),
        raw: answer,
        refusal,
        resourcePath,
      };
    },
  };
}

export interface CallOptions {
  readonly method?: string;
  readonly host?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer;
}

/** Headers of a caller with a subscription key and a token. */
export const identified = [
  ['X-Pet-Key', 'k'],
  ['authorization', 'Bearer t'],
] as const;

function request(target: string, options: CallOptions): GatewayRequest {
  const [path = '', query = ''] = target.split('?');
  return {
    requestId: '00000000-0000-4000-8000-000000000001',
    extendedRequestId: 'extended=',
    traceId: 'Root=1-1-1',
    method: options.method ?? 'GET',
    host: options.host ?? 'pets.localhost',
    port: 8080,
    path,
    query,
    headers: [['Host', 'pets.localhost:8080'], ...(options.headers ?? [])],
    body: typeof options.body === 'object' ? options.body : Buffer.from(options.body ?? ''),
    sourceIp: '127.0.0.1',
    receivedAt: Date.UTC(2026, 10, 20, 12),
  };
}
