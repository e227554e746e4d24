import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../architecture/imports.ts';
import { archiveDirectory, archivedTrail } from '../audit/archived-trail.ts';
import { createSealKey } from '../support/seal-key.ts';

/** The verifier as an auditor runs it: a copy of the one file in a folder of its own, with files of the archive and a public key. */

const folder = mkdtempSync(join(tmpdir(), 'audit-archive-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const script = join(folder, 'verify-audit-archive.mjs');
const keyFile = join(folder, 'key.pem');
const otherKeyFile = join(folder, 'other.pem');
const original = join(folder, 'original');
const { signer, publicKey } = createSealKey();
const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();

beforeAll(async () => {
  cpSync(join(repositoryRoot, 'ops/verify-audit-archive.mjs'), script);
  writeFileSync(keyFile, `key key-1\n${pem}`);
  const other = createSealKey('key-2');
  writeFileSync(otherKeyFile, other.publicKey.export({ format: 'pem', type: 'spki' }).toString());
  const store = archiveDirectory(original);
  for await (const { key, text } of archivedTrail(signer, 'DSNP', [40, 0, 3, 50])) store.write(key, text);
  for await (const { key, text } of archivedTrail(signer, 'M2M', [2, 1, 1, 1])) store.write(key, text);
});

let copies = 0;
/** A copy of the archive that a test may change. */
function archive() {
  copies += 1;
  const directory = join(folder, String(copies));
  cpSync(original, directory, { recursive: true });
  const store = archiveDirectory(directory);
  const dsnp = (sequence: number) =>
    store.keys().filter((key) => key.startsWith('production/DSNP/'))[sequence - 1] ?? '';
  return { directory, ...store, dsnp };
}

function verify(directory: string, ...more: readonly string[]) {
  const keys = more.includes('--key') ? [] : ['--key', keyFile];
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, directory, ...keys, ...more], {
    encoding: 'utf8',
  });
  const findings = stdout
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .map((line) => line.trim());
  return { status, stdout, stderr, findings };
}

/** Index of the first line of an event, after the seal and the part. */
const firstEvent = 2;
const textOf = (line: string | undefined) => JSON.parse(line ?? '{}') as Record<string, unknown>;
const digestOf = (line: string) => createHash('sha256').update(line).digest('hex');

describe('an archive that nobody touched', () => {
  it('is verified, by trail, with the period it covers and the key', () => {
    const { status, stdout, findings } = verify(original);
    expect([status, findings]).toEqual([0, []]);
    expect(stdout).toContain(
      'production/DSNP: 4 seals, 93 events, from 2026-01-01T00:00:00.000Z until 2026-01-01T00:20:00.000Z: verified',
    );
    expect(stdout).toContain('production/M2M: 4 seals, 5 events');
    expect(stdout).toContain(digestOf(publicKey.export({ format: 'der', type: 'spki' }) as never));
  });

  it('is verified from any seal on, and says so', () => {
    const { directory, remove, keys } = archive();
    for (const key of keys().filter((each) => each.includes('/0000000001-'))) remove(key);
    expect(verify(directory)).toMatchObject({ status: 0, findings: [] });
    expect(verify(directory, '--from', '2026-01-01').findings).toEqual(
      Array(2).fill('the trail begins at 2026-01-01T00:05:00.000Z: earlier files are missing'),
    );
  });

  it('may be verified by a sample, with all its seals', () => {
    const { status, stdout } = verify(original, '--sample', '1000000');
    expect(status).toBe(0);
    expect(stdout).toContain('production/DSNP: 4 seals, 0 events');
    expect(stdout).toContain('one in 1000000 files');
  });
});

