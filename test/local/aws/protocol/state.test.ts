import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openState } from '../../../../local/aws/protocol/state.ts';
import { StateDirectoryError } from '../../../../local/state-directory.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'state-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const pets = 'CREATE TABLE IF NOT EXISTS pet (name TEXT PRIMARY KEY, legs INTEGER NOT NULL) STRICT;';

describe('the stand-ins’ state', () => {
  it('is there after a restart, under the same schema', () => {
    const before = openState(directory);
    before.define(pets);
    before.write('INSERT INTO pet VALUES (?, ?)', 'Rex', 4);
    before.close();
    const after = openState(directory);
    after.define(pets.replaceAll(' ', '  '));
    expect(after.all('SELECT * FROM pet')).toEqual([{ name: 'Rex', legs: 4 }]);
    after.close();
  });

  it('says what to do where another version of the system wrote it', () => {
    const before = openState(directory);
    before.define(pets);
    before.close();
    const after = openState(directory);
    expect(() => after.define(pets.replace(')', ', tail TEXT)'))).toThrow(StateDirectoryError);
    expect(() => after.define(pets.replace(')', ', tail TEXT)'))).toThrow(/another version.*--fresh/);
    after.close();
  });

  it('says what to do where the file is no database', () => {
    writeFileSync(join(directory, 'aws.sqlite'), 'a thesis, by mistake');
    expect(() => openState(directory)).toThrow(/^.*aws\.sqlite can't be used.*--fresh.*$/);
  });

  it('gives the first error back where a transaction has ended by itself', () => {
    const state = openState(directory);
    state.define(pets);
    const fail = () =>
      state.atomically(() => {
        state.write('ROLLBACK');
        throw new Error('the disk is full');
      });
    expect(fail).toThrow('the disk is full');
    state.close();
  });
});
