/** Writes the labels of a record in the same transactions as the labeled resources. */

import { nameOf, type ResourceName } from '../../catalog/fhir/resource-name.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { queryAll } from '../../platform/table/query-all.ts';
import type { Table, Write } from '../../platform/table/table.ts';
import {
  patientEntryKey,
  patientIndexPrefix,
  patientLabelsKey,
  patientPartition,
} from '../../platform/table/table-keys.ts';
import { isGrowing, type LabelChanges, type LabeledPut, labelChanges } from '../labels/label-changes.ts';
import { type AboutNames, spreadLabels } from '../labels/label-growth.ts';
import type { RecordLabels } from '../values/label.ts';
import { aboutName, type SearchValues } from '../values/values.ts';
import { decodeLabels, encodeLabel, labelAttribute } from './record-labels.ts';
import { readReferences } from './search-index.ts';
import { decodeValues } from './stored-resource.ts';

/** A resource that is about to be written. */
export interface ValuedPut {
  readonly resource: ResourceName;
  /** Serialized `SearchValues`. */
  readonly values: string;
  /** Whether no resource with this name is stored yet. */
  readonly isNew: boolean;
}

/** The label writes that accompany the puts of one record. */
export interface LabelWrites {
  /** The write of a resource's own label, for the transaction that puts the resource. */
  readonly with: (resource: ResourceName) => readonly Write[];
  /** Writes of labels of stored resources that inherit a category from these puts, for the transaction of the first put. */
  readonly others: readonly Write[];
  /** Whether labels may depend on resources that a concurrent load writes; `settle` has to check them after the write. */
  readonly isRelated: boolean;
}

const keysInRead = 100;

/** Plans and checks the labels of the records of a LOB. */
export function createRecordLabeling(table: Table, lob: LineOfBusiness) {
  /** Plans the label writes that accompany these puts, from the stored labels. */
  async function plan(
    records: readonly { readonly patientId: string; readonly puts: readonly ValuedPut[] }[],
  ): Promise<readonly LabelWrites[]> {
    const labeled = records.map(({ patientId, puts }) => ({ patientId, puts: puts.flatMap(labeledPut) }));
    const asked = labeled.filter(({ puts }) => puts.some(needsLabels)).map(({ patientId }) => patientId);
    const stored = await readLabels(asked);
    return await Promise.all(
      labeled.map(async ({ patientId, puts }) => {
        const labels = stored.get(patientId) ?? new Map();
        const changes = labelChanges(labels, puts, new Map());
        const replaced = new Set(puts.filter(({ isNew }) => !isNew).map(({ name }) => name));
        // A new resource can't change stored labels, because no stored resource refers to it yet.
        const grows = isGrowing(labels, new Map([...changes].filter(([name]) => replaced.has(name))));
        const all = grows ? labelChanges(labels, puts, await aboutOf(patientId)) : changes;
        const isRelated = grows || puts.some(({ about }) => about.length > 0);
        return { ...writesOf(patientId, puts, all), isRelated };
      }),
    );
  }

  async function readLabels(patientIds: readonly string[]): Promise<ReadonlyMap<string, RecordLabels>> {
    const found = new Map<string, RecordLabels>();
    for (let from = 0; from < patientIds.length; from += keysInRead) {
      const page = patientIds.slice(from, from + keysInRead);
      const items = await table.batchGet(page.map((patientId) => patientLabelsKey(lob, patientId)));
      for (const [at, patientId] of page.entries()) found.set(patientId, decodeLabels(items[at]));
    }
    return found;
  }

  /** For each stored resource of a record, the names of the resources it is about. */
  async function aboutOf(patientId: string): Promise<AboutNames> {
    const links = await queryAll(table, patientPartition(lob, patientId), patientIndexPrefix('LINKS'));
    const { references, elsewhere } = readReferences(patientId, links, aboutName);
    const about = new Map(references);
    for (const name of elsewhere) {
      const entry = await table.get(patientEntryKey(lob, patientId, name.resourceType, name.id));
      if (entry === undefined) continue;
      const values = JSON.parse(decodeValues(entry)) as SearchValues;
      about.set(nameOf(name), values.references[aboutName] ?? []);
    }
    return about;
  }

  function writesOf(
    patientId: string,
    puts: readonly StoredPut[],
    changes: LabelChanges,
  ): Pick<LabelWrites, 'with' | 'others'> {
    const write = (names: readonly string[]): readonly Write[] => {
      const changed = names.filter((name) => changes.has(name));
      if (changed.length === 0) return [];
      const set: Record<string, string> = {};
      const remove: string[] = [];
      for (const name of changed) {
        const label = changes.get(name);
        if (label === undefined) remove.push(labelAttribute(name));
        else set[labelAttribute(name)] = encodeLabel(label);
      }
      return [{ attributes: { key: patientLabelsKey(lob, patientId), set, remove } }];
    };
    const own = new Set(puts.map(({ name }) => name));
    return {
      with: (resource) => write([nameOf(resource)]),
      others: write([...changes.keys()].filter((name) => !own.has(name))),
    };
  }

  /**
   * Checks the labels of records after a write. Two concurrent loads don't see each other's resources, so an inherited category may be
   * missing; it is added here.
   *
   * @param event makes the audit event of a record's update.
   */
  async function settle(patientIds: readonly string[], event: (patientId: string) => Write): Promise<void> {
    const stored = await readLabels(patientIds);
    for (const [patientId, labels] of stored) {
      if (labels.size === 0) continue;
      const spread = spreadLabels(labels, await aboutOf(patientId));
      const grown = [...spread].filter(([name, label]) => label !== labels.get(name));
      if (grown.length === 0) continue;
      const set = Object.fromEntries(
        grown.map(([name, label]) => [labelAttribute(name), encodeLabel(label)]),
      );
      const attributes = { key: patientLabelsKey(lob, patientId), set, remove: [] };
      await table.transact([event(patientId), { attributes }]);
    }
  }

  return { plan, settle };
}

interface StoredPut extends LabeledPut {
  readonly isNew: boolean;
}

/** Returns nothing for a resource whose search values have no label, as a release without labels wrote them. */
function labeledPut({ resource, values, isNew }: ValuedPut): readonly StoredPut[] {
  const { label, references } = JSON.parse(values) as SearchValues;
  if (label === undefined) return [];
  return [{ name: nameOf(resource), label, about: references[aboutName] ?? [], isNew }];
}

/** Whether a put may change labels. A new resource without a category that is about no other resource changes none. */
function needsLabels({ label, about, isNew }: StoredPut): boolean {
  return !isNew || label.categories.length > 0 || about.length > 0;
}
