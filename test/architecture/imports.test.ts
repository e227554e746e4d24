import { describe, expect, it } from 'vitest';
import { importsIn, readImports, repositoryRoot, sourceFiles } from './imports.ts';
import { rooms, violations } from './rules.ts';

const folders = ['bin', 'lib', 'lambdas', 'local', 'ops', 'portal-static'];

/** For each room of a capability an invented file with an import that is not allowed. No `planted` file exists. */
const plantedIn = (capability: string, other: string): Planted => ({
  [`${capability} store contract`]: [
    `lambdas/${capability}/store/planted-contract.ts`,
    `import '../../${other}/store/planted.ts';`,
  ],
  [`${capability} contract`]: [`lambdas/${capability}/room/planted-contract.ts`, "import '../store/a.ts';"],
  [`${capability} adapters`]: [
    `lambdas/${capability}/store/planted.ts`,
    `import '../../${other}/room/planted.ts';`,
  ],
  [`${capability} handlers`]: [
    `lambdas/${capability}/planted.handler.ts`,
    `import '../${other}/store/planted.ts';`,
  ],
  [`${capability} domain`]: [
    `lambdas/${capability}/room/planted.ts`,
    "import '../store/planted-contract.ts';",
  ],
});

type Planted = Readonly<Record<string, readonly [path: string, source: string]>>;

/** For each room an invented file with an import that is not allowed. */
const planted: Planted = {
  catalog: ['lambdas/catalog/planted.ts', "export { x } from '../fhir/read/entity-tag.ts';"],
  kernel: ['lambdas/platform/kernel/planted.ts', "import { createHash } from 'node:crypto';"],
  shapes: ['lambdas/platform/kernel/shapes.ts', "import '../../catalog/environments.ts';"],
  runtime: ['lambdas/platform/runtime/planted.ts', "import '../table/table-keys.ts';"],
  table: ['lambdas/platform/table/planted.ts', "import '../../fhir/values/values.ts';"],
  http: ['lambdas/platform/http/planted.ts', "import '../../clients/provisioning/client.ts';"],
  'platform aws': ['lambdas/platform/aws/planted.ts', "import '../../loads/aws/drop-bucket.ts';"],
  fhir: ['lambdas/fhir/read/planted.ts', "import '../store/resource-store.ts';"],
  'fhir store': ['lambdas/fhir/store/planted.ts', "import '../../loads/store/load-store.ts';"],
  'fhir validation': ['lambdas/fhir/validation/planted.ts', "import { createHash } from 'node:crypto';"],
  ...plantedIn('authorization', 'loads'),
  ...plantedIn('clients', 'loads'),
  ...plantedIn('patient-access', 'loads'),
  ...plantedIn('payer-access', 'loads'),
  ...plantedIn('payer-exchange', 'loads'),
  ...plantedIn('provider-directory', 'loads'),
  ...plantedIn('loads', 'clients'),
  ...plantedIn('audit', 'loads'),
  'portal catalog': ['lambdas/portal/catalog/planted.ts', "import '../accounts/account.ts';"],
  'portal api': ['lambdas/portal/api/planted.ts', "import '../accounts/account.ts';"],
  'portal domain': ['lambdas/portal/accounts/planted.ts', "import '../adapters/portal-table-keys.ts';"],
  'portal http': ['lambdas/portal/http/planted.ts', "import '../accounts/account.ts';"],
  'portal adapters': ['lambdas/portal/adapters/planted.ts', "import '../../platform/http/pipeline.ts';"],
  'portal handlers': ['lambdas/portal/planted.handler.ts', "import '../clients/store/client-registry.ts';"],
  configuration: ['lib/config/planted.ts', "import '../environment/data-stack.ts';"],
  lib: ['lib/planted.ts', "import { handler } from '../lambdas/authorization/token.handler.ts';"],
  bin: ['bin/planted.ts', "import '../local/main.ts';"],
  local: ['local/planted.ts', "import { keys } from '../lambdas/platform/table/table-keys.ts';"],
  generator: ['ops/generator/planted.ts', "import '../command-line/invoke.ts';"],
  ops: ['ops/planted.ts', "import { keys } from '../lambdas/platform/table/table-keys.ts';"],
  'portal build': ['portal-static/build/planted.ts', "import '../../lambdas/loads/rows/rows.ts';"],
  'portal pages': ['portal-static/pages/planted.tsx', "import { readFileSync } from 'node:fs';"],
};

describe('who may import whom', () => {
  it('holds in every file', () => {
    const paths = sourceFiles(repositoryRoot, folders);
    expect(paths.length).toBeGreaterThan(30);
    expect(violations(readImports(repositoryRoot, paths))).toEqual([]);
  });

  it.each(rooms.map(({ name }) => name))('catches an import that the room "%s" may not have', (name) => {
    const [path, source] = planted[name] ?? ['', ''];
    expect(violations(importsIn(path, source))).toEqual([expect.stringContaining(`(${name}) imports`)]);
  });

  it('catches an import of a function by any room', () => {
    const others = Object.entries(planted).filter(([name]) => name !== 'authorization handlers');
    for (const [, [path]] of others) {
      const toRoot = '../'.repeat(path.split('/').length - 1);
      const source = `import '${toRoot}lambdas/authorization/token.handler.ts';`;
      expect(violations(importsIn(path, source))).toHaveLength(1);
    }
  });

  it('catches a file outside the map', () => {
    expect(violations(importsIn('lambdas/utils/planted.ts', "import '../catalog/environments.ts';"))).toEqual(
      ['lambdas/utils/planted.ts belongs to no room'],
    );
  });
});
