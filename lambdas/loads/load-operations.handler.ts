/** Handler of `load-operations`, invoked by the operator's CLI and hourly by a schedule: shows and changes loads, and finds late drops. */

import { S3Client } from '@aws-sdk/client-s3';
import {
  DescribeExecutionCommand,
  ExecutionDoesNotExist,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { systemClock } from '../platform/runtime/clock.ts';
import { digests } from '../platform/runtime/digests.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { backgroundPatience } from '../platform/table/background-patience.ts';
import { createSdkTable } from '../platform/table/sdk-table.ts';
import { createDropBucket } from './aws/drop-bucket.ts';
import { carryOutLoadOperation } from './course/load-operations.ts';
import { sweepLoads } from './course/sweep-loads.ts';
import { createLoadLedger } from './store/load-ledger.ts';

const { tableName, ingestBucket, loadStateMachine } = readEnvironment([
  'tableName',
  'ingestBucket',
  'loadStateMachine',
]);
const states = new SFNClient({ retryStrategy: sdkRetries });

const loads = {
  ledger: createLoadLedger(createSdkTable({ tableName, patience: backgroundPatience })),
  bucket: createDropBucket(new S3Client({ retryStrategy: sdkRetries }), ingestBucket),
  now: systemClock,
  start: async (input: object) => {
    await states.send(
      new StartExecutionCommand({ stateMachineArn: loadStateMachine, input: JSON.stringify(input) }),
    );
  },
};

async function isRunning(executionArn: string): Promise<boolean> {
  try {
    return (await states.send(new DescribeExecutionCommand({ executionArn }))).status === 'RUNNING';
  } catch (error) {
    // Step Functions deletes an execution's history after 90 days.
    if (error instanceof ExecutionDoesNotExist) return false;
    throw error;
  }
}

const sweeping = {
  ...loads,
  isRunning,
  sha256: digests.sha256Hex,
  report: (code: string, lob: string) => consoleLog('error', code, { lob }),
};
const deps = {
  ...loads,
  bucketName: ingestBucket,
  sweep: () => sweepLoads(sweeping),
  reportLate: (lob: string) => consoleLog('error', 'load_late', { lob }),
};

/**
 * Shows and changes loads, finds late sources, and starts drops without a load. Called by the operator's CLI, and every hour by a schedule.
 * Reads the ledger, manifests and reports; no member's record.
 */
export const handler = guardInvocation('load-operations', (payload) => carryOutLoadOperation(deps, payload));
