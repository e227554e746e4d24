/** A search function's publications: they are switched by the pointer and kept through damage, a full disk and a failing bucket. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PublicationUnavailable } from '../../lambdas/provider-directory/publication/publication.ts';
import type {
  PublicationPointer,
  PublishedFile,
} from '../../lambdas/provider-directory/publication/publication-bucket-port.ts';
import { indexOf } from '../../lambdas/provider-directory/publication/publication-index.ts';
import { searchDirectory } from '../../lambdas/provider-directory/search/directory-search.ts';
import { createKeptPublications } from '../../lambdas/provider-directory/sqlite/kept-publications.ts';
import { built, bundleOf, fileAt, namesOf, removeFolder, sha256, syntheticDirectory } from './world.ts';

interface Built {
  readonly file: PublishedFile;
  readonly bytes: Buffer;
}
let builds: readonly Built[];

async function build(id: string, seed: number): Promise<Built> {
  const { result, path } = await built(syntheticDirectory(60, seed), { id });
  if (result.kind !== 'built') throw new Error('not built');
  const bytes = readFileSync(path);
  const digest = createHash('sha256').update(bytes).digest('hex');
  const file = {
    id,
    key: id,
    bytes: bytes.length,
    sha256: digest,
    builtAt: 1,
    resources: result.resources,
  };
  return { file, bytes };
}

beforeAll(async () => {
  builds = [await build('one', 1), await build('two', 2), await build('three', 3)];
});
afterAll(removeFolder);

/** A bucket in memory, and the disk of a function. */
function world(name: string) {
  let pointer: PublicationPointer | undefined;
  let version = 0;
  let time = 0;
  const failing = { pointer: false, read: undefined as Error | undefined, damaged: '', breaks: 0 };
  let slow: Promise<void> = Promise.resolve();
  const log: string[] = [];
  const folder = fileAt(name);
  mkdirSync(folder, { recursive: true });
  const publications = createKeptPublications({
    bucket: {
      async readPointer(_lob, etag) {
        if (failing.pointer) throw new Error('S3 is down');
        if (pointer === undefined) return { kind: 'none' };
        if (etag === String(version)) return { kind: 'unchanged' };
        return { kind: 'pointer', etag: String(version), pointer };
      },
      async *read(key, from, to) {
        if (failing.read !== undefined) throw failing.read;
        await slow;
        const bytes = (builds.find(({ file }) => file.id === key)?.bytes ?? Buffer.alloc(0)).subarray(
          from,
          to,
        );
        if (failing.breaks > 0) {
          failing.breaks -= 1;
          yield bytes.subarray(0, 100);
          return;
        }
        yield failing.damaged === key ? bytes.map((byte, at) => (at === 5_000 ? byte ^ 1 : byte)) : bytes;
      },
    },
    lob: 'MAPD',
    folder,
    now: () => time,
    log: (_level, code) => log.push(code),
  });
  const search = (query: string) =>
    searchDirectory(
      { publications, sha256, now: () => time },
      { type: 'Practitioner', parameters: [...new URLSearchParams(query)], strict: false, base: 'https://x' },
    );
  return {
    publications,
    failing,
    log,
    folder,
    search,
    publish(current: number, previous?: number) {
      const of = (at: number) => builds[at]?.file as PublishedFile;
      pointer = { current: of(current), ...(previous !== undefined && { previous: of(previous) }) };
      version += 1;
    },
    /**
     * Makes downloads wait.
     *
     * @returns a function that lets them continue.
     */
    slowDown(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      slow = promise;
      return resolve;
    },
    pass(seconds: number) {
      time += seconds * 1000;
    },
  };
}

let names = 0;
let w: ReturnType<typeof world>;
beforeEach(() => {
  names += 1;
  w = world(`disk-${names}`);
});
const currentId = async () => (await w.publications.current()).id;

