/** The labels of a record as DynamoDB attributes: one item for each patient, one attribute for each resource with a label. */

import type { Item } from '../../platform/table/table.ts';
import type { Label, LabelCategory, RecordLabels } from '../values/label.ts';
import { longId, shortId } from './search-index-text.ts';

/** The prefix keeps a resource's name from being taken for a key attribute. */
const nameMark = '.';

/** Digits stand for categories in stored labels: a category keeps its place, and a new one comes at the end. */
const storedCategories: readonly LabelCategory[] = [
  ...(['mental-health', 'substance-use', 'sexual-health', 'reproductive-health', 'genetics'] as const),
  ...(['violence', 'restricted', 'part-2'] as const),
];

const none: RecordLabels = new Map();

/** @param item undefined where the record has no label */
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

/** The digits of the categories, then the documents, each after a blank. */
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
