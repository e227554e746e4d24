import type { LineOfBusiness } from '../lambdas/catalog/lines-of-business.ts';
import { labeledValues } from '../lambdas/fhir/labels/resource-label.ts';
import type { LoadedResource } from '../lambdas/members/ingest.ts';
import { resourceChangeWrites } from '../lambdas/storage/resources/resource-writes.ts';
import type { Key } from '../lambdas/table/key.ts';
import { mergeAttributeChanges } from '../lambdas/table/merge-attribute-changes.ts';
import type { Item } from '../lambdas/table/table.ts';

/** The items of a member that is new in the table: those a load's transactions leave there, to be put as they are. */
export function memberItems(
  lob: LineOfBusiness,
  patientId: string,
  resources: readonly LoadedResource[],
): readonly (Item & Key)[] {
  const writes = resources.flatMap((resource) => {
    const values = JSON.stringify(labeledValues(JSON.parse(resource.json)));
    return resourceChangeWrites({ lob, patientId }, { kind: 'put', resource, values });
  });
  return mergeAttributeChanges(writes).writes.flatMap((write) => {
    if ('put' in write) return [write.put];
    return 'attributes' in write ? [{ ...write.attributes.key, ...write.attributes.set }] : [];
  });
}
