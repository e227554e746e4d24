import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterEach, describe, expect, it } from 'vitest';
import { account, allow, assembly, region, resource, role, table } from './declarations.ts';
import { type Started, started } from './started.ts';

const keyArn = `arn:aws:kms:${region}:${account}:key/11111111-0000-4000-8000-000000000000`;
const secretArn = `arn:aws:secretsmanager:${region}:${account}:secret:signing-AbCdEf`;
const rootStatement = {
  Effect: 'Allow',
  Principal: { AWS: `arn:aws:iam::${account}:root` },
  Action: 'kms:*',
  Resource: '*',
};
const keyWith = (...statements: object[]) =>
  resource(
    'AWS::KMS::Key',
    'Key',
    { KeyPolicy: { Statement: statements } },
    { physicalId: keyArn.slice(-36), arn: keyArn },
  );
const encryptedTable = table({
  Replicas: [{ Region: region, SSESpecification: { KMSMasterKeyId: keyArn } }],
});
const secret = resource(
  'AWS::SecretsManager::Secret',
  'Signing',
  { SecretString: 'x', KmsKeyId: keyArn },
  { physicalId: secretArn, arn: secretArn },
);
const via = (service: string) => ({
  StringEquals: { 'kms:ViaService': `${service}.${region}.amazonaws.com` },
});
const data = [allow('dynamodb:*'), allow('secretsmanager:*')];

describe('data under a key of the templates', () => {
  let endpoint: Started | undefined;
  afterEach(async () => await endpoint?.stopAndForget());

  async function start(statements: readonly object[], key = keyWith(rootStatement)) {
    endpoint = await started({
      assembly: assembly(role(...data, ...statements), encryptedTable, secret, key),
    });
    await endpoint.deploy();
    const dynamoDb = new DynamoDBClient(endpoint.asFunction);
    const secrets = new SecretsManagerClient(endpoint.asFunction);
    return {
      read: () =>
        dynamoDb.send(
          new GetItemCommand({ TableName: 'environment', Key: { pk: { S: 'a' }, sk: { S: 'b' } } }),
        ),
      open: () => secrets.send(new GetSecretValueCommand({ SecretId: secretArn })),
      put: () => secrets.send(new PutSecretValueCommand({ SecretId: secretArn, SecretString: 'y' })),
    };
  }

  it('is open to a role that may use the key through the service', async () => {
    const { read, open, put } = await start([
      allow('kms:Decrypt', keyArn, via('dynamodb')),
      allow(['kms:Decrypt', 'kms:GenerateDataKey'], keyArn, via('secretsmanager')),
    ]);
    await read();
    await open();
    await put();
  });

  it('is closed to a role without the right to the key, or with the right through another service', async () => {
    const { read, open, put } = await start([allow('kms:Decrypt', keyArn, via('secretsmanager'))]);
    await expect(read()).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining('kms:Decrypt'),
    });
    await open();
    await expect(put()).rejects.toThrow('kms:GenerateDataKey');
  });

  it('is closed where the key’s own policy does not let the account in', async () => {
    const elsewhere = { ...rootStatement, Principal: { AWS: 'arn:aws:iam::999999999999:root' } };
    const { read, open } = await start([allow('kms:*')], keyWith(elsewhere));
    await expect(read()).rejects.toThrow('no resource-based policy');
    await expect(open()).rejects.toThrow('no resource-based policy');
  });
});
