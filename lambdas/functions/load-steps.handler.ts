/** Handler of `load-steps`, invoked by the load's state machine: starts a load, scans its files, and ends it. */

import { createHash } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import { createDropBucket } from '../aws/drop-bucket.ts';
import { carryOutLoadStep } from '../loads/load-steps.ts';
import { loadStep } from '../loads/load-steps-contract.ts';
import { systemClock } from '../runtime/clock.ts';
import { digests } from '../runtime/digests.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { guardInvocation } from '../runtime/invocation.ts';
import { consoleLog } from '../runtime/log.ts';
import { sdkRetries } from '../runtime/sdk-retries.ts';
import { createLoadLedger } from '../storage/loads/load-ledger.ts';
import { backgroundPatience } from '../table/background-patience.ts';
import { createSdkTable } from '../table/sdk-table.ts';

const { tableName, ingestBucket, loadRangeBytes, loadRangesAtOnce, toleratedFailurePercent } =
  readEnvironment([
    'tableName',
    'ingestBucket',
    'loadRangeBytes',
    'loadRangesAtOnce',
    'toleratedFailurePercent',
  ]);

const deps = {
  ledger: createLoadLedger(createSdkTable({ tableName, patience: backgroundPatience })),
  bucket: createDropBucket(new S3Client({ retryStrategy: sdkRetries }), ingestBucket),
  rangeBytes: loadRangeBytes,
  rangesAtOnce: loadRangesAtOnce,
  now: systemClock,
  sha256: digests.sha256Hex,
  sha256Stream: () => {
    const hash = createHash('sha256');
    return { push: (chunk: Uint8Array) => void hash.update(chunk), end: () => hash.digest('hex') };
  },
  toleratedPercent: (lob: keyof typeof toleratedFailurePercent) => toleratedFailurePercent[lob] ?? 0,
  report: (code: string, lob: string) => consoleLog('error', code, { lob }),
};

/** Accepts a drop, plans its ranges, and reports what became of it; invoked by the state machine of loads. */
export const handler = guardInvocation('load-steps', (payload) =>
  carryOutLoadStep(deps, loadStep.parse(payload)),
);
