/** Handler of `payer-jobs`, invoked by the state machine of a LOB's asynchronous jobs: admits a job, carries out its parts, and ends it. */

import { S3Client } from '@aws-sdk/client-s3';
import { createPatientCompartment } from '../fhir/store/resource-store.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { digests } from '../platform/runtime/digests.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { backgroundPatience } from '../platform/table/background-patience.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { createJobFiles } from './aws/job-bucket.ts';
import { createGroupExport } from './export/group-export.ts';
import { carryOutJobStep } from './jobs/job-steps.ts';
import { jobStep } from './jobs/job-steps-contract.ts';
import { createBulkMatch } from './match/bulk-match.ts';
import { createJobStore } from './store/job-store.ts';
import { createBulkMatchQuota, createMatchLimits } from './store/match-limits.ts';
import { createPayerGrants } from './store/payer-grants.ts';
import { createPayerGroups } from './store/payer-groups.ts';
import { createMatchStore } from './store/payer-matches.ts';

const {
  tableName,
  environment,
  lineOfBusiness: lob,
  jobBucket,
} = readEnvironment(['tableName', 'environment', 'lineOfBusiness', 'jobBucket']);
const now = systemClock;
const table = createSignedTable({ tableName, patience: backgroundPatience });
const files = createJobFiles(new S3Client({ retryStrategy: sdkRetries }), jobBucket, lob);
const matching = {
  store: createMatchStore(table, { lob, environment, now, uuid: systemRandom.uuid }),
  limits: createMatchLimits(table, lob, undefined),
  sha256: digests.sha256Hex,
  now,
};
const reports = {
  reportMember: (code: string, fields: object) => consoleLog('error', code, { lob, ...fields }),
};
const deps = {
  store: createJobStore(table, lob),
  files,
  works: {
    export: createGroupExport({
      ...reports,
      files,
      now,
      payers: matching.store,
      grants: createPayerGrants(table, { lob, environment, now, uuid: systemRandom.uuid }),
      compartment: createPatientCompartment(table, lob),
    }),
    'member-match': createBulkMatch({
      ...reports,
      matching,
      files,
      lob,
      quota: createBulkMatchQuota(table, lob),
      groups: createPayerGroups(table, lob, now),
    }),
  },
  now,
  report: (code: string, fields: object) => consoleLog('error', code, { lob, ...fields }),
};

/**
 * Carries out one step of an asynchronous job. Called by the state machine of the LOB's jobs. Reads the records of its LOB; writes grants
 * of matches, groups, jobs and their files, and audit events.
 */
export const handler = guardInvocation('payer-jobs', (payload) =>
  carryOutJobStep(deps, jobStep.parse(payload)),
);
