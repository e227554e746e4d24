import { GetFunctionCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { account, allow, assembly, region, resource, role } from './declarations.ts';
import { type Started, started } from './started.ts';

const arnOf = (name: string) => `arn:aws:lambda:${region}:${account}:function:${name}`;
const fn = (name: string) =>
  resource('AWS::Lambda::Function', name, {}, { physicalId: name, arn: arnOf(name) });

describe('Lambda Invoke', () => {
  let endpoint: Started;
  let client: LambdaClient;
  const invoked: string[] = [];
  beforeAll(async () => {
    endpoint = await started({
      assembly: assembly(role(allow('lambda:InvokeFunction', arnOf('echo'))), fn('echo'), fn('broken')),
      invoke: async (arn, payload) => {
        invoked.push(`${arn} ${payload}`);
        return arn === arnOf('broken')
          ? { payload: '{"errorMessage":"broken","errorType":"Error"}', functionError: 'Unhandled' }
          : { payload };
      },
    });
    client = new LambdaClient(endpoint.asOperator);
  });
  afterAll(() => endpoint.stopAndForget());

  const invoke = async (FunctionName: string, Payload = '{"a":1}', as = client) =>
    await as.send(new InvokeCommand({ FunctionName, Payload }));

  it('answers what the function answered, by name and by ARN', async () => {
    for (const name of ['echo', arnOf('echo'), 'function:echo', `${account}:function:echo`]) {
      const { StatusCode, Payload, FunctionError } = await invoke(name);
      expect(StatusCode).toBe(200);
      expect(Payload?.transformToString()).toBe('{"a":1}');
      expect(FunctionError).toBeUndefined();
    }
  });

  it('says that the function failed', async () => {
    const { StatusCode, Payload, FunctionError } = await invoke('broken');
    expect([StatusCode, FunctionError]).toEqual([200, 'Unhandled']);
    expect(Payload?.transformToString()).toContain('broken');
  });

  it('does not wait for an event', async () => {
    const { StatusCode } = await client.send(
      new InvokeCommand({ FunctionName: 'echo', InvocationType: 'Event', Payload: '"event"' }),
    );
    expect(StatusCode).toBe(202);
    expect(invoked.at(-1)).toBe(`${arnOf('echo')} "event"`);
    const large = new InvokeCommand({
      FunctionName: 'echo',
      InvocationType: 'Event',
      Payload: JSON.stringify('a'.repeat(1_048_575)),
    });
    await expect(client.send(large)).rejects.toMatchObject({ name: 'RequestTooLargeException' });
  });

  it('refuses an unknown function, a payload that is no JSON, a caller without the right, and other operations', async () => {
    await expect(invoke('missing')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(invoke(arnOf('echo').replace(account, '999999999999'))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    await expect(invoke('echo', '{')).rejects.toMatchObject({ name: 'InvalidRequestContentException' });
    const reader = new LambdaClient(endpoint.asFunction);
    await invoke('echo', '1', reader);
    await expect(invoke('broken', '1', reader)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    await expect(client.send(new GetFunctionCommand({ FunctionName: 'echo' }))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
  });
});

describe('Lambda Invoke of a function with a name of its own', () => {
  const FunctionName = 'member-data-sandbox-provisioning';
  const ownArn = `arn:aws:lambda:${region}:${account}:function:${FunctionName}`;
  const outside = '999999999999';
  const outsideRoleArn = `arn:aws:iam::${outside}:role/portal`;
  const policy = {
    PolicyName: 'invoke',
    PolicyDocument: { Statement: allow('lambda:InvokeFunction', ownArn) },
  };
  /** Starts Lambda with the portal's role in another account, and with this permission in the function's own policy. */
  const startedWith = async (
    permission: Record<string, unknown> | undefined,
    policies: object[] = [policy],
  ) =>
    await started({
      assembly: assembly(
        {
          ...resource('AWS::IAM::Role', 'Portal', { Policies: policies }, { arn: outsideRoleArn }),
          account: outside,
        },
        resource(
          'AWS::Lambda::Function',
          'Provisioning',
          { FunctionName },
          { physicalId: FunctionName, arn: ownArn },
        ),
        ...(permission === undefined
          ? []
          : [
              resource('AWS::Lambda::Permission', 'Permission', {
                Action: 'lambda:InvokeFunction',
                FunctionName: ownArn,
                ...permission,
              }),
            ]),
      ),
      callers: new Map([['AKPORTAL', { roleArn: outsideRoleArn }]]),
      invoke: async (arn) => ({ payload: JSON.stringify(arn) }),
    });
  async function invokedAsPortal(permission: Record<string, unknown> | undefined, policies?: object[]) {
    const endpoint = await startedWith(permission, policies);
    try {
      const credentials = { accessKeyId: 'AKPORTAL', secretAccessKey: 'x' };
      const client = new LambdaClient({ ...endpoint.asOperator, credentials });
      const { Payload } = await client.send(new InvokeCommand({ FunctionName: ownArn, Payload: '{}' }));
      return Payload?.transformToString();
    } finally {
      await endpoint.stopAndForget();
    }
  }

  it.each([
    ['the account', outside],
    ["the account's root", `arn:aws:iam::${outside}:root`],
    ['the role', outsideRoleArn],
  ])('is allowed from another account where both policies agree and the function names %s', async (_what, Principal) => {
    expect(await invokedAsPortal({ Principal })).toBe(JSON.stringify(ownArn));
  });

  it.each<[string, Record<string, unknown> | undefined, object[]]>([
    ['the function has no policy', undefined, [policy]],
    ['the policy names another account', { Principal: '888888888888' }, [policy]],
    ['the policy is for a service', { Principal: 'apigateway.amazonaws.com' }, [policy]],
    ['the policy is for a source', { Principal: outside, SourceArn: 'arn:aws:sns:x' }, [policy]],
    ['the policy is for another function', { Principal: outside, FunctionName: 'other' }, [policy]],
    ["the caller's own policy does not allow it", { Principal: outside }, []],
  ])('is denied from another account where %s', async (_what, permission, policies) => {
    await expect(invokedAsPortal(permission, policies)).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
  });
});
