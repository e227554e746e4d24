import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { KMSClient, ListAliasesCommand } from '@aws-sdk/client-kms';
import { afterEach, describe, expect, it } from 'vitest';
import { beginInvocation } from '../../../lambdas/platform/runtime/invocation-deadline.ts';
import { sdkRetries } from '../../../lambdas/platform/runtime/sdk-retries.ts';

let server: Server | undefined;
afterEach(() => {
  server?.close();
  beginInvocation(undefined, 0);
});

/**
 * A client of a service whose statuses `answer` gives; undefined drops the connection.
 *
 * @param refusal name of the error in an answer.
 */
async function clientOf(answer: (socket: Socket) => number | undefined, refusal = 'SomeException') {
  let calls = 0;
  server = createServer((incoming, outgoing) => {
    calls += 1;
    incoming.resume();
    const status = answer(incoming.socket);
    if (status === undefined) incoming.socket.destroy();
    else {
      const body = status === 200 ? '{}' : JSON.stringify({ __type: refusal });
      outgoing.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(body);
    }
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new KMSClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIDTEST', secretAccessKey: 'test' },
    retryStrategy: sdkRetries,
  });
  return { send: async () => await client.send(new ListAliasesCommand({})), calls: () => calls };
}

describe('the attempts of an SDK call', () => {
  it('are as many after any number of failures: a connection that died meanwhile fails nothing', async () => {
    let isOut = true;
    const used = new Set<Socket>();
    const { send } = await clientOf((socket) => {
      if (isOut || used.has(socket)) return undefined;
      used.add(socket);
      return 200;
    });
    const failed = await Promise.allSettled(Array.from({ length: 80 }, send));
    expect(failed.every(({ status }) => status === 'rejected')).toBe(true);
    isOut = false;
    // The server closes each connection after one call.
    for (let call = 0; call < 5; call += 1) await expect(send()).resolves.toBeDefined();
  });

  it('are three where the service is out, and one where it refuses', async () => {
    const out = await clientOf(() => 500);
    await expect(out.send()).rejects.toThrow();
    expect(out.calls()).toBe(3);
    server?.close();
    const refusing = await clientOf(() => 400);
    await expect(refusing.send()).rejects.toMatchObject({ name: 'SomeException' });
    expect(refusing.calls()).toBe(1);
  });

  it('go on while a call is throttled and the invocation may wait', async () => {
    let refusals = 6;
    const { send, calls } = await clientOf(() => (refusals-- > 0 ? 400 : 200), 'ThrottlingException');
    beginInvocation(600_000, Date.now());
    await expect(send()).resolves.toBeDefined();
    expect(calls()).toBe(7);
  });

  it('are three where a call is throttled and the invocation waits for nothing', async () => {
    const { send, calls } = await clientOf(() => 400, 'ThrottlingException');
    await expect(send()).rejects.toMatchObject({ name: 'ThrottlingException' });
    expect(calls()).toBe(3);
  });
});
