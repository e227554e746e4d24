import { createHash, randomUUID } from 'node:crypto';
import { labeledValues } from '../../lambdas/fhir/labels/resource-label.ts';
import type { LoadRangeDeps } from '../../lambdas/loads/course/load-range.ts';
import type { LoadStepsDeps } from '../../lambdas/loads/course/load-steps.ts';
import type { DropBucket } from '../../lambdas/loads/ledger/drops.ts';
import { createDirectoryStore } from '../../lambdas/loads/store/directory-store.ts';
import { createLoadLedger } from '../../lambdas/loads/store/load-ledger.ts';
import { createLoadStore } from '../../lambdas/loads/store/load-store.ts';
import { createContactEnvelopes } from '../../lambdas/platform/aws/contact-envelopes.ts';
import { digests } from '../../lambdas/platform/runtime/digests.ts';
import type { Table } from '../../lambdas/platform/table/table.ts';
import { memoryDataKeys } from './memory-data-keys.ts';

/** The services of a load's two functions, over a table and a bucket, with encryption keys in memory instead of KMS. */
export function loadServices(
  table: Table,
  bucket: DropBucket,
  options: {
    readonly rangeBytes?: number;
    readonly toleratedPercent?: number;
    readonly now?: () => number;
    /**
     * A client of the table for the ledger, so that its calls are not counted with the store's.
     *
     * @default `table`
     */
    readonly ledgerTable?: Table;
  } = {},
): { readonly steps: LoadStepsDeps; readonly ranges: LoadRangeDeps } {
  const { rangeBytes = 8 * 1024 * 1024, toleratedPercent = 0, now = Date.now, ledgerTable = table } = options;
  const ledger = createLoadLedger(ledgerTable);
  const searchValues = (resource: unknown) => JSON.stringify(labeledValues(resource));
  return {
    steps: {
      ledger,
      bucket,
      now,
      rangeBytes,
      rangesAtOnce: 12,
      sha256: digests.sha256Hex,
      sha256Stream: () => {
        const hash = createHash('sha256');
        return { push: (chunk) => void hash.update(chunk), end: () => hash.digest('hex') };
      },
      toleratedPercent: () => toleratedPercent,
      report: () => {},
    },
    ranges: {
      ledger,
      bucket,
      now,
      directory: createDirectoryStore(table),
      store: createLoadStore(table, {
        environment: 'sandbox',
        now,
        uuid: randomUUID,
        sealContact: createContactEnvelopes(memoryDataKeys, now).seal,
        searchValues,
      }),
      searchValues,
      digest: digests.sha256Base64Url,
      rules: '1',
    },
  };
}
