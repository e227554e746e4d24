import {
  APIGatewayClient,
  CreateApiKeyCommand,
  DeleteApiKeyCommand,
  GetApiKeyCommand,
  UpdateApiKeyCommand,
} from '@aws-sdk/client-api-gateway';
import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { afterAll, describe, expect, it } from 'vitest';
import { createGatewayKeys } from '../../../lambdas/clients/aws/api-keys.ts';
import type { Key } from '../../../lambdas/platform/table/key.ts';
import { grantKey, patientEntryKey, patientResourceKey } from '../../../lambdas/platform/table/table-keys.ts';
import { memberDataApp } from '../../../lib/member-data-app.ts';
import { loadAssembly } from '../../../local/assembly/load-assembly.ts';
import { readFunctions } from '../../../local/lambda/functions.ts';
import { withBundles } from '../../lib/synthesized-app.ts';
import { started } from './started.ts';

const assembly = withBundles([], ({ bundles, site, outdir }) => {
  memberDataApp({ bundles, site, outdir, context: { configuration: 'local' } }).synth();
  return loadAssembly(outdir);
});
const functions = readFunctions(assembly);
const callers = functions.map(
  ({ accessKeyId, roleArn, arn }) => [accessKeyId, { roleArn, functionArn: arn }] as const,
);
const endpoint = await started({ assembly, callers: new Map(callers) });
afterAll(() => endpoint.stopAndForget());
await endpoint.deploy();

/** Configuration of a client that has the role of a deployed function. */
function roleOf(stack: string, logicalId: RegExp): typeof endpoint.asOperator {
  const found = assembly
    .ofType('AWS::Lambda::Function')
    .find((each) => each.stack === stack && logicalId.test(each.logicalId));
  const accessKeyId = readFunctions(assembly).find(({ arn }) => arn === found?.arn)?.accessKeyId ?? '';
  return { ...endpoint.asOperator, credentials: { accessKeyId, secretAccessKey: 'not verified' } };
}

const as = (stack: string, logicalId: RegExp) => new DynamoDBClient(roleOf(stack, logicalId));

const tableName = () =>
  assembly.ofType('AWS::DynamoDB::GlobalTable').find(({ stack }) => stack === 'sandbox-Data')?.physicalId ??
  '';
const item = ({ pk, sk }: Key) => ({ pk: { S: pk }, sk: { S: sk } });

const patient = patientResourceKey('DSNP', 'p1', 'Patient', 'p1');
const entry = patientEntryKey('DSNP', 'p1', 'Patient', 'p1');
const grant = grantKey('DSNP', 'p1', 'g1');

const readsGrant = (TableName: string) => new GetItemCommand({ TableName, Key: item(grant) });
const listsGrants = (TableName: string) =>
  new QueryCommand({
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': item(grant).pk },
  });

describe('the roles of the templates, behind the endpoint of one machine', () => {
  it.each([
    ['authorize', /^FunctionsAuthorize/, readsGrant],
    ['connected-apps', /^FunctionsConnectedApps/, listsGrants],
    ['token', /^FunctionsToken/, readsGrant],
    ['userinfo', /^FunctionsUserinfo/, readsGrant],
  ])('refuse %s a member’s resources, however it asks', async (_name, logicalId, grantRead) => {
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
    await client.send(grantRead(TableName) as GetItemCommand);
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

  it('let provisioning make, see and change API keys of its own environment, and of another none', async () => {
    const keysAs = (stack: string) => new APIGatewayClient(roleOf(stack, /^Provisioning/));
    const create = (stack: string, environment: string, value: string) =>
      keysAs(stack).send(
        new CreateApiKeyCommand({ name: value, value, tags: { 'member-data:stage': environment } }),
      );
    const { id: apiKey } = await create('production-Subscriptions', 'production', 'p'.repeat(40));
    const acts = (stack: string) => [
      keysAs(stack).send(new GetApiKeyCommand({ apiKey, includeValue: true })),
      keysAs(stack).send(
        new UpdateApiKeyCommand({
          apiKey,
          patchOperations: [{ op: 'replace', path: '/enabled', value: 'false' }],
        }),
      ),
    ];
    await Promise.all(acts('production-Subscriptions'));
    const foreign = [
      ...acts('sandbox-Subscriptions'),
      keysAs('sandbox-Subscriptions').send(new DeleteApiKeyCommand({ apiKey })),
      create('sandbox-Subscriptions', 'production', 's'.repeat(40)),
    ];
    for (const each of await Promise.allSettled(foreign)) {
      expect(each).toMatchObject({ status: 'rejected', reason: { name: 'AccessDeniedException' } });
    }
    const end = () => keysAs('production-Subscriptions').send(new DeleteApiKeyCommand({ apiKey }));
    await end();
    // A deleted key has no tag, so IAM denies the call; the adapter must tell this from a key of another environment.
    await expect(end()).rejects.toMatchObject({ name: 'AccessDeniedException' });
    const adapter = createGatewayKeys(keysAs('production-Subscriptions'), {}, 'production');
    await expect(adapter.delete(String(apiKey))).resolves.toBeUndefined();
  });

  it('let provisioning change and delete no API key without its tag', async () => {
    const operator = new APIGatewayClient(endpoint.asOperator);
    const { id } = await operator.send(
      new CreateApiKeyCommand({ name: 'theirs', value: 'u'.repeat(40), enabled: true }),
    );
    const client = new APIGatewayClient(roleOf('production-Subscriptions', /^Provisioning/));
    const keys = createGatewayKeys(client, {}, 'production');
    for (const act of [() => keys.enable(String(id), false), () => keys.delete(String(id))]) {
      await expect(act()).rejects.toMatchObject({ name: 'AccessDeniedException' });
    }
    expect(await operator.send(new GetApiKeyCommand({ apiKey: String(id) }))).toMatchObject({
      enabled: true,
    });
  });

  it.each([
    ['sandbox-Authorization', /^FunctionsAuthorize/],
    ['portal-Site', /Accounts/],
    ['portal-Data', /OutboxWorker/],
  ])('let %s %s send e-mail to whomever, in the SES sandbox too, from one address', async (stack, logicalId) => {
    const client = new SESClient(roleOf(stack, logicalId));
    const identities = assembly
      .ofType('AWS::SES::EmailIdentity')
      .filter((each) => stack.startsWith(each.environment));
    const domain = identities[0]?.physicalId;
    const send = (sender: string) =>
      client.send(
        new SendEmailCommand({
          Source: `${sender}@${domain}`,
          Destination: { ToAddresses: ['ann@mail.example'] },
          Message: { Subject: { Data: 'Your code' }, Body: { Text: { Data: '123456' } } },
        }),
      );
    await expect(send('no-reply')).resolves.toHaveProperty('MessageId');
    await expect(send('board')).rejects.toMatchObject({ name: 'AccessDenied' });
  });
});
