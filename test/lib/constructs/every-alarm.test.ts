import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { portal } from '../../../lib/config/portal.ts';
import { production } from '../../../lib/config/production.ts';
import { sandbox } from '../../../lib/config/sandbox.ts';
import { deployTemplates } from '../../../local/assembly/deployment.ts';
import { type Assembly, assemblyOf, type Resource } from '../../../local/assembly/resources.ts';
import { declaredTables } from '../../../local/aws/dynamodb/tables.ts';
import { dynamoDbThrottle } from '../../../local/aws/dynamodb/throttling.ts';
import { openState } from '../../../local/aws/protocol/state.ts';
import { objectStore } from '../../../local/aws/s3/object-store.ts';
import { executions } from '../../../local/aws/step-functions/executions.ts';
import { type CloudWatch, cloudWatch } from '../../../local/cloudwatch/cloudwatch.ts';
import { objectEvents } from '../../../local/events/object-events.ts';
import { createApiKeys } from '../../../local/gateway/api-keys.ts';
import { createGateway, type Gateway } from '../../../local/gateway/gateway.ts';
import { asynchronousInvocations } from '../../../local/lambda/asynchronous-invocations.ts';
import type { InvokeFunction } from '../../../local/lambda/invocation.ts';
import { createLambda, FunctionThrottled } from '../../../local/lambda/pool.ts';
import { limitsOf } from '../../../local/limits/limits.ts';
import { synthesizeApp } from '../synthesized-app.ts';

const accounts: Readonly<Record<string, string>> = {
  sandbox: sandbox.account,
  production: production.account,
  portal: portal.account,
};

const clock = { now: Date.UTC(2026, 10, 24, 2) };
const now = () => clock.now;
const folder = mkdtempSync(join(tmpdir(), 'alarms-'));
const ends: (() => Promise<void> | void)[] = [];
let assembly: Assembly;
let gateway: Gateway;
/** Invokes the functions behind the hosts. */
let answers: InvokeFunction;
/** CloudWatch with the alarm under test, to which the running code publishes its metrics. */
let watch: CloudWatch;
const publish: CloudWatch['publish'] = (...metric) => watch.publish(...metric);

beforeAll(() => {
  const stacks = [...synthesizeApp()].map(([path, template]) => {
    const environment = path.split('/')[0] ?? '';
    return {
      name: path.replace('/', '-'),
      environment,
      account: accounts[environment] ?? '',
      region: 'us-east-1',
      template,
    };
  });
  const { resources, outputs } = deployTemplates(stacks);
  assembly = assemblyOf(resources, outputs);
  gateway = createGateway({
    assembly,
    invoke: async (arn, payload) => ({ payload: (await answers(arn, payload)).payload }),
    apiKeys: createApiKeys(),
    now,
    accessLog: (logGroup, _timestamp, line) => watch.logged(logGroup, line),
    publish,
  });
});
afterAll(async () => {
  for (const end of ends) await end();
  rmSync(folder, { recursive: true, force: true });
});

interface Alarm {
  readonly name: string;
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly namespace: string;
  readonly threshold: number;
  readonly ms: number;
  readonly periods: number;
}

type Stat = { readonly Metric: Resource['properties']; readonly Period: number };

function alarmOf({ stack, logicalId, properties }: Resource): Alarm {
  const stats = (properties.Metrics as readonly { readonly MetricStat?: Stat }[] | undefined)?.flatMap(
    ({ MetricStat }) => MetricStat ?? [],
  );
  const { Namespace, MetricName, Dimensions = [] } = stats?.[0]?.Metric ?? properties;
  return {
    name: `${stack}/${logicalId}`,
    namespace: String(Namespace),
    metric: String(MetricName),
    dimensions: Object.fromEntries(
      (Dimensions as readonly { readonly Name: string; readonly Value: string }[]).map((each) => [
        each.Name,
        each.Value,
      ]),
    ),
    threshold: Number(properties.Threshold),
    ms: 1_000 * Number(properties.Period ?? stats?.[0]?.Period),
    periods: Number(properties.EvaluationPeriods),
  };
}

type Invoke = (event: object) => Promise<unknown>;
const lambdas = new Map<string, Invoke>();

