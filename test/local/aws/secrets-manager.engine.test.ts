import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { afterEach, describe, expect, it } from 'vitest';
import type { Resource } from '../../../local/assembly/resources.ts';
import { account, allow, assembly, region, resource, role } from './declarations.ts';
import { type Started, started } from './started.ts';

const secretArn = `arn:aws:secretsmanager:${region}:${account}:secret:signing-AbCdEf`;
const functionArn = `arn:aws:lambda:${region}:${account}:function:rotation`;

const secret = resource(
  'AWS::SecretsManager::Secret',
  'Signing',
  { GenerateSecretString: { PasswordLength: 20, ExcludePunctuation: true } },
  { physicalId: secretArn, arn: secretArn },
);
const schedule = (properties: object = {}) =>
  resource('AWS::SecretsManager::RotationSchedule', 'Schedule', {
    SecretId: secretArn,
    RotationLambdaARN: functionArn,
    RotationRules: { ScheduleExpression: 'rate(30 days)' },
    ...properties,
  });
const permission = resource('AWS::Lambda::Permission', 'Permission', {
  Action: 'lambda:InvokeFunction',
  FunctionName: functionArn,
  Principal: 'secretsmanager.amazonaws.com',
  SourceAccount: account,
});

interface RotationEvent {
  readonly Step: string;
  readonly SecretId: string;
  readonly ClientRequestToken: string;
}

/** A rotation function in the form of AWS's template, with the real SDK client. */
function rotator(endpoint: () => Started, failAt?: string) {
  const steps: string[] = [];
  const invoke = async (_arn: string, payload: string) => {
    const { Step, SecretId, ClientRequestToken } = JSON.parse(payload) as RotationEvent;
    steps.push(Step);
    if (Step === failAt) return { payload: '{"errorMessage":"no"}', functionError: 'Unhandled' };
    const client = new SecretsManagerClient(endpoint().asFunction);
    const { VersionIdsToStages = {} } = await client.send(new DescribeSecretCommand({ SecretId }));
    expect(VersionIdsToStages[ClientRequestToken]).toContain('AWSPENDING');
    if (Step === 'createSecret') {
      const SecretString = `made in rotation ${ClientRequestToken}`;
      await client.send(
        new PutSecretValueCommand({
          SecretId,
          ClientRequestToken,
          SecretString,
          VersionStages: ['AWSPENDING'],
        }),
      );
    }
    if (Step === 'finishSecret') {
      const current = Object.entries(VersionIdsToStages).find(([, stages]) =>
        stages.includes('AWSCURRENT'),
      )?.[0];
      await client.send(
        new UpdateSecretVersionStageCommand({
          SecretId,
          VersionStage: 'AWSCURRENT',
          MoveToVersionId: ClientRequestToken,
          RemoveFromVersionId: current,
        }),
      );
    }
    return { payload: 'null' };
  };
  return { steps, invoke };
}

