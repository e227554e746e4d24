/**
 * Makes the clients of the job bucket and the jobs' state machine. A file of its own, because both are loaded with the first request for a
 * job (`bin/bundle.ts`).
 */

import { S3Client } from '@aws-sdk/client-s3';
import { SFNClient } from '@aws-sdk/client-sfn';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { sdkRetries } from '../../platform/runtime/sdk-retries.ts';
import type { PayerJobServices } from '../jobs/job-ports.ts';
import { createJobExecutions, createJobFiles } from './job-bucket.ts';

export function connectJobServices(options: {
  readonly lob: LineOfBusiness;
  readonly jobBucket: string;
  /** ARN of the state machine. */
  readonly jobStateMachine: string;
}): PayerJobServices {
  return {
    files: createJobFiles(new S3Client({ retryStrategy: sdkRetries }), options.jobBucket, options.lob),
    machine: createJobExecutions(new SFNClient({ retryStrategy: sdkRetries }), options.jobStateMachine),
  };
}
