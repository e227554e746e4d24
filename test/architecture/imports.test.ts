import { describe, expect, it } from 'vitest';
import { importsIn, readImports, repositoryRoot, sourceFiles } from './imports.ts';
import { violations } from './rules.ts';

const folders = ['bin', 'lib', 'lambdas', 'local', 'ops', 'portal-static'];

describe('who may import whom', () => {
  it('holds in every file', () => {
    const paths = sourceFiles(repositoryRoot, folders);
    expect(paths.length).toBeGreaterThan(30);
    expect(violations(readImports(repositoryRoot, paths))).toEqual([]);
  });

  it.each([
    [
      'a domain that imports an adapter',
      'lambdas/oauth/planted.ts',
      "import { x } from '../storage/sdk-table.ts';",
    ],
    [
      'a domain that imports another domain',
      'lambdas/fhir/planted.ts',
      "import type { X } from '../oauth/grant.ts';",
    ],
    ['a domain that reaches AWS', 'lambdas/oauth/planted.ts', "import { S } from '@aws-sdk/client-ses';"],
    [
      'a domain that reads the clock adapter',
      'lambdas/fhir/planted.ts',
      "import { systemClock } from '../runtime/clock.ts';",
    ],
    ['a catalog that imports a domain', 'lambdas/catalog/planted.ts', "export { x } from '../fhir/read.ts';"],
    [
      'a stack that imports a handler',
      'lib/planted.ts',
      "import { handler } from '../lambdas/functions/token.handler.ts';",
    ],
    [
      'a runner that imports our stacks',
      'local/planted.ts',
      "const x = await import('../lib/environment/data-stack.ts');",
    ],
    [
      'a runner that imports our functions',
      'local/planted.ts',
      "import { keys } from '../lambdas/storage/keys.ts';",
    ],
    ['anybody who imports a handler', 'lambdas/storage/planted.ts', "import '../oauth/token.handler.ts';"],
    ['a file outside the layout', 'lambdas/utils/planted.ts', "import '../catalog/environments.ts';"],
  ])('catches %s', (_what, path, source) => {
    expect(violations(importsIn(path, source))).toHaveLength(1);
  });
});
