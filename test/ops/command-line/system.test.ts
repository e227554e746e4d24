import { join } from 'node:path';
import { expect, it } from 'vitest';
import { localSystemFile } from '../../../ops/command-line/system.ts';
import { repositoryRoot } from '../../architecture/imports.ts';

it('the description of the local system lies where `npm start` writes it', () => {
  expect(localSystemFile).toBe(join(repositoryRoot, '.local', 'system.json'));
});