/** A function of the templates, or its alias (`name:live`); the event says whether its code fails. Its thread is started once. */
function lambdaOf(resource: string): Invoke {
  const started = lambdas.get(resource) ?? startLambda(resource);
  lambdas.set(resource, started);
  return started;
}

function startLambda(resource: string): Invoke {
  const [name = '', alias] = resource.split(':');
  const arn = `arn:aws:lambda:us-east-1:123456789012:function:${name}`;
  const aliases =
    alias === undefined ? [] : [{ arn: `${arn}:${alias}`, name: alias, functionArn: arn, version: '1' }];
  writeFileSync(
    join(folder, 'index.cjs'),
    `exports.handler = async ({ log, fail, hold }) => {
      if (log !== undefined) console.log(log);
      if (hold) await new Promise((resolve) => setTimeout(resolve, 50));
      if (fail) throw new Error('out of order');
    };`,
  );
  const lambda = createLambda({
    functions: [
      {
        ...{
          name,
          arn,
          roleArn: '',
          region: 'us-east-1',
        },
        ...{ codePath: folder, handler: 'index.handler', timeoutSeconds: 10, memoryMb: 128 },
        ...{ reservedConcurrency: 1, environment: {}, isBackground: false, accessKeyId: 'ASIA' },
      },
    ],
    aliases,
    endpoints: () => ({ endpoint: 'http://127.0.0.1:1', dynamoDbEndpoint: 'http://127.0.0.1:1' }),
    log(functionName, line) {
      watch.logged(watch.logGroupOf(functionName), line);
      printed.push(line);
    },
    publish,
  });
  ends.push(lambda.stop);
  return (event: object) => lambda.invokeWithinConcurrency(aliases[0]?.arn ?? name, JSON.stringify(event));
}

/** A public route of an API: method, path, and, for the portal's API, the endpoint that CloudFront calls. */
function publicRoute(apiName: string) {
  const api = assembly
    .ofType('AWS::ApiGateway::RestApi')
    .find(({ properties }) => properties.Name === apiName);
  const route = assembly
    .ofType('AWS::ApiGateway::Method')
    .find(
      ({ properties: { RestApiId, AuthorizationType, ApiKeyRequired, Integration } }) =>
        RestApiId === api?.physicalId &&
        AuthorizationType === 'NONE' &&
        ApiKeyRequired !== true &&
        (Integration as { readonly Type?: unknown }).Type === 'AWS_PROXY',
    );
  const pathOf = (id: unknown): string => {
    const resource = assembly.byPhysicalId(String(id), 'AWS::ApiGateway::Resource');
    if (resource === undefined) return '';
    return `${pathOf(resource.properties.ParentId)}/${String(resource.properties.PathPart).replace(/^\{.*\}$/, 'x')}`;
  };
  return {
    method: String(route?.properties.HttpMethod),
    path: pathOf(route?.properties.ResourceId) || '/',
    endpoint: `${api?.physicalId}.execute-api.us-east-1.amazonaws.com`,
  };
}

/**
 * Calls a host with this function behind it.
 *
 * @returns the last answer.
 */
async function call(name: string, functionAnswers: InvokeFunction, times: number) {
  answers = functionAnswers;
  const { method, endpoint, ...route } = publicRoute(name);
  const isHost = gateway.hosts.some((each) => each.name === name);
  const [host, path] = isHost ? [name, route.path] : [endpoint, `/portal${route.path}`];
  const request = {
    ...{ requestId: 'r', extendedRequestId: 'e', traceId: 't', host, port: 443, path, query: '' },
    ...{
      method: method === 'ANY' ? 'GET' : method,
      headers: [],
      body: Buffer.alloc(0),
      sourceIp: '127.0.0.1',
    },
  };
  const made = [];
  for (let count = 0; count < times; count += 1)
    made.push(await gateway.answer({ ...request, receivedAt: now() }));
  return made.at(-1)?.answer;
}

const answering =
  (statusCode: number): InvokeFunction =>
  async () => ({ payload: JSON.stringify({ statusCode, body: '' }) });

const throttling: InvokeFunction = async (arn) => {
  throw new FunctionThrottled(arn);
};

const failing: InvokeFunction = async () => ({
  payload: JSON.stringify({ errorType: 'Error', errorMessage: 'out of order' }),
  functionError: 'Unhandled',
});

