import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';

/** An import statement: the importing file, and the file or package it imports. */
export interface Import {
  readonly from: string;
  /** For a file of the repository its path from the root; otherwise the package's name (`node:fs`, `zod/mini`). */
  readonly to: string;
  readonly ours: boolean;
}

const importPattern =
  /(?:^\s*(?:import|export)\s(?:[\w$*{}\s,]*?\bfrom\s*)?|\bimport\s*\(\s*|\brequire\s*\(\s*)(['"])([^'"\n]+)\1/gm;

/**
 * Lists every import of a source text, including `import type` and `export … from`: a type makes a file depend on another as a value does.
 */
export function importsIn(path: string, source: string): Import[] {
  const withoutComments = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return [...withoutComments.matchAll(importPattern)].map(([, , specifier = '']) =>
    specifier.startsWith('.')
      ? { from: path, to: posix.normalize(posix.join(posix.dirname(path), specifier)), ours: true }
      : { from: path, to: specifier, ours: false },
  );
}

/** The folders of the product's code. */
export const codeFolders = ['bin', 'lib', 'lambdas', 'local', 'ops', 'bench', 'portal-static'] as const;

/** The TypeScript and JavaScript files under the given folders, as paths from `root` with forward slashes. */
export function sourceFiles(root: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')),
  );
}

export function readImports(root: string, paths: readonly string[]): Import[] {
  return paths.flatMap((path) => importsIn(path, readFileSync(join(root, path), 'utf8')));
}

export const repositoryRoot = dirname(dirname(import.meta.dirname));
