import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { type DynamoDbProxy, dynamoDbProxy } from '../../../local/aws/dynamodb/proxy.ts';
import { assembly, table } from './declarations.ts';

/** The proxy before the local DynamoDB: calls that it passes on, and ends with the caller or the engine. */

const servers: Server[] = [];
let proxy: DynamoDbProxy | undefined;
afterEach(() => {
  proxy?.stop();
  for (const server of servers.splice(0)) server.closeAllConnections();
});

async function listening(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * Starts the proxy in front of an engine that never answers calls with the body `silence`, and counts the open connections of those calls.
 */
async function proxied(limitMs?: number) {
  const silent = { calls: 0, open: 0 };
  const engine = createServer(async (incoming, outgoing) => {
    if ((await text(incoming)) !== 'silence') return outgoing.end('{"answered":true}');
    silent.calls += 1;
    silent.open += 1;
    outgoing.once('close', () => (silent.open -= 1));
  });
  const forwarding = dynamoDbProxy(assembly(table()), await listening(engine), { limitMs });
  proxy = forwarding;
  const endpoint = await listening(
    createServer((incoming, outgoing) => {
      const body = Buffer.from(incoming.url?.slice(1) ?? '');
      const isBackground = incoming.headers['x-background'] !== undefined;
      forwarding.forward('DynamoDB_20120810.GetItem', body, outgoing, undefined, isBackground);
    }),
  );
  return {
    silent,
    call: (what: string, signal?: AbortSignal) => fetch(`${endpoint}/${what}`, { signal: signal ?? null }),
    callInBackground: (what: string, signal: AbortSignal) =>
      fetch(`${endpoint}/${what}`, { signal, headers: { 'x-background': '' } }),
  };
}

describe('the way to the DynamoDB engine', () => {
  it('is open to others after a hundred callers have given up on calls that were never answered', async () => {
    const { silent, call } = await proxied();
    const givingUp = new AbortController();
    const waiting = Array.from({ length: 100 }, () =>
      call('silence', givingUp.signal).catch(() => 'gave up'),
    );
    await expect.poll(() => silent.calls).toBe(64);
    givingUp.abort();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['gave up']));
    expect(await (await call('something')).json()).toEqual({ answered: true });
    await expect.poll(() => silent.open).toBe(0);
  });

  it('has four calls of the background at most on it, however many wait, and others pass them', async () => {
    const { silent, call, callInBackground } = await proxied();
    const givingUp = new AbortController();
    const waiting = Array.from({ length: 100 }, () =>
      callInBackground('silence', givingUp.signal).catch(() => 'gave up'),
    );
    await expect.poll(() => silent.calls).toBe(4);
    expect(await (await call('something')).json()).toEqual({ answered: true });
    expect(silent.open).toBe(4);
    givingUp.abort();
    await Promise.all(waiting);
    await expect.poll(() => silent.open).toBe(0);
  });

  it('tells a caller who waits that the engine does not answer', async () => {
    const { silent, call } = await proxied(200);
    const answers = await Promise.all(Array.from({ length: 100 }, () => call('silence')));
    for (const answer of answers) {
      expect(answer.status).toBe(500);
      expect(await answer.json()).toEqual({
        __type: 'InternalServerError',
        message: 'the DynamoDB engine does not answer',
      });
    }
    await expect.poll(() => silent.open).toBe(0);
    // Polls, since a call may take longer than the limit of 200 ms on a busy machine.
    const another = async () => await (await call('something')).json();
    await expect.poll(another).toEqual({ answered: true });
  });
});
