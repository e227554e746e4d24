import { gunzipSync } from 'node:zlib';
import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { vi } from 'vitest';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { jobLimits } from '../../../lambdas/catalog/payer/job-kinds.ts';
import type { ApiHandler } from '../../../lambdas/platform/http/pipeline.ts';
import type { DirectInvocation } from '../../../lambdas/platform/runtime/invocation.ts';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import type { Table } from '../../../lambdas/platform/table/table.ts';
import {
  applicationKey,
  memberIdKey,
  patientResourceKey,
} from '../../../lambdas/platform/table/table-keys.ts';
import { jobDefinition } from '../../../lib/payer-access/job-definition.ts';
import { readDefinition } from '../../../local/aws/step-functions/definition.ts';
import { interpret, TaskFailed } from '../../../local/aws/step-functions/interpreter.ts';
import { functionEnvironment, gatewayEvent } from '../../fhir/gateway-event.ts';
import { mockClient } from '../../support/client-doubles.ts';
import { startTestEngine } from '../../support/engine.ts';
import { type MemoryBucket, memoryBucket } from '../../support/memory-bucket.ts';
import { organization, patient } from '../match-samples.ts';

/** Payer Access of DSNP with its jobs: both functions, the definition of the state machine, a table and a bucket. */
export interface JobsWorld {
  readonly table: Table;
  readonly bucket: MemoryBucket;
  /** Calls Payer Access as an application. */
  call(asked: Asked): Promise<APIGatewayProxyResult>;
  /** Invokes the function of the state machine. */
  readonly steps: DirectInvocation<unknown>;
  /** Runs the started executions one after another, each until it waits for the job's expiry. */
  run(): Promise<void>;
  /** Runs the started executions side by side, with a function that refuses invocations beyond its concurrency. */
  runAtOnce(): Promise<void>;
  /** IDs of the jobs whose executions were started. */
  readonly executions: readonly string[];
  /**
   * Decides for each call of Step Functions, and each of its invocations, whether it fails: throws to fail it, or returns `answer-lost` to
   * carry it out and then fail it.
   */
  fault: (call: 'start' | 'step') => 'answer-lost' | undefined;
  /** Ends the wait of an execution for the job's expiry. */
  expire(jobId: string): Promise<void>;
  /** Loads a new member. */
  member(at?: LineOfBusiness): Promise<{ readonly id: string; readonly memberId: string }>;
  /** Keys of the objects with a prefix. */
  keys(prefix?: string): readonly string[];
  text(key: string): string;
  stop(): Promise<void>;
}

export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly authorizer?: Readonly<Record<string, string>>;
  /** The function that is called. @default that of DSNP */
  readonly handler?: ApiHandler;
}

const context = {
  clientId: 'payer-1',
  products: 'payer-access',
  scope: 'sandbox-resource/.default system/*.rs',
  tokenExpiresAt: '4000000000',
};

/**
 * @param reach wraps the table's endpoint, for example by a proxy.
 * @returns the endpoint that the functions call
 */
