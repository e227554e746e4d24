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
