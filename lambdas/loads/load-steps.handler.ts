/** Handler of `load-steps`, invoked by the load's state machine: starts a load, scans its files, and ends it. */

import { createHash } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import { systemClock } from '../platform/runtime/clock.ts';
import { digests } from '../platform/runtime/digests.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { backgroundPatience } from '../platform/table/background-patience.ts';
import { createSdkTable } from '../platform/table/sdk-table.ts';
import { createDropBucket } from './aws/drop-bucket.ts';
import { carryOutLoadStep } from './course/load-steps.ts';
import { loadStep } from './course/load-steps-contract.ts';
import { createLoadLedger } from './store/load-ledger.ts';

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

/**
 * Accepts a drop, plans its ranges, and reports what became of it. Called by the state machine of loads. Reads the drop's files; writes the
 * ledger and the report; no member's record.
 */
export const handler = guardInvocation('load-steps', (payload) =>
  carryOutLoadStep(deps, loadStep.parse(payload)),
);
