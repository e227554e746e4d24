/** Carries what was decided since an earlier second into a table that was restored to that second. */

import { signingKeyOwners } from '../../lambdas/catalog/oauth/token-issuer.ts';
import { type ItemKind, itemKind, itemRecovery } from './item-recovery.ts';

/** An item in DynamoDB's own notation (`{ pk: { S: '…' } }`), so that nothing of it is converted. */
export type StoredItem = Readonly<Record<string, unknown>> & {
  readonly pk: { readonly S: string };
  readonly sk: { readonly S: string };
};

export type StoredKey = Pick<StoredItem, 'pk' | 'sk'>;

/** A table of an environment, as a restore reads and writes it. */
export interface RecoveryTable {
  /** Pages of all items, or of their keys only, in any order. */
  pages(keysOnly: boolean): AsyncIterable<readonly StoredItem[]>;
  /** The items with these keys that exist. */
  find(keys: readonly StoredKey[]): Promise<readonly StoredItem[]>;
  put(items: readonly StoredItem[]): Promise<void>;
  remove(keys: readonly StoredKey[]): Promise<void>;
}

/** Numbers of items of a kind that were written or removed. */
export interface Carried {
  written: number;
  removed: number;
}

export type CarriedKinds = ReadonlyMap<ItemKind, Carried>;

/**
 * Makes the restored table what may be admitted to traffic: its data are of the earlier second, and everything that decides on access, and
 * the record, are the newest. Without a newest table the ends since that second are lost, so that everything that gives access to members'
 * data is removed: members consent again. May be repeated; a second run changes nothing.
 *
 * @param newest undefined if it is lost.
 * @param apply false to count only.
 * @throws UnknownItemKind, OtherEnvironment before anything is written.
 */
export async function carryForward(
  newest: RecoveryTable | undefined,
  restored: RecoveryTable,
  apply: boolean,
): Promise<CarriedKinds> {
  if (newest !== undefined) await checkKinds(newest);
  await checkKinds(restored);
  if (newest !== undefined) await checkEnvironment(newest, restored);
  const carried = new Map<ItemKind, Carried>();
  const count = (items: readonly StoredKey[], what: keyof Carried) => {
    for (const { pk } of items) {
      const kind = itemKind(pk.S);
      const numbers = carried.get(kind) ?? { written: 0, removed: 0 };
      numbers[what] += 1;
      carried.set(kind, numbers);
    }
  };
  for await (const page of newest?.pages(false) ?? []) {
    const kept = page.filter((item) => sourceOf(item) !== 'restored');
    const there = byKey(await restored.find(kept));
    const changed = kept.filter((item) => !same(there.get(keyText(item)), item));
    count(changed, 'written');
    if (apply) await restored.put(changed);
  }
  // An item that only the restored table has was deleted since, such as a session that ended. A record is never removed.
  for await (const page of restored.pages(true)) {
    const decided = page.filter((item) => sourceOf(item) === 'newest');
    const there = byKey((await newest?.find(decided)) ?? []);
    const revived = decided.filter(
      (item) => !there.has(keyText(item)) && (newest !== undefined || givesAccess(item)),
    );
    count(revived, 'removed');
    if (apply) await restored.remove(revived);
  }
  return carried;
}

async function checkKinds(table: RecoveryTable): Promise<void> {
  for await (const page of table.pages(true)) for (const { pk } of page) itemKind(pk.S);
}

/** The tables are of two environments, so that one's decisions would be written into the other. */
export class OtherEnvironment extends Error {
  override readonly name = 'OtherEnvironment';

  constructor() {
    super(
      'The two tables have another first seal over their audit trail, so that they are of two environments. Expected two tables of one environment. Check their names.',
    );
  }
}

/** Keys of the first seal of each token issuer, which no restore changes and no two environments share. */
export const firstSealKeys: readonly StoredKey[] = signingKeyOwners.map((owner) => ({
  pk: { S: `SEAL#${owner}` },
  sk: { S: '000000000001' },
}));

async function checkEnvironment(newest: RecoveryTable, restored: RecoveryTable): Promise<void> {
  const there = byKey(await newest.find(firstSealKeys));
  for (const seal of await restored.find(firstSealKeys))
    if (!same(there.get(keyText(seal)), seal)) throw new OtherEnvironment();
}

function sourceOf({ pk }: StoredKey) {
  return itemRecovery[itemKind(pk.S)].from;
}

function givesAccess({ pk }: StoredKey): boolean {
  return itemRecovery[itemKind(pk.S)].givesAccess === true;
}

/** The key of an item as text. */
export function keyText({ pk, sk }: StoredKey): string {
  return JSON.stringify([pk.S, sk.S]);
}

function byKey(items: readonly StoredItem[]): ReadonlyMap<string, StoredItem> {
  return new Map(items.map((item) => [keyText(item), item]));
}

/** Whether two items are the same, whatever the order of their attributes. */
function same(left: StoredItem | undefined, right: StoredItem): boolean {
  return left !== undefined && sorted(left) === sorted(right);
}

function sorted(item: unknown): string {
  return JSON.stringify(item, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