describe('Secrets Manager', () => {
  const running: Started[] = [];
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stopAndForget();
  });

  async function start(resources: readonly Resource[], deps: Partial<Parameters<typeof started>[0]> = {}) {
    const endpoint = await started({
      assembly: assembly(role(allow('secretsmanager:*', secretArn)), ...resources),
      ...deps,
    });
    running.push(endpoint);
    return endpoint;
  }

  async function startRotating(failAt?: string, properties: object = {}) {
    const holder: { endpoint?: Started } = {};
    const { steps, invoke } = rotator(() => {
      if (holder.endpoint === undefined) throw new Error('not started');
      return holder.endpoint;
    }, failAt);
    holder.endpoint = await start([secret, schedule(properties), permission], { invoke });
    await holder.endpoint.deploy();
    return { steps, endpoint: holder.endpoint, client: new SecretsManagerClient(holder.endpoint.asFunction) };
  }

  it('generates the first value, and gives the same by ARN, by name and after a restart', async () => {
    const endpoint = await start([secret]);
    await endpoint.deploy();
    const client = new SecretsManagerClient(endpoint.asFunction);
    const byArn = await client.send(new GetSecretValueCommand({ SecretId: secretArn }));
    expect(byArn.SecretString).toMatch(/^[A-Za-z0-9]{20}$/);
    expect(byArn.VersionStages).toEqual(['AWSCURRENT']);
    expect(byArn.Name).toBe('signing');
    await endpoint.stop();
    running.pop();
    const again = await start([secret], { stateDirectory: endpoint.stateDirectory });
    await again.deploy();
    const byName = await new SecretsManagerClient(again.asFunction).send(
      new GetSecretValueCommand({ SecretId: 'signing' }),
    );
    expect(byName.SecretString).toBe(byArn.SecretString);
  });

  it('rotates at the first deployment by the four steps, and leaves the old value as AWSPREVIOUS', async () => {
    const { steps, client } = await startRotating();
    expect(steps).toEqual(['createSecret', 'setSecret', 'testSecret', 'finishSecret']);
    const current = await client.send(new GetSecretValueCommand({ SecretId: secretArn }));
    expect(current.SecretString).toBe(`made in rotation ${current.VersionId}`);
    const previous = await client.send(
      new GetSecretValueCommand({ SecretId: secretArn, VersionStage: 'AWSPREVIOUS' }),
    );
    expect(previous.SecretString).toMatch(/^[A-Za-z0-9]{20}$/);
    const described = await client.send(new DescribeSecretCommand({ SecretId: secretArn }));
    expect(described).toMatchObject({ RotationEnabled: true, RotationLambdaARN: functionArn });
    expect(described.LastRotatedDate).toBeInstanceOf(Date);
  });

  it('does not rotate again at a restart before it is due, and does after', async () => {
    const { endpoint } = await startRotating();
    await endpoint.stop();
    running.pop();
    for (const [days, expected] of [
      [29, 0],
      [31, 4],
    ] as const) {
      const holder: { endpoint?: Started } = {};
      const { steps, invoke } = rotator(() => holder.endpoint as Started);
      const now = () => Date.now() + days * 86_400_000;
      holder.endpoint = await start([secret, schedule(), permission], {
        invoke,
        now,
        stateDirectory: endpoint.stateDirectory,
      });
      await holder.endpoint.deploy();
      expect(steps).toHaveLength(expected);
      await holder.endpoint.stop();
      running.pop();
    }
  });

  it('leaves AWSPENDING and AWSCURRENT where they are when a step fails, and takes the same version up again', async () => {
    const { steps, endpoint, client } = await startRotating('testSecret');
    expect(steps).toEqual(['createSecret', 'setSecret', 'testSecret']);
    expect(endpoint.lines.join()).toContain('testSecret');
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretArn }));
    expect(SecretString).toMatch(/^[A-Za-z0-9]{20}$/);
    const pending = await client.send(
      new GetSecretValueCommand({ SecretId: secretArn, VersionStage: 'AWSPENDING' }),
    );
    await expect(client.send(new RotateSecretCommand({ SecretId: secretArn }))).rejects.toMatchObject({
      name: 'InvalidRequestException',
      message: expect.stringContaining('reattempted'),
    });
    expect(pending.SecretString).toContain(pending.VersionId);
  });

  it('waits for RotateSecret where the schedule says so', async () => {
    const { steps, client } = await startRotating(undefined, { RotateImmediatelyOnUpdate: false });
    expect(steps).toEqual([]);
    const { VersionId } = await client.send(new RotateSecretCommand({ SecretId: secretArn }));
    await expect
      .poll(async () => (await client.send(new GetSecretValueCommand({ SecretId: secretArn }))).VersionId)
      .toBe(VersionId);
  });

  it('refuses a template whose rotation function may not be invoked by Secrets Manager', async () => {
    const foreign = {
      ...permission,
      properties: { ...permission.properties, SourceAccount: '999999999999' },
    };
    await expect(start([secret, schedule()])).rejects.toThrow(
      'Lambda permission for secretsmanager.amazonaws.com',
    );
    await expect(start([secret, schedule(), foreign])).rejects.toThrow('Lambda permission');
  });

  it('is idempotent by token, and refuses the token with another value', async () => {
    const endpoint = await start([secret]);
    await endpoint.deploy();
    const client = new SecretsManagerClient(endpoint.asFunction);
    const ClientRequestToken = '0123456789abcdef0123456789abcdef';
    const put = (SecretString: string) =>
      client.send(new PutSecretValueCommand({ SecretId: secretArn, ClientRequestToken, SecretString }));
    await put('one');
    expect(await put('one')).toMatchObject({ VersionId: ClientRequestToken, VersionStages: ['AWSCURRENT'] });
    await expect(put('two')).rejects.toMatchObject({ name: 'ResourceExistsException' });
  });

  it('says what it cannot find, may not give, and does not know', async () => {
    const endpoint = await start([secret, { ...secret, arn: secretArn.replace('signing', 'other') }]);
    await endpoint.deploy();
    const client = new SecretsManagerClient(endpoint.asFunction);
    await expect(client.send(new GetSecretValueCommand({ SecretId: 'nothing' }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    await expect(
      client.send(new GetSecretValueCommand({ SecretId: secretArn, VersionStage: 'AWSPENDING' })),
    ).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: expect.stringContaining('AWSPENDING'),
    });
    await expect(client.send(new GetSecretValueCommand({ SecretId: 'other' }))).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
    await expect(
      new SecretsManagerClient(endpoint.asNobody).send(new GetSecretValueCommand({ SecretId: secretArn })),
    ).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
    await expect(client.send(new ListSecretsCommand({}))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
    await expect(
      client.send(new RotateSecretCommand({ SecretId: secretArn, RotationLambdaARN: functionArn })),
    ).rejects.toMatchObject({ name: 'UnknownOperationException' });
    expect(endpoint.lines).toHaveLength(3);
  });
});
