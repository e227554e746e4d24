import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../architecture/imports.ts';

/** Reads figures for docs/limits.md from docs/costs.md and from constants in sources. */

const costs = readFileSync(join(repositoryRoot, 'docs/costs.md'), 'utf8');

/**
 * The numbers in a table row of docs/costs.md, without its name.
 *
 * @throws Error if there is no such row.
 */
export function rowOfCosts(name: string): readonly number[] {
  const found = costs.split('\n').find((line) => line.startsWith(`| ${name} |`));
  if (found === undefined) throw new Error(`docs/costs.md has no row ${name}`);
  return found
    .split('|')
    .slice(2, -1)
    .map((cell) => Number(/[\d.]+/.exec(cell.replaceAll(',', ''))?.[0]));
}

/**
 * The value of a constant in a source file, so that the page agrees with the code.
 *
 * @throws Error if the file has no such constant.
 */
export function constantIn(path: string, pattern: RegExp): number {
  const text = readFileSync(join(repositoryRoot, path), 'utf8');
  const value = pattern.exec(text)?.[1];
  if (value === undefined) throw new Error(`${path} has no ${pattern}`);
  return Number(value.replaceAll('_', ''));
}
