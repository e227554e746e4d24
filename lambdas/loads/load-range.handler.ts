/** Handler of `load-range`, invoked by the load's state machine: loads the rows of one range of a file. */

import { createHash } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import { patientAccessResources } from '../catalog/fhir/fhir-resources.ts';
import { lineOfBusinessCodes } from '../catalog/lines-of-business.ts';
import { labeledValues } from '../fhir/labels/resource-label.ts';
import { indexForm } from '../fhir/store/search-index.ts';
import { createContactEnvelopes } from '../platform/aws/contact-envelopes.ts';
import { createDataKeys } from '../platform/aws/data-keys.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { digests } from '../platform/runtime/digests.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { backgroundPatience } from '../platform/table/background-patience.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { createDropBucket } from './aws/drop-bucket.ts';
import { loadRange } from './course/load-range.ts';
import { createDirectoryStore } from './store/directory-store.ts';
import { createLoadLedger } from './store/load-ledger.ts';
import { createLoadStore } from './store/load-store.ts';

const { environment, tableName, ingestBucket, contactKeyId } = readEnvironment([
  'environment',
  'tableName',
  'ingestBucket',
  'contactKeyId',
]);

/**
 * Increase this number when the code makes other search values from the same table of search parameters, or other labels from the same
 * codes. Resources then get new values with their next load.
 */
const searchValuesVersion = 3;

const table = createSignedTable({ tableName, patience: backgroundPatience });
const envelopes = createContactEnvelopes(createDataKeys(contactKeyId), systemClock);
const searchValues = (resource: unknown) => JSON.stringify(labeledValues(resource));
const deps = {
  ledger: createLoadLedger(table),
  directory: createDirectoryStore(table),
  bucket: createDropBucket(new S3Client({ retryStrategy: sdkRetries }), ingestBucket),
  store: createLoadStore(table, {
    environment,
    now: systemClock,
    uuid: systemRandom.uuid,
    sealContact: envelopes.seal,
    searchValues,
  }),
  searchValues,
  digest: (text: string) => createHash('sha256').update(text).digest('base64url'),
  rules: digests
    .sha256Base64Url(JSON.stringify([searchValuesVersion, indexForm, patientAccessResources]))
    .slice(0, 8),
  now: systemClock,
};

const rangeItem = z.strictObject({
  lob: z.enum(lineOfBusinessCodes),
  jobId: z.string(),
  file: z.int(),
  range: z.int(),
  look: z.int(),
  early: z.optional(z.int()),
});

/**
 * Loads the rows of one range of a file. Called by the state machine of loads, many ranges at the same time. Writes members' records and
 * directory rows, ends grants that a row takes the ground from; changes no user.
 */
export const handler = guardInvocation('load-range', (payload) => loadRange(deps, rangeItem.parse(payload)));
