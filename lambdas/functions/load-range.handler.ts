/** Handler of `load-range`, invoked by the load's state machine: loads the rows of one range of a file. */

import { createHash } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import { createContactEnvelopes } from '../aws/contact-envelopes.ts';
import { createDataKeys } from '../aws/data-keys.ts';
import { createDropBucket } from '../aws/drop-bucket.ts';
import { patientAccessResources } from '../catalog/fhir/fhir-resources.ts';
import { lineOfBusinessCodes } from '../catalog/lines-of-business.ts';
import { labeledValues } from '../fhir/labels/resource-label.ts';
import { loadRange } from '../loads/load-range.ts';
import { systemClock } from '../runtime/clock.ts';
import { digests } from '../runtime/digests.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { guardInvocation } from '../runtime/invocation.ts';
import { systemRandom } from '../runtime/random.ts';
import { sdkRetries } from '../runtime/sdk-retries.ts';
import { createDirectoryStore } from '../storage/directory/directory-store.ts';
import { createLoadLedger } from '../storage/loads/load-ledger.ts';
import { createLoadStore } from '../storage/loads/load-store.ts';
import { indexForm } from '../storage/resources/search-index.ts';
import { backgroundPatience } from '../table/background-patience.ts';
import { createSignedTable } from '../table/signed-table.ts';

const { environment, tableName, ingestBucket, contactKeyId } = readEnvironment([
  'environment',
  'tableName',
  'ingestBucket',
  'contactKeyId',
]);

/**
 * Raise it when search values change for the same table of search parameters, or labels for the same codes: resources have the new ones after
 * their next load.
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

/** Loads one range of a file of a drop; invoked by the state machine of loads, many at once. */
export const handler = guardInvocation('load-range', (payload) => loadRange(deps, rangeItem.parse(payload)));
