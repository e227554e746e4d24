import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeLock } from '../../local/synthesize.ts';

let folder = '';
let lock = '';
const lines: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
  lock = join(folder, 'bundle.lock');
  lines.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hold = (pid: number) => {
  mkdirSync(lock);
  writeFileSync(join(lock, 'pid'), String(pid));
};
const holder = () => Number(readFileSync(join(lock, 'pid'), 'utf8'));

describe('the bundler’s lock', () => {
  it('is taken over at once from a process that was killed', async () => {
    hold(4_194_304);
    await takeLock(lock, (line) => lines.push(line));
    expect(holder()).toBe(process.pid);
  });

  it('is waited for while its process lives, and that is said', async () => {
    hold(process.ppid);
    const taken = takeLock(lock, (line) => lines.push(line));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([holder(), lines]).toEqual([process.ppid, ['Waiting for another npm start that is bundling …']]);
    rmSync(lock, { recursive: true });
    await taken;
    expect(holder()).toBe(process.pid);
  });
});
