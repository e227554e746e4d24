import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeFolders, repositoryRoot, sourceFiles } from '../architecture/imports.ts';

/** A word of the glossary, and the folders that may export names with it. */
interface Word {
  readonly word: string;
  readonly folders: readonly string[];
}

/** Rows of the glossary's table of words with one meaning that name folders. */
function wordsOf(glossary: string): readonly Word[] {
  const [, section = ''] = /\n## Words with one meaning\n([\s\S]*?)\n## /.exec(glossary) ?? [];
  return [...section.matchAll(/^\| (\w+) \|[^|]*\|([^|]*)\|/gm)]
    .map(([, word = '', cell = '']) => ({
      word,
      folders: [...cell.matchAll(/`([^`]+\/)`/g)].map(([, folder = '']) => folder),
    }))
    .filter(({ folders }) => folders.length > 0);
}

const declaration =
  /^export\s+(?:abstract\s+)?(?:async\s+)?(?:function\*?|const|let|class|interface|type)\s+(\w+)/gm;

/** Exported names of a source that have the word, alone or in the plural, among their words. */
function namesWith(word: string, source: string): readonly string[] {
  return [...source.matchAll(declaration)]
    .map(([, name = '']) => name)
    .filter((name) =>
      name.split(/(?=[A-Z])/).some((each) => [word, `${word}s`].includes(each.toLowerCase())),
    );
}

describe('a word with one meaning', () => {
  const words = wordsOf(readFileSync(join(repositoryRoot, 'docs', 'glossary.md'), 'utf8'));
  const sources = sourceFiles(repositoryRoot, codeFolders).map(
    (path) => [path, readFileSync(join(repositoryRoot, path), 'utf8')] as const,
  );

  it('is read from the glossary', () => {
    expect(words.map(({ word }) => word)).toEqual(['attempt', 'job', 'window']);
  });

  it.each(words)('“$word” is exported by the folders that the glossary names only', ({ word, folders }) => {
    const strays = sources
      .filter(([path]) => !folders.some((folder) => path.startsWith(folder)))
      .flatMap(([path, source]) => namesWith(word, source).map((name) => `${path} ${name}`));
    expect(strays).toEqual([]);
  });

  it('is found in a name by its words, not by its letters', () => {
    const source = 'export interface LoadJob {}\nexport const jobsOf = 1;\nexport type Jobless = string;';
    expect(namesWith('job', source)).toEqual(['LoadJob', 'jobsOf']);
  });
});
