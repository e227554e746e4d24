import { describe, expect, it } from 'vitest';
import { createEmptyTable } from '../support/empty-table.ts';
import { itemKinds } from './item-readers.ts';
import { keptReleases, putItems, readerOf } from './kept-items.ts';

const releases = keptReleases();

describe('the items of earlier releases', () => {
  it('are kept', () => {
    expect(releases.length).toBeGreaterThan(0);
  });

  it('cover every kind that a store reads', () => {
    const kept = new Set(releases.flatMap(({ readings }) => readings.map(({ kind }) => kind)));
    expect([...kept].sort()).toEqual(Object.keys(itemKinds).sort());
  });
});

describe.each(releases)('a table that release $release wrote', ({ now, items, readings }) => {
  const written = createEmptyTable().then(async (table) => {
    await putItems(table, items);
    return table;
  });

  it.each(readings)('is read as that release read it: $kind', async ({ kind, key, result }) => {
    const read = readerOf(kind, key, now);
    if (read === undefined) throw new Error(`no store reads the kind "${kind}" any more`);
    // A later release may read more of an item, never less.
    expect(await read(await written)).toMatchObject(result as object);
  });

  it('is refused if a store expects another name for a field', async () => {
    const client = readings.find(({ kind }) => kind === 'client, as the authorization server reads it');
    const renamed = items.map(({ redirectUris, ...item }) =>
      redirectUris === undefined ? item : { ...item, callbackUris: redirectUris },
    ) as typeof items;
    const table = await written;
    await putItems(
      table,
      renamed.filter(({ pk }) => pk === client?.key.pk),
    );
    if (client === undefined) throw new Error('no client was kept');
    await expect(readerOf(client.kind, client.key, now)?.(table)).rejects.toThrow();
    await putItems(
      table,
      items.filter(({ pk }) => pk === client.key.pk),
    );
  });
});
