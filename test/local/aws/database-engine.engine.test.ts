import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DatabaseEngine, databaseEngine } from '../../../local/aws/dynamodb/database-engine.ts';

let directory = '';
let engine: DatabaseEngine | undefined;
const lines: string[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'database-engine-'));
  lines.length = 0;
});
afterEach(async () => {
  await engine?.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function start(shortestMs: number): Promise<void> {
  engine = await databaseEngine(directory, (line) => lines.push(line), undefined, shortestMs);
}
const pid = () => Number(readFileSync(join(directory, 'dynamodb.pid'), 'utf8'));
const answers = async () =>
  await fetch(engine?.endpoint ?? '').then(
    () => true,
    () => false,
  );

describe('the embedded engine', () => {
  it('is started again where it answered before, when it ends by itself', async () => {
    await start(0);
    const first = pid();
    process.kill(first, 'SIGKILL');
    await expect.poll(pid, { timeout: 20_000 }).not.toBe(first);
    await expect.poll(answers).toBe(true);
    expect(lines).toEqual(['aws: the DynamoDB engine ended (SIGKILL): it is started again']);
  });

  it('is given up where it ends at once', async () => {
    await start(Number.POSITIVE_INFINITY);
    process.kill(pid(), 'SIGKILL');
    await expect.poll(() => lines).toEqual([expect.stringContaining('start the system again')]);
    expect(await answers()).toBe(false);
  });
});
