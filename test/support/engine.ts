import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ServiceAccess } from '../../lambdas/platform/table/signed-calls.ts';
import { type Engine, type EngineOptions, startEngine } from '../../local/aws/dynamodb/engine.ts';

export interface TestEngine extends Engine {
  readonly tableName: string;
  /** A client of the SDK with credentials, for tests; handlers create their own. */
  readonly client: DynamoDBClient;
  /** Region, endpoint and credentials for the client that signs its own requests. */
  readonly access: ServiceAccess;
}

export const testCredentials = { accessKeyId: 'AKIDTEST', secretAccessKey: 'test' };

/**
 * Starts the real embedded engine with one empty table of the environment's schema, in memory unless a file is given. Stop it in
 * `afterAll`.
 */
export async function startTestEngine(options: EngineOptions = {}): Promise<TestEngine> {
  const engine = await startEngine(options);
  const { endpoint } = engine;
  const region = 'us-east-1';
  const client = new DynamoDBClient({ endpoint, region, credentials: testCredentials });
  const tableName = 'environment';
  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
        { AttributeName: 'sealWindow', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'audit-window',
          KeySchema: [
            { AttributeName: 'sealWindow', KeyType: 'HASH' },
            { AttributeName: 'sk', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['digest'] },
        },
      ],
    }),
  );
  return { ...engine, tableName, client, access: { endpoint, region, ...testCredentials } };
}
