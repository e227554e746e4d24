import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StateDirectoryError, takeStateDirectory } from '../../local/state-directory.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'state-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const put = (name: string, text = 'x') => writeFileSync(join(directory, name), text);
const has = (name: string) => existsSync(join(directory, name));

describe('takeStateDirectory', () => {
  it('keeps what is there', () => {
    takeStateDirectory(directory, false)();
    put('dynamodb.sqlite');
    takeStateDirectory(directory, false);
    expect(has('dynamodb.sqlite')).toBe(true);
  });

  it('empties a folder that was its own, but for the processes that must still be ended', () => {
    takeStateDirectory(directory, false)();
    put('dynamodb.sqlite');
    put('dynamodb.pid', '1');
    takeStateDirectory(directory, true);
    expect([has('dynamodb.sqlite'), has('dynamodb.pid')]).toEqual([false, true]);
  });

  it("does not empty somebody else's folder", () => {
    put('thesis.doc');
    expect(() => takeStateDirectory(directory, true)).toThrow(
      'has other files than the state of this system',
    );
    expect(has('thesis.doc')).toBe(true);
  });

  it('is refused while another runner has it', () => {
    put('runner.pid', String(process.ppid));
    expect(() => takeStateDirectory(directory, false)).toThrow(`in use by process ${process.ppid}`);
  });

  it('is taken over from a runner that was killed', () => {
    put('runner.pid', '4194304');
    expect(() => takeStateDirectory(directory, false)).not.toThrow();
  });

  it('says in one line why it can not be', () => {
    put('file');
    const inFile = join(directory, 'file', 'state');
    expect(() => takeStateDirectory(inFile, false)).toThrow(StateDirectoryError);
    expect(() => takeStateDirectory(inFile, false)).toThrow(/^.*can't be used for the state.*--state$/);
  });
});
