import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Key } from '../../lambdas/platform/table/key.ts';
import * as portalKeys from '../../lambdas/portal/adapters/portal-table-keys.ts';

const page = readFileSync(new URL('../../docs/access-patterns.md', import.meta.url), 'utf8');
const section = /\n## The portal's table\n([\s\S]*?)\n## /.exec(page)?.[1] ?? '';
/** The code spans in the table rows of the section about the portal's table. */
const named = section
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));

/** The constant parts of a key, such as `EMAIL/DECOY`, `SESSION`, `RATE`. */
function wordsOf({ pk, sk }: Key): string {
  const [partition, item] = [pk, sk].map((part) => /^[A-Z]+/.exec(part)?.[0]);
  return item === undefined || item === partition ? String(partition) : `${partition}/${item}`;
}

/** Whether a row names the key. A row may omit the partition if another key of the row has it. */
function isNamed(words: string): boolean {
  const [partition = '', item] = words.split('/');
  if (item === undefined) return named.some((code) => new RegExp(`\\b${partition}\\b`).test(code));
  const inPartition = new RegExp(`\\b${partition}#[^/]*/${item}\\b|^\\w+ ${item}#`);
  return named.some((code) => inPartition.test(code));
}

describe('the access patterns', () => {
  it.each(
    Object.entries(portalKeys).map(([name, keyOf]) => {
      const key = (keyOf as (...parts: string[]) => Key)('1', '2', '3');
      return [name, wordsOf(key)] as const;
    }),
  )('have a row for %s: %s', (_name, words) => {
    expect(isNamed(words)).toBe(true);
  });
});
