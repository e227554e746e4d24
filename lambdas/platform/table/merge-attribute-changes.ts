import type { AttributeChanges, Item, Write } from './table.ts';

/**
 * Combines the attribute changes of one item into one write, because a transaction may contain an item once only. If two change the same
 * attribute, the later one wins.
 *
 * @returns the writes, and the position that each had in the list.
 */
export function mergeAttributeChanges(all: readonly Write[]): {
  readonly writes: readonly Write[];
  readonly positions: readonly number[];
} {
  const merged = new Map<string, { readonly at: number; readonly changes: AttributeChanges[] }>();
  const others: { readonly at: number; readonly write: Write }[] = [];
  for (const [at, write] of all.entries()) {
    if (!('attributes' in write)) {
      others.push({ at, write });
      continue;
    }
    const name = nameOf(write.attributes);
    const known = merged.get(name) ?? { at, changes: [] };
    known.changes.push(write.attributes);
    merged.set(name, known);
  }
  const joined = [...merged.values()].map(({ at, changes }) => ({ at, write: joinedChanges(changes) }));
  const kept = [...others, ...joined];
  return { writes: kept.map(({ write }) => write), positions: kept.map(({ at }) => at) };
}

/** The attributes that writes set, without the items of puts. */
export function setAttributes(writes: readonly Write[]): readonly Item[] {
  return writes.flatMap((write) => ('attributes' in write ? [{ ...write.attributes.set }] : []));
}

/** Counts the items of a transaction while writes are added. */
export interface ItemCount {
  /** Number of items with these writes added. */
  with(writes: readonly Write[]): number;
  add(writes: readonly Write[]): void;
}

export function createItemCount(): ItemCount {
  const changed = new Set<string>();
  let others = 0;
  return {
    with(writes) {
      const added = writes.flatMap((write) => ('attributes' in write ? [nameOf(write.attributes)] : []));
      const isNew = (name: string) => !changed.has(name);
      return others + changed.size + writes.length - added.length + new Set(added.filter(isNew)).size;
    },
    add(writes) {
      for (const write of writes) {
        if ('attributes' in write) changed.add(nameOf(write.attributes));
        else others += 1;
      }
    },
  };
}

function nameOf({ key }: AttributeChanges): string {
  return `${key.pk} ${key.sk}`;
}

function joinedChanges(changes: readonly AttributeChanges[]): Write {
  const last = new Map<string, unknown>();
  for (const { set, remove } of changes) {
    for (const [name, value] of Object.entries(set)) last.set(name, value);
    for (const name of remove) last.set(name, undefined);
  }
  const [first] = changes;
  const entries = [...last];
  return {
    attributes: {
      key: { pk: first?.key.pk ?? '', sk: first?.key.sk ?? '' },
      set: Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
      remove: entries.filter(([, value]) => value === undefined).map(([name]) => name),
    },
  };
}
