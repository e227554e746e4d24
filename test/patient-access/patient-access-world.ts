import type { APIGatewayProxyResult } from 'aws-lambda';
import { vi } from 'vitest';
import { everySensitiveScope } from '../../lambdas/catalog/fhir/sensitive-categories.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import type { Table } from '../../lambdas/platform/table/table.ts';
import { grantKey } from '../../lambdas/platform/table/table-keys.ts';
import type { SyntheticMember } from '../../ops/generator/members.ts';
import { type EventParts, functionEnvironment, gatewayEvent } from '../fhir/gateway-event.ts';
import { startTestEngine } from '../support/engine.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { storeResources } from '../support/stored-resources.ts';

export const lob: LineOfBusiness = 'DSNP';
export const base = '/extfhirpatientaccess/v1';

/** The Patient Access function of one LOB over the engine. Its calls have the form in which the gateway passes them on. */
export interface PatientAccessWorld {
  readonly proxy: FaultyProxy;
  /** The table without the proxy, so that planned faults do not affect it. */
  readonly table: Table;
  /** Lines that the function has logged. */
  readonly lines: string[];
  /** @param resource the route below the FHIR base: `/Patient/{id}` */
  call(resource: string, parts: Partial<EventParts>): Promise<APIGatewayProxyResult>;
  /** Loads a member's resources with their index entries. */
  load(member: Pick<SyntheticMember, 'patientId' | 'resources'>): Promise<void>;
  setGrant(patientId: string, state: 'active' | 'revoked'): Promise<void>;
  stop(): Promise<void>;
}

/** The authorizer's context of `client-1`, with which the member shares everything by `grant-1`. */
export function contextOf(patientId: string) {
  return {
    clientId: 'client-1',
    products: 'patient-access',
    grantId: 'grant-1',
    patientId,
    scope: `openid patient/*.read ${everySensitiveScope}`,
    tokenId: 'token-1',
    tokenExpiresAt: '4000000000',
  };
}

export async function startPatientAccess(): Promise<PatientAccessWorld> {
  const engine = await startTestEngine();
  const proxy = await startFaultyProxy(engine.endpoint);
  const table = createSignedTable(engine);
  for (const [name, value] of Object.entries(functionEnvironment(proxy.endpoint, engine.tableName))) {
    vi.stubEnv(name, value);
  }
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => lines.push(String(line)));
  const { handler } = await import('../../lambdas/patient-access/patient-access.handler.ts');
  return {
    proxy,
    table,
    lines,
    call: (resource, parts) => handler(gatewayEvent({ resource: `${base}${resource}`, ...parts })),
    load: ({ patientId, resources }) => storeResources(table, lob, patientId, resources),
    setGrant: (patientId, state) =>
      table.put({
        ...grantKey(lob, patientId, 'grant-1'),
        clientId: 'client-1',
        state,
        expiresAt: 4_000_000_000,
      }),
    async stop() {
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
      await proxy.stop();
      await engine.stop();
    },
  };
}
