import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { auditedActions } from '../../lambdas/catalog/audit/audit-actions.ts';
import { repositoryRoot } from '../architecture/imports.ts';

const rows = Object.entries(auditedActions).map(
  ([action, { decision, by, outcomes, about }]) =>
    `| \`${action}\` | ${decision} | ${by.map((name) => `\`${name}\``).join(', ')} | ${outcomes.join(', ')} | ${about} |`,
);

it('docs/audit.md lists every action an event can name, and no other', () => {
  const text = readFileSync(join(repositoryRoot, 'docs', 'audit.md'), 'utf8');
  const section = text.split('## What is recorded')[1]?.split('\n## ')[0] ?? '';
  const listed = section.split('\n').filter((line) => line.startsWith('| `'));
  expect(listed).toEqual(rows);
});
