/** Starts the Patient Access functions of every LOB over one store, with synthetic members who share everything with `client-1`. */

import { vi } from 'vitest';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { ApiHandler } from '../../lambdas/platform/http/pipeline.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import { grantKey } from '../../lambdas/platform/table/table-keys.ts';
import type { SyntheticMember } from '../../ops/generator/members.ts';
import { type EventParts, functionEnvironment, gatewayEvent } from '../fhir/gateway-event.ts';
import { startTestEngine } from '../support/engine.ts';
import { storeResources } from '../support/stored-resources.ts';

const base = '/extfhirpatientaccess/v1';

export interface MembersWorld {
  /** Creates the Patient Access function of a LOB with the environment that its stack gives it. */
  functionOf(lob: LineOfBusiness): Promise<ApiHandler>;
  stop(): Promise<void>;
}

export async function startMembersWorld(members: readonly SyntheticMember[]): Promise<MembersWorld> {
  const engine = await startTestEngine();
  const table = createSignedTable(engine);
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  for (const { lob, patientId, resources } of members) {
    const granted = { clientId: 'client-1', state: 'active', expiresAt: 4_000_000_000 };
    await table.put({ ...grantKey(lob, patientId, 'grant-1'), ...granted });
    await storeResources(table, lob, patientId, resources);
  }
  return {
    async functionOf(lob) {
      const environment = {
        ...functionEnvironment(engine.endpoint, engine.tableName),
        LINE_OF_BUSINESS: lob,
      };
      for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
      vi.resetModules();
      return (await import('../../lambdas/patient-access/patient-access.handler.ts')).handler;
    },
    async stop() {
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
      await engine.stop();
    },
  };
}

/** Returns a function that calls `handler` as `client-1` with a token of the member. */
export function caller(handler: ApiHandler, { patientId }: SyntheticMember, scope = 'patient/*.rs') {
  const authorizer = {
    ...{ clientId: 'client-1', products: 'patient-access', grantId: 'grant-1' },
    ...{ patientId, scope, tokenId: 'token-1', tokenExpiresAt: '4000000000' },
  };
  return (path: string, parts: Partial<EventParts> = {}) =>
    handler(gatewayEvent({ resource: `${base}${path}`, authorizer, ...parts }));
}
