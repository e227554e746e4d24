import { describe, expect, it } from 'vitest';
import { type RoleRights, rights } from '../../../lib/rights/rights.ts';
import { carriedText } from '../../../ops/recovery/carried-text.ts';
import { carryForward, type StoredItem } from '../../../ops/recovery/carry-forward.ts';
import { itemKind, itemRecovery } from '../../../ops/recovery/item-recovery.ts';
import { memoryTable } from '../../recovery/memory-table.ts';

const item = (pk: string, text = '', sk = 'x'): StoredItem => ({
  pk: { S: pk },
  sk: { S: sk },
  text: { S: text },
});
const textsOf = (table: ReturnType<typeof memoryTable>) =>
  Object.fromEntries(table.all().map(({ pk, text }) => [pk.S, (text as { readonly S: string }).S] as const));

describe('a table that is restored to an earlier second', () => {
  it('has data of that second, and what was decided since', async () => {
    const newest = memoryTable([
      item('DSNP#PATIENT#p', 'damaged'),
      item('DSNP#GRANT#p', 'ended'),
      item('CLIENT#c', 'suspended'),
      item('MEMBERS#SESSIONS#a', '2'),
      item('DSNP#KEY#new', 'new'),
    ]);
    const restored = memoryTable([
      item('DSNP#PATIENT#p', 'right'),
      item('DSNP#GRANT#p', 'active'),
      item('CLIENT#c', 'active'),
      item('MEMBERS#SESSIONS#a', '1'),
      item('DSNP#KEY#stopped', 'live'),
      item('DSNP#SESSION#s', 'open'),
    ]);
    const carried = await carryForward(newest, restored, true);
    expect(textsOf(restored)).toEqual({
      'DSNP#PATIENT#p': 'right',
      'DSNP#GRANT#p': 'ended',
      'CLIENT#c': 'suspended',
      'MEMBERS#SESSIONS#a': '2',
      'DSNP#KEY#new': 'new',
    });
    expect(carriedText(carried)).toContain('subscription keys: 1 written, 1 removed');
    expect(carriedText(await carryForward(newest, restored, true))).toEqual(['nothing was decided since']);
  });

  it('keeps every event of both, and each seal', async () => {
    const newest = memoryTable([item('AUDIT#DSNP#PATIENT#p', 'later'), item('SEAL#DSNP', 'newest')]);
    const restored = memoryTable([item('AUDIT#DSNP#PATIENT#q', 'earlier'), item('SEAL#DSNP', 'newest')]);
    await carryForward(newest, restored, true);
    expect(textsOf(restored)).toEqual({
      'AUDIT#DSNP#PATIENT#p': 'later',
      'AUDIT#DSNP#PATIENT#q': 'earlier',
      'SEAL#DSNP': 'newest',
    });
  });

  it('is not touched if the newest one is of another environment', async () => {
    const seal = (text: string) => item('SEAL#DSNP', text, '000000000001');
    const restored = memoryTable([seal('one'), item('DSNP#SESSION#s')]);
    const carried = carryForward(memoryTable([seal('other')]), restored, true);
    await expect(carried).rejects.toThrow('so that they are of two environments');
    expect(restored.all()).toHaveLength(2);
    const same = memoryTable([seal('one')]);
    expect((await carryForward(same, restored, true)).size).toBe(1);
  });

  it('is only counted where nothing is to be applied', async () => {
    const restored = memoryTable([item('DSNP#SESSION#s')]);
    const carried = await carryForward(memoryTable([item('DSNP#GRANT#p')]), restored, false);
    expect([...carried]).toEqual([
      ['GRANT', { written: 1, removed: 0 }],
      ['SESSION', { written: 0, removed: 1 }],
    ]);
    expect(Object.keys(textsOf(restored))).toEqual(['DSNP#SESSION#s']);
  });

  it('gives nobody access where nobody knows what was ended since', async () => {
    const access = ['GRANT#p', 'REFRESH#r', 'CODE#c', 'SESSION#s', 'INTERACTION#i', 'BROWSER#b'];
    const others = [
      'CLIENT#c',
      'DSNP#GRANT#p#ENDS',
      'DSNP#KEY#k',
      'DSNP#PATIENT#p',
      'AUDIT#DSNP#PATIENT#p',
      'MEMBERS#DISABLED',
    ];
    const restored = memoryTable([...access.map((each) => `DSNP#${each}`), ...others].map((pk) => item(pk)));
    await carryForward(undefined, restored, true);
    expect(Object.keys(textsOf(restored))).toEqual(others);
  });

  it.each([
    'newest',
    'restored',
  ])('is not touched if the %s one has an item that nobody decided about', async (which) => {
    const odd = item('DSNP#NOVELTY#secret-id');
    const newest = memoryTable([item('DSNP#GRANT#p'), ...(which === 'newest' ? [odd] : [])]);
    const restored = memoryTable(which === 'restored' ? [odd] : []);
    await expect(carryForward(newest, restored, true)).rejects.toThrow(
      'The table has items of the unknown kind DSNP#NOVELTY. Expected one of ops/recovery/item-recovery.ts.',
    );
    expect(restored.all()).toHaveLength(which === 'restored' ? 1 : 0);
  });
});

describe('the table of kinds', () => {
  it('knows every partition that a function of an environment may use, and no other', () => {
    const partitions = Object.values(rights).flatMap(({ table = {} }: RoleRights) => Object.keys(table));
    const kinds = partitions.flatMap((partition) => [
      itemKind(partition),
      itemKind(partition.replace('#*', '#p#ENDS')),
    ]);
    expect([...new Set(kinds)].sort()).toEqual(Object.keys(itemRecovery).sort());
  });
});
