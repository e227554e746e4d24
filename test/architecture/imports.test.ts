import { describe, expect, it } from 'vitest';
import { importsIn, readImports, repositoryRoot, sourceFiles } from './imports.ts';
import { rooms, violations } from './rules.ts';

const folders = ['bin', 'lib', 'lambdas', 'local', 'ops', 'portal-static'];

/** A file of each room, and an import it may not have. */
const planted: Readonly<Record<string, readonly [path: string, source: string]>> = {
  functions: ['lambdas/functions/planted.handler.ts', "import '../../lib/environment/data-stack.ts';"],
  catalog: ['lambdas/catalog/planted.ts', "export { x } from '../fhir/entity-tag.ts';"],
  kernel: ['lambdas/kernel/planted.ts', "import { createHash } from 'node:crypto';"],
  shapes: ['lambdas/kernel/shapes.ts', "import '../catalog/environments.ts';"],
  routes: ['lambdas/http/find-route.ts', "import { x } from './pipeline.ts';"],
  runtime: ['lambdas/runtime/planted.ts', "import { keys } from '../storage/table-keys.ts';"],
  'clients contract': ['lambdas/clients/registration.ts', "import type { Client } from './client.ts';"],
  'oauth contract': ['lambdas/oauth/planted-contract.ts', "import type { Client } from './client.ts';"],
  'fhir contract': ['lambdas/fhir/directory/planted-contract.ts', "import './plan.ts';"],
  'audit contract': ['lambdas/audit/planted-contract.ts', "import { S } from '@aws-sdk/client-kms';"],
  'signing contract': ['lambdas/signing/planted-contract.ts', "import './key-pair.ts';"],
  oauth: ['lambdas/oauth/planted.ts', "import { x } from '../table/sdk-table.ts';"],
  fhir: ['lambdas/fhir/planted.ts', "import type { X } from '../oauth/oauth-client.ts';"],
  clients: ['lambdas/clients/planted.ts', "import { systemClock } from '../runtime/clock.ts';"],
  members: ['lambdas/members/planted.ts', "import { S } from '@aws-sdk/client-ses';"],
  loads: ['lambdas/loads/planted.ts', "import '../members/ingest.ts';"],
  audit: ['lambdas/audit/planted.ts', "import '../fhir/disclosure-recorder-port.ts';"],
  table: ['lambdas/table/planted.ts', "import { clientKey } from '../storage/table-keys.ts';"],
  storage: ['lambdas/storage/planted.ts', "import '../aws/api-keys.ts';"],
  signing: ['lambdas/signing/planted.ts', "import '../storage/table-keys.ts';"],
  'identity provider': ['lambdas/identity-provider/planted.ts', "import '../storage/table-keys.ts';"],
  sqlite: ['lambdas/sqlite/planted.ts', "import '../storage/table-keys.ts';"],
  aws: ['lambdas/aws/planted.ts', "import '../storage/table-keys.ts';"],
  http: ['lambdas/http/planted.ts', "import type { Client } from '../clients/client.ts';"],
  authorizer: ['lambdas/authorizer/planted.ts', "import type { Client } from '../oauth/oauth-client.ts';"],
  'portal catalog': ['lambdas/portal/catalog/planted.ts', "import '../accounts/account.ts';"],
  'portal api': ['lambdas/portal/api/planted.ts', "import '../accounts/account.ts';"],
  'portal domain': ['lambdas/portal/accounts/planted.ts', "import '../adapters/portal-table-keys.ts';"],
  'portal http': ['lambdas/portal/http/planted.ts', "import '../accounts/account.ts';"],
  'portal adapters': ['lambdas/portal/adapters/planted.ts', "import '../../storage/table-keys.ts';"],
  configuration: ['lib/config/planted.ts', "import '../environment/data-stack.ts';"],
  lib: ['lib/planted.ts', "import { handler } from '../lambdas/functions/token.handler.ts';"],
  bin: ['bin/planted.ts', "import '../local/main.ts';"],
  local: ['local/planted.ts', "import { keys } from '../lambdas/storage/table-keys.ts';"],
  'fhir validation': ['lambdas/fhir-validation/planted.ts', "import { createHash } from 'node:crypto';"],
  ops: ['ops/planted.ts', "import { keys } from '../lambdas/storage/table-keys.ts';"],
  'portal build': ['portal-static/build/planted.ts', "import '../../lambdas/oauth/oauth-client.ts';"],
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
    const others = Object.entries(planted).filter(([name]) => name !== 'functions');
    for (const [, [path]] of others) {
      const toRoot = '../'.repeat(path.split('/').length - 1);
      const source = `import '${toRoot}lambdas/functions/token.handler.ts';`;
      expect(violations(importsIn(path, source))).toHaveLength(1);
    }
  });

  it('catches a file outside the map', () => {
    expect(violations(importsIn('lambdas/utils/planted.ts', "import '../catalog/environments.ts';"))).toEqual(
      ['lambdas/utils/planted.ts belongs to no room'],
    );
  });
});
