/** Makes the writes of a resource, its entry and its search index, for one transaction. */

import { longestAnswer } from '../../catalog/fhir/fhir-resources.ts';
import type { ResourceName } from '../../catalog/fhir/resource-name.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { putItems } from '../../platform/table/dynamodb-table.ts';
import type { Key } from '../../platform/table/key.ts';
import { setAttributes } from '../../platform/table/merge-attribute-changes.ts';
import type { Item, Write } from '../../platform/table/table.ts';
import { patientEntryKey, patientResourceKey } from '../../platform/table/table-keys.ts';
import type { SearchValues } from '../values/values.ts';
import { indexForm, indexRemovals, indexWrites } from './search-index.ts';
import { digestOfValues, encodeResource, encodeValues } from './stored-resource.ts';

/**
 * Limits of a load's transactions, below DynamoDB's 100 items and 4 MB: an audit event and a link fit in too, and the transaction ends
 * within the second that a store call may take.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
export const transactionLimits = { items: 98, bytes: 1_000_000 } as const;

/** Most bytes of an item (DynamoDB Developer Guide, "Service quotas"). */
const longestItem = 400 * 1024;

interface WrittenResource extends ResourceName {
  readonly versionId: string;
  readonly lastUpdated: string;
  readonly json: string;
  readonly fhirJson?: string | undefined;
}

/**
 * A change of a resource and its entry. `replaces` is the version that must still be stored. `values` are serialized `SearchValues`;
 * without a label in them, the resource is stored as unlabeled and no read returns it.
 */
export type ResourceWrite =
  | {
      readonly kind: 'put';
      readonly resource: WrittenResource;
      readonly values: string;
      readonly replaces?: { readonly versionId: string } | undefined;
    }
  | { readonly kind: 'values'; readonly resource: WrittenResource; readonly values: string }
  | {
      readonly kind: 'remove';
      readonly resource: ResourceName;
      readonly replaces: { readonly versionId: string };
    };

/** The keys of a resource's item and of its entry's. */
export function resourceKeys(
  lob: LineOfBusiness,
  patientId: string,
  { resourceType, id }: ResourceName,
): [Key, Key] {
  return [
    patientResourceKey(lob, patientId, resourceType, id),
    patientEntryKey(lob, patientId, resourceType, id),
  ];
}

/**
 * The writes of a resource, its entry and its index attributes. They belong in one transaction, so that searches always find exactly the
 * stored resources.
 *
 * @param mark further attributes of the entry.
 */
export function resourceChangeWrites(
  { lob, patientId }: { readonly lob: LineOfBusiness; readonly patientId: string },
  change: ResourceWrite,
  mark: Item = {},
): Write[] {
  const [resourceKey, entryKey] = resourceKeys(lob, patientId, change.resource);
  if (change.kind === 'remove') {
    return [
      { delete: resourceKey, condition: ifStill(change.replaces.versionId) },
      { delete: entryKey },
      ...indexRemovals({ lob, patientId }, change.resource),
    ];
  }
  const { versionId, lastUpdated } = change.resource;
  const isNew = change.kind === 'put' && change.replaces === undefined;
  const values = JSON.parse(change.values) as SearchValues;
  const { writes: index, isWhole } = indexWrites({ lob, patientId }, change.resource, values, isNew);
  const entry = {
    put: {
      ...entryKey,
      versionId,
      lastUpdated,
      index: indexForm,
      valuesDigest: digestOfValues(change.values),
      ...(isWhole ? {} : encodeValues(change.values)),
      ...mark,
    },
  };
  const labeled = values.label !== undefined;
  if (change.kind === 'values') {
    const update = {
      key: resourceKey,
      expression: 'SET labeled = :labeled',
      condition: 'versionId = :replaced',
      values: { ':labeled': labeled, ':replaced': versionId },
    };
    return [{ update }, entry, ...index];
  }
  const condition =
    change.replaces === undefined
      ? { expression: 'attribute_not_exists(pk)' }
      : ifStill(change.replaces.versionId);
  return [
    {
      put: { ...resourceKey, ...encodeResource(change.resource), labeled, versionId, lastUpdated },
      condition,
    },
    entry,
    ...index,
  ];
}

function ifStill(versionId: string) {
  return { expression: 'versionId = :replaced', values: { ':replaced': versionId } };
}

/** Characters of text that surely fit into an item: UTF-8 takes at most three bytes for each, and keys are small. */
const surelyShort = 100_000;

/** Whether a resource and its entry surely fit into the table, so that no item has to be built and measured. */
export function areShort(json: string, values: string): boolean {
  return json.length + values.length <= surelyShort;
}

/** Whether each rendition of a resource fits into a Lambda function's response. */
export function isSendable({ json, fhirJson }: Pick<WrittenResource, 'json' | 'fhirJson'>): boolean {
  return [json, fhirJson ?? ''].every(
    (text) => text.length <= surelyShort || Buffer.byteLength(JSON.stringify(text)) <= longestAnswer,
  );
}

/** Whether each item that is put fits into the table. */
export function areStorable(writes: readonly Write[]): boolean {
  return putItems(writes).every((item) => itemBytes(item) <= longestItem);
}

/** Bytes of the attributes that the writes put and set. */
export function writeBytes(writes: readonly Write[]): number {
  return [...putItems(writes), ...setAttributes(writes)].reduce((sum, item) => sum + itemBytes(item), 0);
}

/**
 * Size of an item as DynamoDB counts it: attribute names and values (texts and binaries).
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
function itemBytes(item: Item): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) =>
      sum + name.length + (value instanceof Uint8Array ? value.byteLength : Buffer.byteLength(String(value))),
    0,
  );
}
