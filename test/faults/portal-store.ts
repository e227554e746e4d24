import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createSdkTable } from '../../lambdas/table/sdk-table.ts';
import type { Table } from '../../lambdas/table/table.ts';
import { type TestEngine, testCredentials } from '../support/engine.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { cases } from './faults.ts';

/** The portal's table by a way that breaks as told; what failed is tried again at once. */
export async function breakableTable({
  endpoint,
  tableName,
}: TestEngine): Promise<{ readonly proxy: FaultyProxy; readonly table: Table }> {
  const proxy = await startFaultyProxy(endpoint);
  const client = new DynamoDBClient({
    endpoint: proxy.endpoint,
    region: 'us-east-1',
    credentials: testCredentials,
    maxAttempts: 1,
  });
  const patience = { random: () => 0, sleep: async () => undefined };
  return { proxy, table: createSdkTable({ tableName, client, patience }) };
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
