/** Handler of `directory-operations`, invoked by the operator's CLI: shows builds of the directory, and starts one. */

import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { createSdkTable } from '../platform/table/sdk-table.ts';
import { createPublicationBucket } from './aws/publication-bucket.ts';
import { carryOutDirectoryOperation } from './build/directory-operations.ts';
import { createDirectoryBuilds } from './store/directory-builds.ts';

const { tableName, publicationBucket, directoryBuildFunction } = readEnvironment([
  'tableName',
  'publicationBucket',
  'directoryBuildFunction',
]);
const functions = new LambdaClient({ retryStrategy: sdkRetries });

const deps = {
  builds: createDirectoryBuilds(createSdkTable({ tableName })),
  bucket: createPublicationBucket(new S3Client({ retryStrategy: sdkRetries }), publicationBucket),
  bucketName: publicationBucket,
  start: async (request: object) => {
    await functions.send(
      new InvokeCommand({
        FunctionName: directoryBuildFunction,
        InvocationType: 'Event',
        Payload: JSON.stringify(request),
      }),
    );
  },
};

/**
 * Answers operators about publications of the Provider Directory. Called by the operator's CLI. Reads builds and publications, and starts
 * `directory-build`.
 */
export const handler = guardInvocation('directory-operations', (payload) =>
  carryOutDirectoryOperation(deps, payload),
);