describe('the publications a function keeps', () => {
  it('are unavailable until one is published, and are found then', async () => {
    await expect(currentId()).rejects.toThrow(PublicationUnavailable);
    w.publish(0);
    expect(await currentId()).toBe('one');
  });

  it('are switched within a minute, and a third leaves the disk', async () => {
    w.publish(0);
    const first = await w.publications.current();
    const columns = indexOf(first);
    w.publish(1, 0);
    expect(await currentId()).toBe('one');
    w.pass(31);
    expect(await currentId()).toBe('two');
    expect(indexOf(first), 'columns of the former one').not.toBe(columns);
    w.publish(2, 1);
    w.pass(31);
    expect(await currentId()).toBe('three');
    expect(readdirSync(w.folder).sort()).toEqual(['three.sqlite', 'two.sqlite']);
  });

  it('answer from the former one until the new one is downloaded, and download it once', async () => {
    w.publish(0);
    await currentId();
    const goOn = w.slowDown();
    w.publish(1, 0);
    w.pass(31);
    expect(await Promise.all([currentId(), currentId()])).toEqual(['one', 'one']);
    const asked = w.publications.kept('two');
    goOn();
    expect((await asked)?.id).toBe('two');
    expect(await currentId()).toBe('two');
    expect(readdirSync(w.folder).sort()).toEqual(['one.sqlite', 'two.sqlite']);
  });

  it('read a part again whose connection ended half-way', async () => {
    w.failing.breaks = 4;
    w.publish(0);
    expect(await currentId()).toBe('one');
    w.failing.breaks = 5;
    w.publish(1, 0);
    w.pass(31);
    expect(await currentId()).toBe('one');
    expect(w.log).toEqual(['publication_not_opened']);
  });

  it('page a search to its end in the publication it began in, and say so when that is gone', async () => {
    w.publish(0);
    const whole = namesOf(bundleOf(await w.search('_count=100')));
    const paged: string[] = [];
    let query: string | undefined = '_count=10';
    for (let page = 0; query !== undefined; page += 1) {
      if (page === 2) {
        w.publish(1, 0);
        w.pass(31);
        expect(await currentId()).toBe('two');
      }
      const bundle = bundleOf(await w.search(query));
      paged.push(...namesOf(bundle));
      query = bundle.link?.find(({ relation }) => relation === 'next')?.url?.split('?')[1];
    }
    expect(paged).toEqual(whole);
    const next = bundleOf(await w.search('_count=10')).link?.find(({ relation }) => relation === 'next')?.url;
    w.publish(2);
    w.pass(31);
    // The same holds if no other search has made the function look for a new publication.
    expect((await w.search(next?.split('?')[1] ?? '')).kind).toBe('publication_gone');
    expect(await currentId()).toBe('three');
  });

  it('are asked for at once where a cursor is of a publication that another instance knows', async () => {
    w.publish(0);
    await currentId();
    w.publish(1, 0);
    expect((await w.publications.kept('two'))?.id).toBe('two');
    expect(await w.publications.kept('never')).toBeUndefined();
  });

  it('open the publication before the current one where a cursor names it', async () => {
    w.publish(1, 0);
    expect(await currentId()).toBe('two');
    expect((await w.publications.kept('one'))?.id).toBe('one');
  });

  it.each([
    ['a damaged file', () => Object.assign(w.failing, { damaged: 'two' })],
    ['a bucket that fails', () => Object.assign(w.failing, { read: new Error('S3 is down') })],
    ['a pointer that can not be read', () => Object.assign(w.failing, { pointer: true })],
    [
      'a full disk',
      () => Object.assign(w.failing, { read: Object.assign(new Error('no space'), { code: 'ENOSPC' }) }),
    ],
  ])('answer from the last good one behind %s, and switch once it is mended', async (_name, fail) => {
    w.publish(0);
    await currentId();
    fail();
    w.publish(1, 0);
    w.pass(31);
    expect(await currentId()).toBe('one');
    expect(bundleOf(await w.search('_count=1')).entry).toHaveLength(1);
    expect(w.log).toEqual(['publication_not_opened']);
    expect(readdirSync(w.folder)).toEqual(['one.sqlite']);
    Object.assign(w.failing, { pointer: false, read: undefined, damaged: '' });
    w.pass(6);
    expect(await currentId()).toBe('two');
  });

  it('refuse a file of another format, and a file that is missing, where none was open', async () => {
    w.failing.damaged = 'one';
    w.publish(0);
    await expect(currentId()).rejects.toThrow(PublicationUnavailable);
    expect(readdirSync(w.folder)).toEqual([]);
    writeFileSync(join(w.folder, 'two.sqlite'), 'left by a process that was killed');
    w.publish(1);
    w.failing.damaged = '';
    expect(await currentId()).toBe('two');
  });
});
