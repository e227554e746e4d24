/** The labels of a record as DynamoDB attributes: one item for each patient, one attribute for each resource with a label. */

import type { Item } from '../../platform/table/table.ts';
import type { Label, LabelCategory, RecordLabels } from '../values/label.ts';
import { longId, shortId } from './search-index-text.ts';

/** Prefix that distinguishes the attribute of a resource from the item's key attributes. */
const nameMark = '.';

/** Stored labels hold the index of each category in this list as a digit. Keep the order, and append new categories. */
const storedCategories: readonly LabelCategory[] = [
  ...(['mental-health', 'substance-use', 'sexual-health', 'reproductive-health', 'genetics'] as const),
  ...(['violence', 'restricted', 'part-2'] as const),
];

const none: RecordLabels = new Map();

/**
 * Decodes the labels of a record.
 *
 * @param item undefined if the record has no label
 */
export function decodeLabels(item: Item | undefined): RecordLabels {
  if (item === undefined) return none;
  const labels = new Map<string, Label>();
  for (const [attribute, text] of Object.entries(item)) {
    if (attribute.startsWith(nameMark)) labels.set(longName(attribute.slice(1)), decodeLabel(String(text)));
  }
  return labels;
}

export function labelAttribute(name: string): string {
  const slash = name.indexOf('/') + 1;
  return `${nameMark}${name.slice(0, slash)}${shortId(name.slice(slash))}`;
}

/** Encodes a label: the digits of its categories, then the documents it contains, separated by blanks. */
export function encodeLabel({ categories, contents = [] }: Label): string {
  const digits = categories.map((category) => storedCategories.indexOf(category)).join('');
  return [digits, ...contents.map((name) => labelAttribute(name).slice(1))].join(' ');
}

function decodeLabel(text: string): Label {
  const [digits = '', ...contents] = text.split(' ');
  const categories = [...digits].flatMap((digit) => storedCategories[Number(digit)] ?? 'restricted');
  return { categories, ...(contents.length > 0 && { contents: contents.map(longName) }) };
}

function longName(short: string): string {
  const slash = short.indexOf('/') + 1;
  return `${short.slice(0, slash)}${longId(short.slice(slash))}`;
}
