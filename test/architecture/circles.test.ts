import { describe, expect, it } from 'vitest';
import { type Import, importsIn, readImports, repositoryRoot, sourceFiles } from './imports.ts';

const folders = ['bin', 'lib', 'lambdas', 'local', 'ops', 'bench', 'portal-static'];

/** Groups of files in which each file reaches every other one through imports, including type imports. */
function circles(imports: readonly Import[]): string[][] {
  const targets = Map.groupBy(
    imports.filter(({ ours }) => ours),
    ({ from }) => from,
  );
  const reach = new Map([...targets.keys()].map((file) => [file, reachedFrom(file, targets)]));
  const groups = [...reach].flatMap(([file, reached]) =>
    reached.has(file) ? [[...reached].filter((other) => reach.get(other)?.has(file)).sort()] : [],
  );
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}

/** All files that a file imports, directly or through others. */
function reachedFrom(file: string, targets: ReadonlyMap<string, readonly Import[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const { to } of targets.get(next) ?? []) {
      if (!reached.has(to)) waiting.push(to);
      reached.add(to);
    }
  }
  return reached;
}

describe('imports', () => {
  it('go in no circle', () => {
    const imports = readImports(repositoryRoot, sourceFiles(repositoryRoot, folders));
    const found = circles(imports).map((files) => files.join(', '));
    expect(found).toEqual([]);
  });

  it('are caught in a circle of three files, one of them a type', () => {
    const planted = [
      ...importsIn('lib/a.ts', "import { b } from './b.ts';"),
      ...importsIn('lib/b.ts', "export * from './deep/c.ts';\nimport 'zod';"),
      ...importsIn('lib/deep/c.ts', "import type { A } from '../a.ts';"),
      ...importsIn('lib/outside.ts', "import { a } from './a.ts';"),
    ];
    expect(circles(planted)).toEqual([['lib/a.ts', 'lib/b.ts', 'lib/deep/c.ts']]);
  });

  it('are caught in a file that imports itself', () => {
    expect(circles(importsIn('lib/a.ts', "import { a } from './a.ts';"))).toEqual([['lib/a.ts']]);
  });
});
