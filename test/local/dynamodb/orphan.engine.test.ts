import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEngine } from '../../../local/aws/dynamodb/engine.ts';
import { recordEngine, stopOrphanedEngine } from '../../../local/aws/dynamodb/orphaned-engine.ts';

describe('an engine left behind', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'orphan-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const alive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it('is ended before another takes its file', async () => {
    const file = join(folder, 'a.sqlite');
    const engine = await startEngine({ file });
    recordEngine(join(folder, 'pid'), engine.pid);
    await stopOrphanedEngine(join(folder, 'pid'), file);
    await expect.poll(() => alive(engine.pid)).toBe(false);
    await engine.stop();
  });

  it('is left alone when it serves another file', async () => {
    const engine = await startEngine({ file: join(folder, 'a.sqlite') });
    recordEngine(join(folder, 'pid'), engine.pid);
    await stopOrphanedEngine(join(folder, 'pid'), join(folder, 'b.sqlite'));
    expect(alive(engine.pid)).toBe(true);
    await engine.stop();
  });

  it('may never have been, or be a process of somebody else', async () => {
    await stopOrphanedEngine(join(folder, 'none'), 'a');
    for (const content of ['', 'nonsense', '0', '-1', String(process.pid)]) {
      writeFileSync(join(folder, 'pid'), content);
      await stopOrphanedEngine(join(folder, 'pid'), 'a');
    }
    expect(alive(process.pid)).toBe(true);
  });
});
