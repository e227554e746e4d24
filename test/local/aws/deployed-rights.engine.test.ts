import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantKey, type Key, patientEntryKey, patientResourceKey } from '../../../lambdas/storage/keys.ts';
import { memberDataApp } from '../../../lib/member-data-app.ts';
import { type Assembly, loadAssembly } from '../../../local/assembly/resources.ts';
import { readFunctions } from '../../../local/lambda/functions.ts';
import { withBundles } from '../../lib/synthesized-app.ts';
import { type Started, started } from './started.ts';

let endpoint: Started;
let assembly: Assembly;
beforeAll(async () => {
  assembly = withBundles([], ({ bundles, site, outdir }) => {
    memberDataApp({ bundles, site, outdir, context: { configuration: 'local' } }).synth();
    return loadAssembly(outdir);
  });
  const functions = readFunctions(assembly);
  const callers = functions.map(
    ({ accessKeyId, roleArn, arn }) => [accessKeyId, { roleArn, functionArn: arn }] as const,
  );
  endpoint = await started({ assembly, callers: new Map(callers) });
  await endpoint.deploy();
}, 180_000);
afterAll(() => endpoint.stopAndForget());

/** DynamoDB with the role of a deployed function. */
function as(stack: string, logicalId: RegExp): DynamoDBClient {
  const found = assembly
    .ofType('AWS::Lambda::Function')
    .find((each) => each.stack === stack && logicalId.test(each.logicalId));
  const accessKeyId = readFunctions(assembly).find(({ arn }) => arn === found?.arn)?.accessKeyId ?? '';
  return new DynamoDBClient({
    ...endpoint.asOperator,
    credentials: { accessKeyId, secretAccessKey: 'not verified' },
  });
}

const tableName = () =>
  assembly.ofType('AWS::DynamoDB::GlobalTable').find(({ stack }) => stack === 'sandbox-Data')?.physicalId ??
  '';
const item = ({ pk, sk }: Key) => ({ pk: { S: pk }, sk: { S: sk } });

const patient = patientResourceKey('DSNP', 'p1', 'Patient', 'p1');
const entry = patientEntryKey('DSNP', 'p1', 'Patient', 'p1');
const grant = grantKey('DSNP', 'p1', 'g1');

describe('the roles of the templates, behind the endpoint of one machine', () => {
  it.each([
    ['authorize', /^FunctionsAuthorize/],
    ['token', /^FunctionsToken/],
    ['userinfo', /^FunctionsUserinfo/],
  ])('refuse %s a member’s resources, however it asks', async (_name, logicalId) => {
    const client = as('sandbox-Authorization', logicalId);
    const TableName = tableName();
    for (const key of [patient, entry].map(item)) {
      const attempts = [
        new GetItemCommand({ TableName, Key: key }),
        new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: [item(grant), key] } } }),
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': key.pk },
        }),
        new PutItemCommand({ TableName, Item: key }),
        new UpdateItemCommand({ TableName, Key: key }),
        new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item: key } }] }),
      ];
      for (const attempt of attempts) {
        await expect(client.send(attempt as GetItemCommand), attempt.constructor.name).rejects.toMatchObject({
          name: 'AccessDeniedException',
        });
      }
    }
    await client.send(new GetItemCommand({ TableName, Key: item(grant) }));
  });

  it('let Patient Access read a grant and a resource in one call, and of another line of business neither', async () => {
    const client = as('sandbox-LobDSNP', /^FunctionsPatientAccess/);
    const TableName = tableName();
    const readTogether = (...keys: readonly Key[]) =>
      client.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: keys.map(item) } } }));
    await expect(readTogether(grant, patient)).resolves.toBeDefined();
    for (const foreign of [grantKey('MAPD', 'p1', 'g1'), patientResourceKey('MAPD', 'p1', 'Patient', 'p1')]) {
      await expect(readTogether(grant, foreign)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    }
  });
});
