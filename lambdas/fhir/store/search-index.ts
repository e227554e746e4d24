/**
 * The search index of a patient's resources: a few items with one attribute for each resource
 * (docs/decisions/0030-pack-the-search-index.md).
 */

import { nameOf, type ResourceName } from '../../catalog/fhir/resource-name.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Item, Write } from '../../platform/table/table.ts';
import { patientIndexKey } from '../../platform/table/table-keys.ts';
import type { SearchEntry } from '../values/patient-compartment.ts';
import type { SearchValues } from '../values/values.ts';
import { decodeIndexTexts, decodeLinks, encodeIndexTexts, longId, shortId } from './search-index-text.ts';

interface Place {
  readonly lob: LineOfBusiness;
  readonly patientId: string;
}

/** Version of the index's encoding, stored in each entry. A load rewrites a resource whose entry has another version or none. */
export const indexForm = 3;

/**
 * Most bytes of a resource in the index. A longer text would slow down every search of the type, so the index has '' instead, and the
 * values are read from the resource's own entry.
 */
const longestText = 2_000;

/**
 * Adds a resource to the index, or replaces its attributes.
 *
 * @param isNew whether the transaction fails if the resource is stored already: then the index has no references to remove.
 * @returns the writes, and whether the index has all values.
 */
export function indexWrites(
  { lob, patientId }: Place,
  resource: ResourceName & Pick<SearchEntry, 'versionId' | 'lastUpdated'>,
  values: SearchValues,
  isNew: boolean,
): { readonly writes: readonly Write[]; readonly isWhole: boolean } {
  const { entry, links } = encodeIndexTexts(patientId, { ...resource, values });
  const name = attributeName(resource.id);
  const isShort = (text: string) => Buffer.byteLength(text) <= longestText;
  const write = (kind: 'INDEX' | 'LINKS', text: string | undefined): Write => ({
    attributes: {
      key: patientIndexKey(lob, patientId, kind, resource),
      set: text === undefined ? {} : { [name]: isShort(text) ? text : '' },
      remove: text === undefined ? [name] : [],
    },
  });
  return {
    writes: [write('INDEX', entry), ...(isNew && links === undefined ? [] : [write('LINKS', links)])],
    isWhole: isShort(entry) && (links === undefined || isShort(links)),
  };
}

/** The writes that remove a resource from the index. */
export function indexRemovals({ lob, patientId }: Place, resource: ResourceName): readonly Write[] {
  const remove = [attributeName(resource.id)];
  return (['INDEX', 'LINKS'] as const).map((kind) => ({
    attributes: { key: patientIndexKey(lob, patientId, kind, resource), set: {}, remove },
  }));
}

/** The decoded entries, and the resources whose values must be read from their own entries. */
export interface ReadIndex {
  readonly entries: readonly SearchEntry[];
  readonly elsewhere: readonly ResourceName[];
}

/**
 * Decodes the items of a search index.
 *
 * @param links items with the references of the same resources; undefined if the search needs no references.
 */
export function readIndex(
  patientId: string,
  items: readonly Item[],
  links: readonly Item[] | undefined,
): ReadIndex {
  const linkTexts = new Map<string, string>();
  for (const item of links ?? []) {
    forEachResource(item, (type, attribute, text) => linkTexts.set(`${type}${attribute}`, text));
  }
  const entries: SearchEntry[] = [];
  const elsewhere: ResourceName[] = [];
  for (const item of items) {
    forEachResource(item, (resourceType, attribute, text) => {
      const name = { resourceType, id: longId(attribute.slice(idMark.length)) };
      const referenceText = linkTexts.get(`${resourceType}${attribute}`);
      if (text === '' || referenceText === '') elsewhere.push(name);
      else entries.push(decodeIndexTexts(patientId, name, { entry: text, links: referenceText }));
    });
  }
  return { entries, elsewhere };
}

/**
 * Decodes the references of one parameter, by the name of the referring resource.
 *
 * @param links all items with the record's references.
 * @returns also the resources whose values must be read from their own entries.
 */
export function readReferences(
  patientId: string,
  links: readonly Item[],
  parameter: string,
): {
  readonly references: ReadonlyMap<string, readonly string[]>;
  readonly elsewhere: readonly ResourceName[];
} {
  const references = new Map<string, readonly string[]>();
  const elsewhere: ResourceName[] = [];
  for (const item of links) {
    forEachResource(item, (resourceType, attribute, text) => {
      const name = { resourceType, id: longId(attribute.slice(idMark.length)) };
      if (text === '') elsewhere.push(name);
      const found = text === '' ? undefined : decodeLinks(patientId, text)[parameter];
      if (found !== undefined) references.set(nameOf(name), found);
    });
  }
  return { references, elsewhere };
}

/** Calls `use` for each resource of an index item, whose sort key is `INDEX#<type>#<number>` or `LINKS#<type>#<number>`. */
function forEachResource(
  item: Item,
  use: (resourceType: string, attribute: string, text: string) => void,
): void {
  const [, resourceType = ''] = String(item.sk).split('#');
  for (const [attribute, text] of Object.entries(item)) {
    if (attribute.startsWith(idMark)) use(resourceType, attribute, String(text));
  }
}

/** Prefix that distinguishes the attribute of a resource from the item's key attributes. */
const idMark = '.';

function attributeName(id: string): string {
  return `${idMark}${shortId(id)}`;
}
