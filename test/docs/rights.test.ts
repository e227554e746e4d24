import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../architecture/imports.ts';
import { rightsPage } from './rights-page.ts';

it('docs/rights.md shows the table of rights as it is', async () => {
  await expect(rightsPage()).toMatchFileSnapshot(join(repositoryRoot, 'docs', 'rights.md'));
});
