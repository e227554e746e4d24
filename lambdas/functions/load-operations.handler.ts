/** Handler of `load-operations`, invoked by the operator's CLI and hourly by a schedule: shows and changes loads, and finds late drops. */

import { S3Client } from '@aws-sdk/client-s3';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { createDropBucket } from '../aws/drop-bucket.ts';
import { carryOutLoadOperation } from '../loads/load-operations.ts';
import { systemClock } from '../runtime/clock.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { guardInvocation } from '../runtime/invocation.ts';
import { consoleLog } from '../runtime/log.ts';
import { sdkRetries } from '../runtime/sdk-retries.ts';
import { createLoadLedger } from '../storage/loads/load-ledger.ts';
import { createSdkTable } from '../table/sdk-table.ts';

const { tableName, ingestBucket, loadStateMachine } = readEnvironment([
  'tableName',
  'ingestBucket',
  'loadStateMachine',
]);
const states = new SFNClient({ retryStrategy: sdkRetries });

const deps = {
  ledger: createLoadLedger(createSdkTable({ tableName })),
  bucket: createDropBucket(new S3Client({ retryStrategy: sdkRetries }), ingestBucket),
  bucketName: ingestBucket,
  now: systemClock,
  start: async (input: object) => {
    await states.send(
      new StartExecutionCommand({ stateMachineArn: loadStateMachine, input: JSON.stringify(input) }),
    );
  },
  reportLate: (lob: string) => consoleLog('error', 'load_late', { lob }),
};

/** Answers the operator's CLI about loads, and looks every hour who is late; invoked directly and by a schedule. */
export const handler = guardInvocation('load-operations', (payload) => carryOutLoadOperation(deps, payload));
