import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createSdkTable } from '../../lambdas/platform/table/sdk-table.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import type { Table } from '../../lambdas/platform/table/table.ts';
import { type TestEngine, testCredentials } from '../support/engine.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { cases } from './faults.ts';

/**
 * The portal's table by a way that breaks as told; what failed is tried again at once. Calls go through the proxy from a plan with faults to
 * the empty one: what prepares an act and reads what it left, most of all calls, takes the signed way to the engine, at a fraction of the CPU.
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

/** One of each kind of fault: each act is made ready anew for each of its calls, which takes its time. */
export const portalCases = cases.filter(({ fault, duration }) =>
  [
    'the call is lost, for good',
    'it is throttled, once',
    'it is carried out and the answer lost, once',
    'it is carried out and the answer lost, for good',
  ].includes(`${fault}, ${duration}`),
);