describe('an archive that was tampered with', () => {
  it('shows the event that was altered, and no other', () => {
    const { directory, edit, dsnp, lines } = archive();
    const { sk, pk } = textOf(lines(dsnp(4))[firstEvent]);
    edit(dsnp(4), (all) =>
      all.map((line, at) => (at === firstEvent ? line.replace('"disclosed"', '"refused"') : line)),
    );
    const { status, findings } = verify(directory);
    expect(status).toBe(1);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toContain(`the event ${String(sk)} of ${String(pk)} was altered (seal 4, shard`);
  });

  it('shows the part of an event whose digest was made to fit', () => {
    const { directory, edit, dsnp } = archive();
    edit(dsnp(4), ([seal = '', part = '', first = '', ...rest]) => {
      const altered = first.replace('"disclosed"', '"refused"');
      return [seal, part.replace(digestOf(first), digestOf(altered)), altered, ...rest];
    });
    expect(verify(directory).findings).toEqual([
      expect.stringMatching(/^the events of seal 4, shard \d+, part 0, are not those that were sealed$/),
    ]);
  });

  it('shows the seal whose events and chain were made to fit', () => {
    const { directory, edit, dsnp } = archive();
    edit(dsnp(4), ([seal = '', part = '', ...rest]) => [
      seal,
      part.replace(/"chain":"[^"]+"/, `"chain":"${'0'.repeat(64)}"`),
      ...rest,
    ]);
    expect(verify(directory).findings).toContainEqual(
      expect.stringMatching(/^the events of seal 4, shard \d+, are not those that were sealed$/),
    );
  });

  it('shows where an event was removed', () => {
    const { directory, edit, dsnp, lines } = archive();
    const all = lines(dsnp(1));
    // The first shard with two events or more.
    const at = all.findIndex(
      (line, index) =>
        index > firstEvent && !line.startsWith('{"shard"') && !all[index - 1]?.startsWith('{"shard"'),
    );
    const { sk } = textOf(all[at - 1]);
    edit(dsnp(1), (each) => each.toSpliced(at, 1));
    const { findings } = verify(directory);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toContain(`an event was removed after the event ${String(sk)}`);
    expect(findings[0]).toContain(digestOf(all[at] ?? ''));
  });

  it('shows an event that was added', () => {
    const { directory, edit, dsnp } = archive();
    edit(dsnp(1), ([seal = '', part = '', first = '', ...rest]) => [
      seal,
      part,
      first,
      first.replace('"disclosed"', '"refused"'),
      ...rest,
    ]);
    expect(verify(directory).findings).toEqual([expect.stringMatching(/^the event .* was added \(seal 1/)]);
  });

  it('shows events in another order', () => {
    const { directory, edit, dsnp, lines } = archive();
    const at = lines(dsnp(4)).findIndex(
      (line, index, all) =>
        index >= firstEvent &&
        !line.startsWith('{"shard"') &&
        all[index + 1]?.startsWith('{"shard"') === false,
    );
    edit(dsnp(4), (all) => all.toSpliced(at, 2, all[at + 1] ?? '', all[at] ?? ''));
    expect(verify(directory).findings).toEqual([
      expect.stringMatching(/^the events of seal 4, shard \d+, part 0, are in another order$/),
    ]);
  });

  it('shows an event that was gone from the table when it was archived', () => {
    const { directory, edit, dsnp, lines } = archive();
    const { pk, sk } = textOf(lines(dsnp(3))[firstEvent]);
    edit(dsnp(3), (all) => all.map((line, at) => (at === firstEvent ? JSON.stringify({ pk, sk }) : line)));
    const { findings } = verify(directory);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toContain(
      `the event ${String(sk)} of ${String(pk)} was missing when it was archived`,
    );
  });

  it('shows a seal whose files were removed', () => {
    const { directory, remove, dsnp } = archive();
    remove(dsnp(2));
    expect(verify(directory)).toMatchObject({ status: 1, findings: ['seal 2 is missing'] });
  });

  it('shows a part that was removed from its file', () => {
    const { directory, edit, dsnp } = archive();
    edit(dsnp(1), (all) =>
      all.slice(
        0,
        all.findLastIndex((line) => line.startsWith('{"shard"')),
      ),
    );
    expect(verify(directory).findings).toEqual(['seal 1: 1 parts of its events are missing']);
  });

  it('shows a seal that was altered', () => {
    const { directory, edit, dsnp } = archive();
    edit(dsnp(2), ([seal = '', ...rest]) => [seal.replace('2026-01-01T00:12', '2026-01-01T00:11'), ...rest]);
    expect(verify(directory).findings).toEqual([
      'seal 2 was altered, or none of the given keys signed it. It names the key key-1',
    ]);
  });

  it('shows that the newest files were cut off, by the other trails or the day that must be reached', () => {
    const { directory, remove, keys } = archive();
    for (const key of keys().filter((each) => each.includes('/0000000004-'))) remove(key);
    expect(verify(directory).status).toBe(0);
    expect(verify(directory, '--until', '2026-01-02').findings).toEqual(
      Array(2).fill('the trail ends at 2026-01-01T00:15:00.000Z: later files are missing'),
    );
  });

  it('shows a file that was cut, and one with the content of another', () => {
    const { directory, cut, write, lines, dsnp } = archive();
    cut(dsnp(1), 20);
    write(dsnp(3), `${lines(dsnp(4)).join('\n')}\n`);
    const { findings, status } = verify(directory);
    expect(status).toBe(1);
    expect(findings).toEqual([
      `${dsnp(1)} is cut or damaged`,
      `${dsnp(3)} is not what its name says`,
      'seal 3 is missing',
    ]);
  });
});

describe('a key', () => {
  it('of somebody else verifies no seal', () => {
    const { status, findings } = verify(original, '--key', otherKeyFile);
    expect(status).toBe(1);
    expect(findings.filter((each) => each.includes('none of the given keys signed it'))).toHaveLength(8);
  });

  it('verifies the seals it signed, beside a later key', async () => {
    const { directory, write } = archive();
    const later = createSealKey('key-2');
    for await (const { key, text } of archivedTrail(later.signer, 'MAPD', [1, 1, 1, 1])) write(key, text);
    const both = join(folder, 'both.pem');
    writeFileSync(both, `${pem}\n${later.publicKey.export({ format: 'pem', type: 'spki' }).toString()}`);
    expect(verify(directory).status).toBe(1);
    expect(verify(directory, '--key', both)).toMatchObject({ status: 0, findings: [] });
  });
});

describe('a wrong command', () => {
  it('is refused with what to do', () => {
    const empty = mkdtempSync(join(folder, 'empty-'));
    for (const [given, expected] of [
      [[empty, '--key', keyFile], 'There are no archive files'],
      [[original], 'Give the public key of the seals as PEM: --key FILE.'],
      [['--key', keyFile], 'Give one directory with archive files.'],
      [[original, '--key', keyFile, '--until', 'soon'], '--until is soon, which is no date'],
      [[original, '--key', keyFile, '--sample', '0'], '--sample must be a whole number from 1.'],
    ] as const) {
      const { status, stderr } = spawnSync(process.execPath, [script, ...given], { encoding: 'utf8' });
      expect([status, stderr.split('\n')[0]]).toEqual([2, expect.stringContaining(expected)]);
    }
  });
});
