import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { labeledValues } from '../../lambdas/fhir/labels/resource-label.ts';
import { createRecordLabeling } from '../../lambdas/fhir/store/label-writes.ts';
import { resourceChangeWrites } from '../../lambdas/fhir/store/resource-writes.ts';
import type { LoadedResource } from '../../lambdas/loads/ingest/ingest-ports.ts';
import type { Table } from '../../lambdas/platform/table/table.ts';

/** Stores resources of a patient with their index entries, as a load does. */
export async function storeResources(
  table: Table,
  lob: LineOfBusiness,
  patientId: string,
  resources: readonly LoadedResource[],
): Promise<void> {
  const most = 20;
  for (let at = 0; at < resources.length; at += most) {
    const puts = resources.slice(at, at + most).map((resource) => {
      const values = JSON.stringify(labeledValues(JSON.parse(resource.json)));
      return { kind: 'put', resource, values, isNew: true } as const;
    });
    const [labels] = await createRecordLabeling(table, lob).plan([{ patientId, puts }]);
    await table.transact(
      puts.flatMap((put) => [
        ...resourceChangeWrites({ lob, patientId }, put),
        ...(labels?.with(put.resource) ?? []),
      ]),
    );
  }
}
