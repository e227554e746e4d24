import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../architecture/imports.ts';

/** Counts of the benches, as docs/costs.md has them. */

const costs = readFileSync(join(repositoryRoot, 'docs/costs.md'), 'utf8');

/** Numbers of a row of a table in docs/costs.md, after its name. @throws Error where there is no such row. */
export function rowOfCosts(name: string): readonly number[] {
  const found = costs.split('\n').find((line) => line.startsWith(`| ${name} |`));
  if (found === undefined) throw new Error(`docs/costs.md has no row ${name}`);
  return found
    .split('|')
    .slice(2, -1)
    .map((cell) => Number(/[\d.]+/.exec(cell.replaceAll(',', ''))?.[0]));
}

/** Value of a constant in a source, so that the page can't say another. @throws Error where there is none. */
export function constantIn(path: string, pattern: RegExp): number {
  const text = readFileSync(join(repositoryRoot, path), 'utf8');
  const value = pattern.exec(text)?.[1];
  if (value === undefined) throw new Error(`${path} has no ${pattern}`);
  return Number(value.replaceAll('_', ''));
}