/** Runs `work` and advances the timers by this many days. */
async function whileTimePasses(days: number, work: () => unknown): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await work();
    await vi.advanceTimersByTimeAsync(days * 86_400_000);
  } finally {
    vi.useRealTimers();
  }
}

/** Reads or writes one partition of a table or an index until ten calls are throttled. */
function crowd(
  { TableName = '', GlobalSecondaryIndexName: index }: Readonly<Record<string, string>>,
  isRead: boolean,
): void {
  const tables = declaredTables(assembly);
  const limits = limitsOf('aws');
  const table = [...tables.values()].find(({ name }) => name === TableName);
  if (limits === undefined || table === undefined) throw new Error(`there is no table ${TableName}`);
  const throttle = dynamoDbThrottle(tables, limits, now, publish);
  const indexes = (table.properties.GlobalSecondaryIndexes ?? []) as readonly {
    readonly IndexName: string;
    readonly KeySchema: readonly { readonly AttributeName: string }[];
  }[];
  const keys = (indexes.find(({ IndexName }) => IndexName === index)?.KeySchema ?? []).map(
    ({ AttributeName }) => AttributeName,
  );
  const ofIndex = Object.fromEntries(keys.map((key) => [key, { S: 'same' }]));
  let throttled = 0;
  for (let count = 0; throttled < 10 && count < 3_000; count += 1) {
    const input = isRead
      ? {
          ...{ TableName, ConsistentRead: index === undefined },
          ...(index === undefined ? {} : { IndexName: index }),
          KeyConditionExpression: `${keys[0] ?? 'pk'} = :key`,
          ExpressionAttributeValues: { ':key': { S: 'same' } },
        }
      : {
          TableName,
          Item: {
            pk: { S: index === undefined ? 'same' : `p${count}` },
            sk: { S: 's' },
            ...ofIndex,
          },
        };
    try {
      throttle(isRead ? 'Query' : 'PutItem', input).answered(40_000_000);
    } catch {
      throttled += 1;
    }
  }
}

const eventsOf = (invoke: InvokeFunction) =>
  asynchronousInvocations({ invoke, log: () => {}, afterwards: '', now, publish });

const job = { jobId: 'j', expiresAt: new Date(clock.now).toISOString() };

function machinesOf(invoke: InvokeFunction) {
  const kept = state();
  const objects = objectStore(kept, join(folder, 's3'), now);
  return executions({ assembly, state: kept, objects, invoke, now, log: () => {}, publish });
}

const state = () => {
  const opened = openState(mkdtempSync(join(folder, 'state-')));
  ends.push(() => opened.close());
  return opened;
};

/**
 * For each metric a function that causes the fault it counts, with the code of the local system. `published` is used where a comment says
 * why that is not possible.
 */
