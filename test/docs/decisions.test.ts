import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../architecture/imports.ts';

/** The pages of docs/decisions and their index. */

const folder = join(repositoryRoot, 'docs', 'decisions');
const names = readdirSync(folder).filter((name) => name !== 'README.md');
const form = /^# (\d+)\. (\S.+)\n\nDate: (\d{4}-\d\d-\d\d)\. Status: (accepted|superseded)\b.*\n/;

const index = readFileSync(join(folder, 'README.md'), 'utf8');

it('lists every decision once, with its title, date and status', () => {
  const rows = names.map((name) => {
    const [, number, title, date, status] = form.exec(readFileSync(join(folder, name), 'utf8')) ?? [];
    return `| [${number}](${name}) | ${title} | ${date} | ${status} |`;
  });
  expect(
    index
      .split('\n')
      .filter((line) => line.startsWith('| ['))
      .sort(),
  ).toEqual(rows.sort());
});

it('gives each number once, and names those that were never used', () => {
  const used = names.map((name) => Number(name.slice(0, 4)));
  expect(used.filter((number, at) => used.indexOf(number) !== at)).toEqual([]);
  const unused = Array.from({ length: Math.max(...used) }, (_, at) => at + 1).filter(
    (number) => !used.includes(number),
  );
  const [, told = ''] = /The numbers ([\d, and]+) were never used/.exec(index) ?? [];
  expect([...told.matchAll(/\d+/g)].map(([number]) => Number(number))).toEqual(unused);
});