export async function startJobsWorld(
  reach: (endpoint: string) => Promise<string> = async (endpoint) => endpoint,
): Promise<JobsWorld> {
  const engine = await startTestEngine();
  const table = createSignedTable(engine);
  const endpoint = await reach(engine.endpoint);
  for (const [name, value] of Object.entries(functionEnvironment(endpoint, engine.tableName))) {
    vi.stubEnv(name, value);
  }
  vi.spyOn(console, 'log').mockImplementation(() => {});
  const bucket = memoryBucket();
  const started: { readonly jobId: string; readonly expiresAt: string }[] = [];
  const executions: string[] = [];
  mockClient(SFNClient)
    .on(StartExecutionCommand)
    .callsFake(({ input }) => {
      const fault = world.fault('start');
      started.push(JSON.parse(input));
      executions.push(JSON.parse(input).jobId);
      if (fault !== undefined) throw new Error('the answer is lost');
      return {};
    })
    // The state in which the sweep finds executions.
    .on(DescribeExecutionCommand)
    .callsFake(() => ({ status: 'ABORTED' }));
  const [{ handler }, { handler: steps }] = await Promise.all([
    import('../../../lambdas/payer-access/payer-access.handler.ts') as Promise<{ handler: ApiHandler }>,
    import('../../../lambdas/payer-access/payer-jobs.handler.ts'),
  ]);
  const application = { state: 'active', products: ['payer-access'], meteringKey: 'm' };
  const others = [{ ...organization[0], value: '9876543210' }];
  await table.put({
    ...applicationKey('DSNP', 'payer-1'),
    ...application,
    clientId: 'payer-1',
    organization,
  });
  await table.put({
    ...applicationKey('DSNP', 'payer-2'),
    ...application,
    clientId: 'payer-2',
    organization: others,
  });
  const definition = readDefinition(
    JSON.stringify(jobDefinition('arn:aws:lambda:us-east-1:111111111111:function:jobs')),
    'the definition of jobs',
  );
  let members = 0;
  let calls = 0;
  const keys = (prefix = 'DSNP/') =>
    [...bucket.objects.keys()].filter((key) => key.startsWith(prefix)).sort();

  const invoke = async (payload: string): Promise<string> => {
    try {
      const fault = world.fault('step');
      const answer = JSON.stringify(await steps(JSON.parse(payload)));
      if (fault !== undefined) throw new Error('the answer is lost');
      return answer;
    } catch (error) {
      throw new TaskFailed('Error', String(error));
    }
  };

  const execute = async (input: object, invoked: (payload: string) => Promise<string>): Promise<void> => {
    let waits = false;
    const ended = interpret(
      {
        invoke: async (_functionArn, payload) => await invoked(payload),
        readObject: () => '[]',
        checkDistributed: () => {},
        // Waits are a thousand times shorter. The wait for the job's expiry is skipped.
        sleep: async (ms) => {
          waits = ms > 3_600_000;
          if (!waits) await new Promise((resolve) => setTimeout(resolve, ms / 1_000));
        },
        now: Date.now,
        isEnding: () => waits,
      },
      definition,
      input,
      {},
    );
    await ended.catch((error: Error) => {
      if (error.name !== 'Interrupted') throw error;
    });
  };

  const world: JobsWorld = {
    table,
    bucket,
    steps,
    executions,
    fault: () => undefined,
    async call({ method = 'GET', path, body, query, headers, authorizer, handler: called = handler }) {
      const event = gatewayEvent({
        resource: '/extfhirpayeraccess/v1/{proxy+}',
        method,
        ...(body !== undefined && { body }),
        ...(query !== undefined && { query }),
        headers: { 'Content-Type': 'application/fhir+json', ...headers },
        authorizer: { ...context, ...authorizer },
      });
      calls += 1;
      const requestContext = { ...event.requestContext, requestId: `gateway-request-${calls}` };
      return await called({ ...event, requestContext, pathParameters: { proxy: path } });
    },
    async run() {
      for (const input of started.splice(0)) await execute(input, invoke);
    },
    async runAtOnce() {
      let busy = 0;
      const refusing = async (payload: string) => {
        if (busy >= jobLimits.partsAtOnce)
          throw new TaskFailed('Lambda.TooManyRequestsException', 'Rate Exceeded.');
        busy += 1;
        try {
          return await invoke(payload);
        } finally {
          busy -= 1;
        }
      };
      await Promise.all(started.splice(0).map((input) => execute(input, refusing)));
    },
    async expire(jobId) {
      await steps({ step: 'expire', jobId });
    },
    async member(at = 'DSNP') {
      members += 1;
      const [id, memberId] = [`patient-${members}`, `MEMBER${members}`];
      const identifier = [
        { type: { coding: [{ code: 'MB' }] }, system: 'http://plan.example.org', value: memberId },
      ];
      await table.put({ ...memberIdKey(at, memberId), patientId: id });
      await table.put({
        ...patientResourceKey(at, id, 'Patient', id),
        json: JSON.stringify({ ...patient, id, identifier }),
        ...{ versionId: '1', lastUpdated: '2026-11-20T10:00:00Z' },
      });
      return { id, memberId };
    },
    keys,
    text: (key) => gunzipSync(bucket.objects.get(key) ?? new Uint8Array()).toString('utf8'),
    async stop() {
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
      await engine.stop();
    },
  };
  return world;
}
