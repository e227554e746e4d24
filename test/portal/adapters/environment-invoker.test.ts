import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import { createEnvironmentInvoker } from '../../../lambdas/portal/adapters/environment-invoker.ts';
import { mockClient } from '../../support/client-doubles.ts';

const lambda = mockClient(LambdaClient);
const client = createEnvironmentInvoker(new LambdaClient({ region: 'us-east-1' }), {
  sandbox: 'member-data-sandbox-provisioning',
  production: 'arn:aws:lambda:us-east-1:111122223333:function:member-data-production-provisioning',
});
const payload = (value: unknown) => Buffer.from(JSON.stringify(value)) as never;
const away = { kind: 'refusal', refusal: { code: 'environment_unavailable' } };

beforeEach(() => lambda.reset());

describe('an environment’s function', () => {
  it('is invoked with the request, by the name of its environment, and its answer is given as it is', async () => {
    lambda.on(InvokeCommand).resolves({ Payload: payload({ kind: 'healthy', healthy: true, data: [] }) });
    expect(await client.send('production', { action: 'health' })).toEqual({
      kind: 'healthy',
      healthy: true,
      data: [],
    });
    const input = lambda.commandCalls(InvokeCommand)[0]?.args[0].input;
    expect(input?.FunctionName).toBe(
      'arn:aws:lambda:us-east-1:111122223333:function:member-data-production-provisioning',
    );
    expect(JSON.parse(Buffer.from(input?.Payload as Uint8Array).toString())).toEqual({ action: 'health' });
  });

  it('is away when it ends with a defect, is throttled, is gone or does not answer; of a defect it was reached', async () => {
    lambda
      .on(InvokeCommand)
      .resolvesOnce({ FunctionError: 'Unhandled', Payload: payload({ errorMessage: 'x' }) });
    expect(await client.send('sandbox', { action: 'health' })).toEqual({
      kind: 'refusal',
      refusal: { code: 'environment_unavailable', reached: true },
    });
    for (const name of ['TooManyRequestsException', 'ResourceNotFoundException', 'TimeoutError']) {
      lambda.on(InvokeCommand).rejectsOnce(Object.assign(new Error(name), { name }));
      expect(await client.send('sandbox', { action: 'health' }), name).toEqual(away);
    }
  });

  it('that the portal may not invoke is a defect of the deployment, and is not waited for', async () => {
    const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' });
    lambda.on(InvokeCommand).rejects(denied);
    await expect(client.send('sandbox', { action: 'health' })).rejects.toThrow(denied);
  });
});
