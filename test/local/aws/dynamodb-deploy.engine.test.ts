import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callEngine, deployTable } from '../../../local/aws/dynamodb/deploy-table.ts';
import { type Engine, startEngine } from '../../../local/aws/dynamodb/engine.ts';
import { expirySweep } from '../../../local/aws/dynamodb/expiry.ts';
import { declaredTables, type TableDeclaration } from '../../../local/aws/dynamodb/tables.ts';
import { openState } from '../../../local/aws/protocol/state.ts';
import { assembly, table } from './declarations.ts';

function declared(overrides: Readonly<Record<string, unknown>> = {}): TableDeclaration {
  const found = declaredTables(assembly(table(overrides))).get('environment');
  if (found === undefined) throw new Error('the table is not declared');
  return found;
}

const TableName = 'environment';
const item = (pk: string, ttl?: string) => ({
  pk: { S: pk },
  sk: { S: 'x' },
  ...(ttl === undefined ? {} : { ttl: { N: ttl } }),
});

describe('a table of the templates', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine();
    await deployTable(engine.endpoint, declared());
  });
  afterAll(() => engine.stop());

  const put = async (Item: object) => await callEngine(engine.endpoint, 'PutItem', { TableName, Item });
  const partitions = async () => {
    const { Items } = await callEngine(engine.endpoint, 'Scan', { TableName });
    return (Items as { pk: { S: string } }[]).map(({ pk }) => pk.S).sort();
  };

  it('is kept with its items when it is deployed again', async () => {
    await put(item('kept'));
    await deployTable(engine.endpoint, declared());
    expect(await partitions()).toContain('kept');
  });

  it('is refused with other keys or other indexes', async () => {
    const KeySchema = [{ AttributeName: 'pk', KeyType: 'HASH' }];
    await expect(deployTable(engine.endpoint, declared({ KeySchema }))).rejects.toThrow(
      /other keys or indexes.*--fresh/,
    );
    await expect(deployTable(engine.endpoint, declared({ GlobalSecondaryIndexes: [] }))).rejects.toThrow(
      'other keys',
    );
    expect(await partitions()).toContain('kept');
  });

  it('loses the items whose time is over since the last sweep, and only those', async () => {
    const state = openState(mkdtempSync(join(tmpdir(), 'expiry-')));
    const sweep = expirySweep(engine.endpoint, declared(), state);
    expect(await sweep(990)).toBe(0);
    await put(item('over', '999'));
    await put(item('over too', '990'));
    await put(item('now', '1000'));
    await put(item('later', '1001'));
    expect(await sweep(1_000)).toBe(2);
    expect(await partitions()).toEqual(['kept', 'later', 'now']);
    await put(item('later', '2000'));
    expect(await expirySweep(engine.endpoint, declared(), state)(1_002)).toBe(1);
    expect(await partitions()).toEqual(['kept', 'later']);
    state.close();
  });

  it('catches up by its seconds at most a sweep after it was stopped, and loses nothing when the clock goes back', async () => {
    const state = openState(mkdtempSync(join(tmpdir(), 'expiry-')));
    const sweep = expirySweep(engine.endpoint, declared(), state, 10);
    await sweep(10_000);
    await put(item('soon', '10005'));
    await put(item('later', '10015'));
    expect(await sweep(9_000)).toBe(0);
    expect(await sweep(20_000)).toBe(1);
    expect(await sweep(20_000)).toBe(1);
    state.close();
  });

  it('keeps everything where no time to live is declared', async () => {
    const off = declared({ TimeToLiveSpecification: { Enabled: false, AttributeName: 'ttl' } });
    const state = openState(mkdtempSync(join(tmpdir(), 'expiry-')));
    await put(item('old', '1'));
    const sweep = expirySweep(engine.endpoint, off, state);
    await sweep(0);
    expect(await sweep(1_000)).toBe(0);
    expect(await partitions()).toContain('old');
    state.close();
  });
});