const faults: Readonly<Record<string, (alarm: Alarm) => unknown>> = {
  'AWS/Lambda Errors': async (alarm) => {
    const { name, threshold, dimensions } = alarm;
    const { FunctionName = '', Resource = FunctionName } = dimensions;
    // Each alias is a thread that takes a tenth of a second to start, so that only those of two stacks are called.
    if (Resource !== FunctionName && !/^sandbox-(LobDSNP|Authorization)/.test(name)) return published(alarm);
    const invoke = lambdaOf(Resource);
    for (let count = 0; count < threshold; count += 1) await invoke({ fail: true });
  },
  // The fault is that the function is not called.
  'AWS/Lambda Invocations': () => {},
  'AWS/Lambda Throttles': async ({ threshold }) => {
    const invoke = lambdaOf('busy');
    const calls = Array.from({ length: threshold + 1 }, () => invoke({ hold: true }));
    expect((await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected')).toHaveLength(
      threshold,
    );
  },
  'AWS/Lambda AsyncEventsDropped': ({ dimensions: { FunctionName = '' } }) =>
    whileTimePasses(1, () =>
      eventsOf(failing).send(`arn:aws:lambda:us-east-1:1:function:${FunctionName}`, '{}'),
    ),
  'AWS/Lambda AsyncEventAge': async ({ dimensions: { FunctionName = '' }, threshold }) => {
    let tries = 0;
    const busyOnce: InvokeFunction = async (arn) => {
      tries += 1;
      if (tries > 1) return { payload: '{}' };
      clock.now += threshold;
      throw new FunctionThrottled(arn);
    };
    await whileTimePasses(1, () =>
      eventsOf(busyOnce).send(`arn:aws:lambda:us-east-1:1:function:${FunctionName}`, '{}'),
    );
  },
  'AWS/ApiGateway 5XXError': ({ dimensions: { ApiName = '' } }) => call(ApiName, throttling, 6),
  'AWS/ApiGateway Latency': ({ dimensions: { ApiName = '' } }) =>
    call(
      ApiName,
      async (...asked) => {
        clock.now += 3_001;
        return await answering(200)(...asked);
      },
      1,
    ),
  'AWS/DynamoDB ReadThrottleEvents': ({ dimensions }) => crowd(dimensions, true),
  'AWS/DynamoDB WriteThrottleEvents': ({ dimensions }) => crowd(dimensions, false),
  'AWS/States ExecutionsFailed': ({ dimensions: { StateMachineArn = '' } }) =>
    // Steps are retried, the last one for days.
    whileTimePasses(20, () => machinesOf(failing).start(StateMachineArn, JSON.stringify(job))),
  'AWS/States ExecutionsAborted': ({ dimensions: { StateMachineArn = '' } }) => {
    const machines = machinesOf(async () => await new Promise<never>(() => {}));
    const started = machines.start(StateMachineArn, JSON.stringify(job));
    expect(machines.abort(started?.executionArn ?? '')).toBe(true);
    expect(machines.describe(started?.executionArn ?? '')?.status).toBe('ABORTED');
  },
  'AWS/Events FailedInvocations': (alarm) => {
    const rule = assembly.byPhysicalId(alarm.dimensions.RuleName ?? '', 'AWS::Events::Rule');
    // The local system does not start without the function that a schedule calls, so this failure is only published.
    if (rule?.properties.EventPattern === undefined) return published(alarm);
    const refuse = () => {
      throw new Error('Step Functions does not answer');
    };
    const created = objectEvents(assembly, refuse, now, undefined, publish);
    const buckets = assembly.ofType('AWS::S3::Bucket').map(({ physicalId }) => physicalId);
    const object = {
      key: 'DSNP/source/drop/manifest.json',
      versionId: 'v',
      bytes: 1,
      etag: '"e"',
      contentType: '',
      lastModified: now(),
    };
    for (const bucket of buckets) created({ ...object, bucket }, 'PutObject');
  },
  // The state machines have no timeout of their own; AWS ends an execution after a year.
  'AWS/States ExecutionsTimedOut': published,
  // Step Functions repeats a throttled start by itself.
  'AWS/States ExecutionThrottled': published,
  // The local system makes no backups.
  'AWS/Backup NumberOfBackupJobsFailed': published,
  // The alarm rings at 800 concurrent executions, more threads than one machine runs.
  'AWS/Lambda ConcurrentExecutions': published,
};

function published({ namespace, metric, dimensions, threshold }: Alarm): void {
  publish(namespace, metric, dimensions, threshold);
}

/** Lines that the functions logged. */
const printed: string[] = [];

/**
 * Causes the lines that a metric filter counts: in an access log, answers of the host with the status; in a function's log, lines with the
 * code, logged by that function.
 */
async function writeLines({ namespace, metric, threshold }: Alarm): Promise<void> {
  const filter = assembly
    .ofType('AWS::Logs::MetricFilter')
    .find(({ properties: { MetricTransformations } }) => {
      const [made] = MetricTransformations as readonly {
        readonly MetricNamespace: string;
        readonly MetricName: string;
      }[];
      return made?.MetricNamespace === namespace && made.MetricName === metric;
    });
  const stages = assembly.ofType('AWS::ApiGateway::Stage');
  const stage = stages.find(({ properties: { AccessLogSetting } }) =>
    JSON.stringify(AccessLogSetting).includes(`:${String(filter?.properties.LogGroupName)}"`),
  );
  if (stage !== undefined) {
    const api = assembly.byPhysicalId(String(stage.properties.RestApiId), 'AWS::ApiGateway::RestApi');
    await call(String(api?.properties.Name), answering(429), threshold);
    return;
  }
  const writer = assembly
    .ofType('AWS::Lambda::Function')
    .find(
      ({ properties: { LoggingConfig } }) =>
        (LoggingConfig as { readonly LogGroup?: string } | undefined)?.LogGroup ===
        filter?.properties.LogGroupName,
    );
  const terms = String(filter?.properties.FilterPattern).slice(1, -1).split('" "');
  const invoke = lambdaOf(writer?.physicalId ?? 'none');
  const counted = () => printed.filter((line) => terms.every((term) => line.includes(term))).length;
  const expected = counted() + threshold;
  for (let count = 0; count < threshold; count += 1)
    await invoke({ log: JSON.stringify({ level: 'error', code: terms.join(' ') }) });
  // Lines of a function's log arrive a moment after its answer, so the clock stands until those of the period have arrived.
  await expect.poll(counted).toBe(expected);
}

const told: string[] = [];
const stateOf = (alarm: Alarm) => {
  watch.evaluate();
  return watch.alarms().find(({ name }) => name === alarm.name)?.state;
};

/** Expects the alarm to ring during the fault and to stop after it. */
async function ringsAndFallsSilent(alarm: Alarm, fault: (alarm: Alarm) => unknown): Promise<void> {
  told.length = 0;
  watch = cloudWatch({ assembly, now, tell: (line) => told.push(line) });
  expect(stateOf(alarm), alarm.name).not.toBe('ALARM');
  for (let period = 0; period < alarm.periods; period += 1) {
    clock.now += alarm.ms;
    await fault(alarm);
  }
  expect(stateOf(alarm), alarm.name).toBe('ALARM');
  expect(told.join('\n')).toContain(`${alarm.name} rings: `);
  clock.now += alarm.ms * alarm.periods + 1_000;
  if (alarm.metric === 'Invocations') await lambdaOf(alarm.dimensions.FunctionName ?? '')({});
  expect(stateOf(alarm), alarm.name).toBe('OK');
  expect(told).toContain(`alarm: ${alarm.name} is silent again`);
}

describe('each alarm of the templates rings and falls silent', () => {
  const all = () => assembly.ofType('AWS::CloudWatch::Alarm').map(alarmOf);
  const isCounted = ({ namespace }: Alarm) => namespace.startsWith('MemberData/');

  it.each(Object.entries(faults))('by its fault: %s', async (metric, fault) => {
    const found = all().filter((alarm) => `${alarm.namespace} ${alarm.metric}` === metric);
    expect(found.length).toBeGreaterThan(0);
    for (const alarm of found) await ringsAndFallsSilent(alarm, fault);
  });

  it('by a line in a log, where a metric filter counts it', async () => {
    const found = all().filter(isCounted);
    expect(found.length).toBeGreaterThan(20);
    for (const alarm of found) await ringsAndFallsSilent(alarm, writeLines);
  });

  it('and none is without a fault here', () => {
    const metrics = all()
      .filter((alarm) => !isCounted(alarm))
      .map(({ namespace, metric }) => `${namespace} ${metric}`);
    expect([...new Set(metrics)].sort()).toEqual(Object.keys(faults).sort());
  });
});

describe('a function that Lambda throttles', () => {
  it.each([
    ['a FHIR host', 'dsnp.api.', /^\{"resourceType":"OperationOutcome".*"code":"transient"/],
    ['the token host', 'token.', /^\{"error":"temporarily_unavailable"/],
    ['the authorization host', 'auth.', /^\{"error":"temporarily_unavailable"/],
  ])('is answered by %s with 503 and Retry-After, in its own form of errors', async (_host, start, body) => {
    watch = cloudWatch({ assembly, now, tell: () => {} });
    const names = gateway.hosts.map(({ name }) => name).filter((name) => name.startsWith(start));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const answer = await call(name, throttling, 1);
      expect(answer?.statusCode).toBe(503);
      expect(Object.fromEntries(answer?.headers ?? [])['Retry-After']).toBe('1');
      expect(String(answer?.body)).toMatch(body);
    }
  });

  it('is answered so by the portal', async () => {
    watch = cloudWatch({ assembly, now, tell: () => {} });
    const answer = await call(portal.hostname, throttling, 1);
    expect(answer?.statusCode).toBe(503);
    expect(Object.fromEntries(answer?.headers ?? [])['Retry-After']).toBe('1');
    expect(JSON.parse(String(answer?.body))).toMatchObject({
      status: 503,
      code: 'unavailable',
      retryAfter: 1,
    });
  });
});
