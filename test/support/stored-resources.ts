import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { searchValues } from '../../lambdas/fhir/search/values.ts';
import type { LoadedResource } from '../../lambdas/members/ingest.ts';
import { resourceChangeWrites } from '../../lambdas/storage/resources/resource-writes.ts';
import type { Table } from '../../lambdas/table/table.ts';

/** Stores resources of a patient with what a search reads of them, as a load does. */
export async function storeResources(
  table: Table,
  lob: LineOfBusiness,
  patientId: string,
  resources: readonly LoadedResource[],
): Promise<void> {
  const most = 20;
  for (let at = 0; at < resources.length; at += most) {
    const writes = resources.slice(at, at + most).flatMap((resource) => {
      const values = JSON.stringify(searchValues(JSON.parse(resource.json)));
      return resourceChangeWrites({ lob, patientId }, { kind: 'put', resource, values });
    });
    await table.transact(writes);
  }
}
