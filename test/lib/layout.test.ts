import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Import, importsIn, readImports, repositoryRoot, sourceFiles } from '../architecture/imports.ts';

/** Folders that combine capabilities: the app, and the stage of an environment with the stacks that several capabilities share. */
const assemblies = ['lib', 'lib/environment'];
/** Folders that every other folder may import. */
const shared = /^lib\/(config|constructs|rights)\//;

const folderOf = (path: string) => /^lib\/[^/]+(?=\/)/.exec(path)?.[0] ?? dirname(path);

/** Lists imports from one capability to another, and from a shared folder to a capability. */
function crossings(imports: readonly Import[]): string[] {
  return imports
    .filter(({ to }) => to.startsWith('lib/') && !shared.test(to))
    .filter(({ from }) => shared.test(from) || !assemblies.includes(folderOf(from)))
    .filter(({ from, to }) => folderOf(from) !== folderOf(to) || folderOf(from) === 'lib')
    .map(({ from, to }) => `${from} imports ${to}`);
}

describe('a folder of lib', () => {
  it('holds one capability: it imports its own files and the shared ones', () => {
    const paths = sourceFiles(repositoryRoot, ['lib']);
    expect(crossings(readImports(repositoryRoot, paths))).toEqual([]);
  });

  it.each([
    ['lib/loads/a.ts', "import '../payer-access/jobs-stack.ts';"],
    ['lib/audit/a.ts', "import '../environment/data-stack.ts';"],
    ['lib/constructs/a.ts', "import '../portal/api.ts';"],
    ['lib/rights/statements.ts', "import '../environment/data-stack.ts';"],
  ])('may not reach another: %s %s', (path, source) => {
    expect(crossings(importsIn(path, source))).toHaveLength(1);
  });
});
