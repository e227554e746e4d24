import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createSdkTable } from '../../lambdas/platform/table/sdk-table.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import type { Table } from '../../lambdas/platform/table/table.ts';
import { type TestEngine, testCredentials } from '../support/engine.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { cases } from './faults.ts';

/**
 * The portal's table behind a proxy that breaks calls as planned; retries are instant. Only while a plan has faults do calls go through the
 * proxy. All other calls, which prepare an act and read its result, take the signed client directly to the engine, with a fraction of the
 * CPU.
 */
export async function breakableTable({
  access,
  tableName,
}: TestEngine): Promise<{ readonly proxy: FaultyProxy; readonly table: Table }> {
  const proxy = await startFaultyProxy(access.endpoint);
  const client = new DynamoDBClient({
    endpoint: proxy.endpoint,
    region: access.region,
    credentials: testCredentials,
    maxAttempts: 1,
  });
  const patience = { random: () => 0, sleep: async () => undefined };
  const breakable = createSdkTable({ tableName, client, patience });
  const well = createSignedTable({ tableName, access, patience });
  let current = well;
  return {
    proxy: {
      ...proxy,
      plan(...faults) {
        current = faults.length > 0 ? breakable : well;
        proxy.plan(...faults);
      },
    },
    table: new Proxy(well, { get: (_, name) => Reflect.get(current, name) }),
  };
}

/** One case of each kind of fault, since each call of each act is prepared anew, which takes time. */
export const portalCases = cases.filter(({ fault, duration }) =>
  [
    'the call is lost, for good',
    'it is throttled, once',
    'it is carried out and the answer lost, once',
    'it is carried out and the answer lost, for good',
  ].includes(`${fault}, ${duration}`),
);
