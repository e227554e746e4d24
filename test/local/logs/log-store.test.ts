import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLogStore } from '../../../local/aws/logs/log-store.ts';

const day = 24 * 3_600_000;
const group = '/member-data/access log';

describe('a log group', () => {
  let directory = '';
  let clock = Date.UTC(2026, 10, 20);
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'logs-'));
    clock = Date.UTC(2026, 10, 20);
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));
  const open = (limit?: number) => openLogStore(directory, () => clock, limit);
  const file = () => join(directory, `${encodeURIComponent(group)}.jsonl`);

  it('gives what was just written, in the order of time', () => {
    const store = open();
    store.write(group, clock + 2, 'second');
    store.write(group, clock + 1, 'first');
    store.write('other', clock, 'elsewhere');
    expect(store.read(group).map(({ message }) => message)).toEqual(['first', 'second']);
    expect(store.read('nobody')).toEqual([]);
    store.stop();
  });

  it('is there after a restart, and goes on numbering', () => {
    const before = open();
    before.write(group, clock, 'line\nwith "breaks"');
    before.stop();
    const after = open();
    after.write(group, clock, 'second');
    expect(after.read(group)).toMatchObject([{ id: 1, message: 'line\nwith "breaks"' }, { id: 2 }]);
    after.stop();
  });

  it('loses only the line that was torn', () => {
    const before = open();
    before.write(group, clock, 'whole');
    before.stop();
    appendFileSync(file(), '[2,17951');
    const after = open();
    after.write(group, clock, 'after');
    after.stop();
    expect(
      open()
        .read(group)
        .map(({ message }) => message),
    ).toEqual(['whole', 'after']);
  });

  it('keeps a week', () => {
    const store = open();
    store.write(group, clock, 'old');
    clock += 7 * day + 1;
    store.write(group, clock, 'new');
    expect(store.read(group).map(({ message }) => message)).toEqual(['new']);
    store.stop();
  });

  it('keeps the newest events, and its file bounded', () => {
    const store = open(10);
    for (let count = 0; count < 95; count += 1) {
      store.write(group, clock + count, `event ${count}`);
      if (count % 7 === 0) store.read(group);
    }
    expect(store.read(group).map(({ message }) => message)).toEqual(
      Array.from({ length: 10 }, (_, index) => `event ${85 + index}`),
    );
    expect(readFileSync(file(), 'utf8').split('\n').length).toBeLessThanOrEqual(30);
    store.stop();
  });

  it('shows what is written between two looks', () => {
    const store = open();
    store.write(group, clock, 'first');
    store.read(group);
    store.write(group, clock, 'second');
    expect(store.read(group).map(({ message }) => message)).toEqual(['first', 'second']);
    store.stop();
  });

  it('is written without being asked', async () => {
    const store = open();
    store.write(group, clock, 'soon');
    await expect.poll(() => open().read(group)).toHaveLength(1);
    store.stop();
  });

  it('keeps what the disk does not take until it does, and complains once', () => {
    const complaints: string[] = [];
    const store = openLogStore(
      directory,
      () => clock,
      10,
      (line) => complaints.push(line),
    );
    store.write(group, clock, 'first');
    mkdirSync(file());
    expect(() => store.stop()).not.toThrow();
    rmdirSync(file());
    store.write(group, clock, 'second');
    expect(store.read(group).map(({ message }) => message)).toEqual(['first', 'second']);
    expect(complaints).toEqual([expect.stringContaining("can't be written")]);
  });
});
