/** Handler of `directory-build`, invoked by the state machine of loads and by operators: publishes a LOB's directory. */

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { fhirBase } from '../catalog/addresses.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { backgroundPatience } from '../platform/table/background-patience.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { createPublicationBucket } from './aws/publication-bucket.ts';
import { directoryBuildRequest } from './build/directory-operations-contract.ts';
import { type PublishDeps, publishDirectory } from './build/publish-directory.ts';
import { createBuiltFile } from './sqlite/publication-disk.ts';
import { publishFiles } from './sqlite/publish-files.ts';
import { createDirectoryBuilds } from './store/directory-builds.ts';
import { directoryTexts } from './store/directory-texts.ts';

const { tableName, publicationBucket, toleratedLossPercent, authOrigin, tokenOrigin, apiOriginTemplate } =
  readEnvironment([
    'tableName',
    'publicationBucket',
    'toleratedLossPercent',
    'authOrigin',
    'tokenOrigin',
    'apiOriginTemplate',
  ]);
const origins = { auth: authOrigin, token: tokenOrigin, apiTemplate: apiOriginTemplate };
const table = createSignedTable({ tableName, patience: backgroundPatience });
const folder = join(tmpdir(), 'directory-build');

const bucket = createPublicationBucket(new S3Client({ retryStrategy: sdkRetries }), publicationBucket);

const deps: PublishDeps = {
  builds: createDirectoryBuilds(table),
  bucket,
  texts: (lob: Parameters<typeof directoryTexts>[1], type: string) => directoryTexts(table, lob, type),
  createFile: (id: string) => createBuiltFile(folder, id),
  publishFiles: (lob, built, previous) =>
    publishFiles({
      bucket,
      folder,
      lob,
      base: fhirBase(origins, lob, 'provider-directory'),
      previous,
      ...built,
    }),
  toleratedLoss: toleratedLossPercent / 100,
  now: systemClock,
  uuid: systemRandom.uuid,
  report: (code: string, lob: string, reason: string) => consoleLog('error', code, { lob, reason }),
};

/**
 * Builds what is loaded into a publication, and switches to it unless the build is refused. Called by the state machine of loads and by
 * `directory-operations`. Reads the directory's rows; writes the bucket of publications.
 */
export const handler = guardInvocation('directory-build', (payload) =>
  publishDirectory(deps, directoryBuildRequest.parse(payload)),
);
