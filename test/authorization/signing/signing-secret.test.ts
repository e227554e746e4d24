import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSigningSecret } from '../../../lambdas/authorization/signing/signing-secret.ts';
import { mockClient } from '../../support/client-doubles.ts';

const aws = mockClient(SecretsManagerClient);
const secret = createSigningSecret(new SecretsManagerClient({ region: 'us-east-1' }), 'the-secret');
const message = { message: '', $metadata: {} };

describe('a secret in Secrets Manager', () => {
  beforeEach(() => {
    aws.reset();
  });

  it('tells its versions’ labels, and when it was last rotated', async () => {
    aws.on(DescribeSecretCommand).resolves({
      VersionIdsToStages: { v1: ['AWSCURRENT'] },
      LastRotatedDate: new Date(5),
    });
    expect(await secret.describe()).toEqual({ versions: { v1: ['AWSCURRENT'] }, lastRotatedAt: 5 });
  });

  it('has no value for a version Secrets Manager doesn’t find, and passes every other error on', async () => {
    aws.on(GetSecretValueCommand).rejects(new ResourceNotFoundException(message));
    expect(await secret.read({ versionId: 'v2' })).toBeUndefined();
    aws.on(GetSecretValueCommand).rejects(new Error('denied'));
    await expect(secret.read('AWSCURRENT')).rejects.toThrow('denied');
  });

  it('writes a version under its token, and leaves the first value where another was faster', async () => {
    aws.on(PutSecretValueCommand).resolves({});
    await secret.writePending('v2', 'value');
    expect(aws.commandCalls(PutSecretValueCommand)[0]?.args[0].input).toEqual({
      SecretId: 'the-secret',
      ClientRequestToken: 'v2',
      SecretString: 'value',
      VersionStages: ['AWSPENDING'],
    });
    aws.on(PutSecretValueCommand).rejects(new ResourceExistsException(message));
    await secret.writePending('v2', 'another');
  });

  it('moves AWSCURRENT from the version that has it', async () => {
    aws.on(UpdateSecretVersionStageCommand).resolves({});
    await secret.makeCurrent('v2', 'v1');
    expect(aws.commandCalls(UpdateSecretVersionStageCommand)[0]?.args[0].input).toEqual({
      SecretId: 'the-secret',
      VersionStage: 'AWSCURRENT',
      MoveToVersionId: 'v2',
      RemoveFromVersionId: 'v1',
    });
  });
});
