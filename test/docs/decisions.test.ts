import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../architecture/imports.ts';

/** The pages of docs/decisions and their index. */

const folder = join(repositoryRoot, 'docs', 'decisions');
const names = readdirSync(folder).filter((name) => name !== 'README.md');
const form = /^# (\d+)\. (\S.+)\n\nDate: (\d{4}-\d\d-\d\d)\. Status: (accepted|superseded)\b.*\n/;

it('lists every decision with its title, date and status', () => {
  const rows = names.sort().map((name) => {
    const [, number, title, date, status] = form.exec(readFileSync(join(folder, name), 'utf8')) ?? [];
    return `| [${number}](${name}) | ${title} | ${date} | ${status} |`;
  });
  const index = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(index.split('\n').filter((line) => line.startsWith('| ['))).toEqual(rows);
});
