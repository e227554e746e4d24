import { randomUUID } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import { createDropBucket } from '../../../lambdas/loads/aws/drop-bucket.ts';
import { carryOutLoadOperation } from '../../../lambdas/loads/course/load-operations.ts';
import { loadRange, type RangeItem } from '../../../lambdas/loads/course/load-range.ts';
import { carryOutLoadStep } from '../../../lambdas/loads/course/load-steps.ts';
import { loadStep } from '../../../lambdas/loads/course/load-steps-contract.ts';
import type { Load } from '../../../lambdas/loads/ledger/load.ts';
import { createLoadLedger } from '../../../lambdas/loads/store/load-ledger.ts';
import { sdkRetries } from '../../../lambdas/platform/runtime/sdk-retries.ts';
import type { Table } from '../../../lambdas/platform/table/table.ts';
import { loadDefinition } from '../../../lib/loads/load-definition.ts';
import { assemblyOf } from '../../../local/assembly/resources.ts';
import { readDefinition } from '../../../local/aws/step-functions/definition.ts';
import { interpret, TaskFailed } from '../../../local/aws/step-functions/interpreter.ts';
import { resource } from '../../local/aws/declarations.ts';
import { started } from '../../local/aws/started.ts';
import { type BreakableTable, startBreakableTable } from '../../support/breakable-table.ts';
import { type FaultyProxy, startFaultyProxy } from '../../support/faulty-proxy.ts';
import { loadServices } from '../../support/load-services.ts';

/**
 * Faults of Step Functions. `lost`: the call is not made. `answer-lost`: the call is made, and its answer is lost. `stopped`: the execution
 * ends at the call.
 */
export type StepFault = 'lost' | 'answer-lost' | 'stopped';

/** The calls of Step Functions to functions and to S3, with the faults planned for them. */
interface StepFaults {
  plan(...faults: readonly (StepFault | 'none')[]): void;
  /** Number of calls since the last plan. */
  count(): number;
}

export interface LoadMachine {
  readonly dynamoDb: BreakableTable;
  readonly s3: FaultyProxy;
  readonly steps: StepFaults;
  /** The ingest bucket without faults. */
  readonly bucket: ReturnType<typeof createDropBucket>;
  /**
   * Runs an execution to its end.
   *
   * @returns whether it succeeded
   */
  execute(input: object): Promise<boolean>;
  /** The loads of DSNP, newest first. */
  loads(): Promise<readonly Load[]>;
  /** Carries out an operator's request without faults, including the execution that a retry starts. */
  operate(request: object): Promise<unknown>;
  stop(): Promise<void>;
}

const bucketName = 'ingest';

/**
 * Runs the functions of a load with the definition of the state machine, in one process. Proxies break the calls to the table and to the
 * bucket, and Step Functions has failures of its own. There are no waits between attempts.
 */
export async function startLoadMachine(): Promise<LoadMachine> {
  const [dynamoDb, aws] = await Promise.all([
    startBreakableTable(),
    started({
      assembly: assemblyOf([resource('AWS::S3::Bucket', 'Ingest', {}, { physicalId: bucketName })]),
    }),
  ]);
  const s3 = await startFaultyProxy(aws.endpoint);
  const client = (endpoint: string) =>
    createDropBucket(
      new S3Client({
        ...aws.asOperator,
        endpoint,
        forcePathStyle: true,
        retryStrategy: sdkRetries,
        // A function that waits longer runs into its timeout.
        requestHandler: { requestTimeout: 1_000, throwOnRequestTimeout: true },
      }),
      bucketName,
    );
  const [bucket, breakable] = [client(aws.endpoint), client(s3.endpoint)];
  const functions = loadFunctions(dynamoDb.breakable, breakable);
  const definition = readDefinition(
    JSON.stringify(loadDefinition({ ...arns, bucket: bucketName })),
    'the state machine of loads',
  );
  let planned: (StepFault | 'none')[] = [];
  let calls = 0;

  async function execute(input: object): Promise<boolean> {
    let isStopped = false;
    const called = async <T>(call: () => Promise<T>): Promise<T> => {
      calls += 1;
      const fault = planned.shift() ?? 'none';
      isStopped ||= fault === 'stopped';
      if (isStopped || fault === 'lost') throw new TaskFailed('Lambda.TooManyRequestsException', 'broken');
      const answer = await call();
      if (fault === 'answer-lost') throw new TaskFailed('Lambda.SdkClientException', 'broken');
      return answer;
    };
    const deps = {
      invoke: (name: string, payload: string) =>
        called(async () => {
          try {
            return JSON.stringify(await functions(name, JSON.parse(payload)));
          } catch (error) {
            throw new TaskFailed(error instanceof Error ? error.name : 'Error', String(error));
          }
        }),
      readObject: (_bucket: string, key: string) =>
        called(async () => {
          const text = await bucket.readText(key);
          if (text === undefined) throw new TaskFailed('States.ItemReaderFailed', 'there is no such object');
          return text;
        }),
      checkDistributed: () => {},
      sleep: async () => {},
      isEnding: () => isStopped,
      now: Date.now,
    };
    try {
      const context = { Execution: { Id: `execution:${randomUUID()}` } };
      await interpret(deps, definition, input, context);
      return true;
    } catch (error) {
      if (error instanceof TaskFailed || isStopped) return false;
      throw error;
    }
  }

  const ledger = createLoadLedger(dynamoDb.table);
  const operations = {
    ledger,
    bucket,
    bucketName,
    now: Date.now,
    start: async (input: object) => void (await execute(input)),
    reportLate: () => {},
    sweep: async () => ({ kind: 'swept', started: [], ended: [], unnamed: [] }) as const,
  };
  return {
    dynamoDb,
    s3,
    bucket,
    steps: {
      plan(...faults) {
        planned = [...faults];
        calls = 0;
      },
      count: () => calls,
    },
    execute,
    loads: async () => (await ledger.loads('DSNP', 5)).loads,
    operate: (request) => carryOutLoadOperation(operations, request),
    async stop() {
      await s3.stop();
      await aws.stopAndForget();
      await dynamoDb.stop();
    },
  };
}

const arn = (name: string) => `arn:aws:lambda:us-east-1:123456789012:function:${name}`;
const arns = {
  steps: arn('load-steps'),
  range: arn('load-range'),
  directoryBuild: arn('directory-build'),
};

/** The two functions of a load, composed as in their handlers. */
function loadFunctions(table: Table, bucket: ReturnType<typeof createDropBucket>) {
  const { steps, ranges } = loadServices(table, bucket, { rangeBytes: 900, toleratedPercent: 50 });
  return (name: string, payload: unknown): Promise<unknown> =>
    name === arns.steps
      ? carryOutLoadStep(steps, loadStep.parse(payload))
      : loadRange(ranges, payload as RangeItem);
}
