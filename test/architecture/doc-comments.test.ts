import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeFolders, repositoryRoot, sourceFiles } from './imports.ts';

/** Words at the beginning of a doc comment that keep a reader from learning in the first words what the thing is. */
const opening =
  /\/\*\*\s*(?:\n\s*\*\s*)?(?:What|Who|Where|Of|How|When|Which|Whose|With|By|As|In|That)\b[^\n]*/g;

/** Line of the first doc comment of a source, and the line after the comment. */
function head(source: string): { readonly line: number; readonly next: string } | undefined {
  const at = source.indexOf('/**');
  if (at === -1) return undefined;
  const end = source.indexOf('*/', at);
  return {
    line: source.slice(0, at).split('\n').length,
    next: source.slice(end).split('\n')[1]?.trim() ?? '',
  };
}

/** Reason why a reader of a file's first lines does not learn what the file is for; undefined if they do. */
function hiddenPurpose(source: string): string | undefined {
  if (source.startsWith('//')) return undefined;
  const first = head(source);
  if (first === undefined) return 'has no doc comment';
  if (first.line > 15) return `begins its first doc comment on line ${first.line}`;
  return first.next === '' || /^(?:export|import|declare module)\b/.test(first.next)
    ? undefined
    : 'documents a private declaration first';
}

const sources = sourceFiles(repositoryRoot, [...codeFolders, 'test'])
  .filter((path) => !path.endsWith('.d.ts'))
  .map((path) => [path, readFileSync(join(repositoryRoot, path), 'utf8')] as const);

describe('doc comments', () => {
  it('say at the top of a file what it is for', () => {
    const found = sources
      .filter(([path]) => !path.startsWith('test/'))
      .flatMap(([path, source]) => hiddenPurpose(source)?.replace(/^/, `${path} `) ?? []);
    expect(found).toEqual([]);
  });

  it('open with a noun or verb phrase', () => {
    const found = sources.flatMap(([path, source]) =>
      [...source.matchAll(opening)].map(([comment]) => `${path} ${comment}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ['const a = 1;', 'has no doc comment'],
    [`${'\n'.repeat(15)}/** Reads. */\nexport const a = 1;`, 'begins its first doc comment on line 16'],
    ["import 'b';\n\n\n/** Reads. */\nconst a = 1;", 'documents a private declaration first'],
    ['/** Reads. */\nconst a = 1;', 'documents a private declaration first'],
    ["/** Reads. */\n\nimport 'b';", undefined],
  ])('are found to hide a purpose: %j', (source, reason) => {
    expect(hiddenPurpose(source)).toBe(reason);
  });
});
