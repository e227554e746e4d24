import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeFolders, repositoryRoot, sourceFiles } from './imports.ts';

const declaration =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|const|let|class|interface|type|enum)\s+([\w$]+)/gm;

/** Exported names that more than one file declares, each with its files. */
function sharedNames(sources: ReadonlyMap<string, string>): string[] {
  const owners = new Map<string, string[]>();
  for (const [path, source] of sources) {
    const names = new Set([...source.matchAll(declaration)].map(([, name = '']) => name));
    for (const name of names) owners.set(name, [...(owners.get(name) ?? []), path]);
  }
  // Lambda calls each function's `handler` by that name.
  owners.delete('handler');
  return [...owners]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name}: ${paths.join(', ')}`);
}

describe('an exported name', () => {
  it('has one owner', () => {
    const paths = sourceFiles(repositoryRoot, codeFolders);
    const sources = new Map(paths.map((path) => [path, readFileSync(join(repositoryRoot, path), 'utf8')]));
    expect(sharedNames(sources)).toEqual([]);
  });

  it('is refused to a second owner', () => {
    const sources = new Map([
      ['lambdas/oauth/a.ts', 'export interface Grant {}\nexport const once = 1;'],
      ['lambdas/fhir/b.ts', 'export type Grant = string;'],
    ]);
    expect(sharedNames(sources)).toEqual(['Grant: lambdas/oauth/a.ts, lambdas/fhir/b.ts']);
  });
});
