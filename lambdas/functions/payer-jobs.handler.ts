/** Handler of `payer-jobs`, invoked by the state machine of a LOB's asynchronous jobs: admits a job, carries out its parts, and ends it. */

import { S3Client } from '@aws-sdk/client-s3';
import { createJobFiles } from '../aws/job-bucket.ts';
import { carryOutJobStep } from '../fhir/jobs/job-steps.ts';
import { jobStep } from '../fhir/jobs/job-steps-contract.ts';
import { createBulkMatch } from '../fhir/payer/bulk-match.ts';
import { createGroupExport } from '../fhir/payer/group-export.ts';
import { systemClock } from '../runtime/clock.ts';
import { digests } from '../runtime/digests.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { guardInvocation } from '../runtime/invocation.ts';
import { consoleLog } from '../runtime/log.ts';
import { systemRandom } from '../runtime/random.ts';
import { sdkRetries } from '../runtime/sdk-retries.ts';
import { createJobStore } from '../storage/payer/job-store.ts';
import { createBulkMatchQuota, createMatchLimits } from '../storage/payer/match-limits.ts';
import { createPayerGrants } from '../storage/payer/payer-grants.ts';
import { createPayerGroups } from '../storage/payer/payer-groups.ts';
import { createMatchStore } from '../storage/payer/payer-matches.ts';
import { createPatientCompartment } from '../storage/resources/resource-store.ts';
import { backgroundPatience } from '../table/background-patience.ts';
import { createSignedTable } from '../table/signed-table.ts';

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
      ...{ ...reports, files, now, payers: matching.store },
      grants: createPayerGrants(table, { lob, environment, now, uuid: systemRandom.uuid }),
      compartment: createPatientCompartment(table, lob),
    }),
    'member-match': createBulkMatch({
      ...{ ...reports, matching, files, lob },
      quota: createBulkMatchQuota(table, lob),
      groups: createPayerGroups(table, lob, now),
    }),
  },
  now,
  report: (code: string, fields: object) => consoleLog('error', code, { lob, ...fields }),
};

/** Carries out a step of a job; invoked by the state machine of jobs. */
export const handler = guardInvocation('payer-jobs', (payload) =>
  carryOutJobStep(deps, jobStep.parse(payload)),
);
