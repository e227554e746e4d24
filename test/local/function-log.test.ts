import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFunctionLog } from '../../local/function-log.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'function-log-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('a function’s log', () => {
  it('is a file of its own, and goes to the terminal where that is asked for', async () => {
    const terminal: string[] = [];
    const log = openFunctionLog(
      directory,
      () => {},
      (line) => terminal.push(line),
    );
    log.write('token', 'first');
    log.write('token', 'second');
    await log.stop();
    expect(readFileSync(join(directory, 'token.log'), 'utf8')).toBe('first\nsecond\n');
    expect(terminal).toEqual(['token: first', 'token: second']);
  });

  it('is begun anew when it has become large, and what was is put aside', async () => {
    writeFileSync(join(directory, 'token.log'), Buffer.alloc(10_000_001, 'a'));
    const log = openFunctionLog(directory, () => {});
    log.write('token', 'new');
    await log.stop();
    expect(readFileSync(join(directory, 'token.log'), 'utf8')).toBe('new\n');
    expect(statSync(join(directory, 'token.1.log')).size).toBe(10_000_001);
  });

  it('complains once where it can not be written, and goes on when it can', async () => {
    mkdirSync(join(directory, 'token.log'));
    const complaints: string[] = [];
    const log = openFunctionLog(directory, (line) => complaints.push(line));
    log.write('token', 'lost');
    await expect.poll(() => complaints).toHaveLength(1);
    log.write('token', 'lost too');
    await log.stop();
    expect(complaints).toEqual([expect.stringContaining("token.log can't be written")]);
    rmdirSync(join(directory, 'token.log'));
    log.write('token', 'kept');
    await log.stop();
    expect(readFileSync(join(directory, 'token.log'), 'utf8')).toBe('kept\n');
  });
});
