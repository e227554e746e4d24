import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { graphTable } from '../../lib/monitoring/graph-table.ts';
import { queryTable } from '../../lib/monitoring/query-table.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { monitoringPage } from './monitoring-page.ts';

/** The paragraphs of the runbook by the fragments of their headings. */
const paragraphs = new Map(
  readFileSync(join(repositoryRoot, 'docs/runbook.md'), 'utf8')
    .split(/^#+ /m)
    .map((text) => {
      const [heading = ''] = text.split('\n');
      return [
        heading
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
        text,
      ];
    }),
);

describe('docs/monitoring.md', () => {
  it('has each graph and query of the tables', async () => {
    await expect(monitoringPage()).toMatchFileSnapshot(join(repositoryRoot, 'docs/monitoring.md'));
  });
});

describe('the runbook', () => {
  it.each(
    queryTable.map(({ name, runbook }) => [name, runbook]),
  )('names the query "%s" at its question, %s', (name, runbook) => {
    expect(paragraphs.get(runbook)).toContain(`*${name}*`);
  });

  it('has the paragraph that each graph leads to', () => {
    const led = graphTable.flatMap(({ runbook }) => runbook ?? []);
    expect(led.filter((fragment) => !paragraphs.has(fragment))).toEqual([]);
  });
});
