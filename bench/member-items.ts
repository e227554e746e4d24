import { nameOf } from '../lambdas/catalog/fhir/resource-name.ts';
import type { LineOfBusiness } from '../lambdas/catalog/lines-of-business.ts';
import { labelChanges } from '../lambdas/fhir/labels/label-changes.ts';
import { labeledValues } from '../lambdas/fhir/labels/resource-label.ts';
import { encodeLabel, labelAttribute } from '../lambdas/fhir/store/record-labels.ts';
import { resourceChangeWrites } from '../lambdas/fhir/store/resource-writes.ts';
import type { Label } from '../lambdas/fhir/values/label.ts';
import { aboutName } from '../lambdas/fhir/values/values.ts';
import type { LoadedResource } from '../lambdas/loads/ingest/ingest-ports.ts';
import type { Key } from '../lambdas/platform/table/key.ts';
import { mergeAttributeChanges } from '../lambdas/platform/table/merge-attribute-changes.ts';
import type { Item, Write } from '../lambdas/platform/table/table.ts';
import { patientLabelsKey } from '../lambdas/platform/table/table-keys.ts';

/** Returns the items that a load leaves in the table for a new member, to be written without running a load. */
export function memberItems(
  lob: LineOfBusiness,
  patientId: string,
  resources: readonly LoadedResource[],
): readonly (Item & Key)[] {
  const valued = resources.map((resource) => ({
    resource,
    values: labeledValues(JSON.parse(resource.json)),
  }));
  const writes = [
    ...valued.flatMap(({ resource, values }) =>
      resourceChangeWrites({ lob, patientId }, { kind: 'put', resource, values: JSON.stringify(values) }),
    ),
    ...labelWrites(lob, patientId, valued),
  ];
  return mergeAttributeChanges(writes).writes.flatMap((write) => {
    if ('put' in write) return [write.put];
    return 'attributes' in write ? [{ ...write.attributes.key, ...write.attributes.set }] : [];
  });
}

function labelWrites(
  lob: LineOfBusiness,
  patientId: string,
  valued: readonly { readonly resource: LoadedResource; readonly values: ReturnType<typeof labeledValues> }[],
): readonly Write[] {
  const puts = valued.map(({ resource, values: { label, references } }) => ({
    name: nameOf(resource),
    label,
    about: references[aboutName] ?? [],
  }));
  const labels = [...labelChanges(new Map(), puts, new Map())].filter(
    (change): change is [string, Label] => change[1] !== undefined,
  );
  if (labels.length === 0) return [];
  const set = Object.fromEntries(labels.map(([name, label]) => [labelAttribute(name), encodeLabel(label)]));
  return [{ attributes: { key: patientLabelsKey(lob, patientId), set, remove: [] } }];
}
