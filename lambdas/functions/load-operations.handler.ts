/** Handler of `load-operations`, invoked by the operator's CLI and hourly by a schedule: shows and changes loads, and finds late drops. */

import { S3Client } from '@aws-sdk/client-s3';
import {
  DescribeExecutionCommand,
  ExecutionDoesNotExist,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { createDropBucket } from '../aws/drop-bucket.ts';
import { carryOutLoadOperation } from '../loads/load-operations.ts';
import { sweepLoads } from '../loads/sweep-loads.ts';
import { systemClock } from '../runtime/clock.ts';
import { digests } from '../runtime/digests.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { guardInvocation } from '../runtime/invocation.ts';
import { consoleLog } from '../runtime/log.ts';
import { sdkRetries } from '../runtime/sdk-retries.ts';
import { createLoadLedger } from '../storage/loads/load-ledger.ts';
import { backgroundPatience } from '../table/background-patience.ts';
import { createSdkTable } from '../table/sdk-table.ts';

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
    // An execution's history is kept for 90 days.
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

/** Answers the operator's CLI about loads, and looks every hour who is late; invoked directly and by a schedule. */
export const handler = guardInvocation('load-operations', (payload) => carryOutLoadOperation(deps, payload));
