import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { itemRecovery } from '../../ops/recovery/item-recovery.ts';
import { repositoryRoot } from '../architecture/imports.ts';

const file = join(repositoryRoot, 'docs/recovery.md');

const sources = {
  restored: 'the earlier second',
  newest: 'the latest second; what exists only at the earlier one is removed',
  record: 'both; nothing is removed',
} as const;

it('docs/recovery.md says of each kind of item which table it comes from', async () => {
  const kinds = Object.values(itemRecovery);
  const rows = Object.entries(sources).map(([source, text]) => {
    const items = kinds.filter(({ from }) => from === source).map(({ what }) => what);
    return `| ${text} | ${items.join('; ')} |`;
  });
  const removed = kinds.filter(({ givesAccess }) => givesAccess).map(({ what }) => what);
  const made = `| From | Items |
|---|---|
${rows.join('\n')}

Where no table of the latest second exists (\`--lost\`), these are removed: ${removed.join('; ')}.`;
  const page = readFileSync(file, 'utf8').replace(
    /(<!-- items -->\n)[\s\S]*(<!-- \/items -->)/,
    (_whole, begin: string, end: string) => `${begin}${made}\n${end}`,
  );
  await expect(page).toMatchFileSnapshot(file);
});
