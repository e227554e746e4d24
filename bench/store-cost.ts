/** Counts the DynamoDB calls and capacity units of a function. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call of a function to the store. */
export interface StoreCall {
  /** DynamoDB operation: `BatchGetItem`. */
  readonly operation: string;
  /** Items read or written. */
  readonly items: number;
  /** Capacity units as the engine counts them: read units of reads, write units of writes. */
  readonly units: number;
  readonly bytes: number;
}

/** A proxy in front of the engine that records the calls. */
export interface CountingProxy {
  readonly endpoint: string;
  /** Returns and forgets the calls recorded since the last `take`. */
  take(): readonly StoreCall[];
  stop(): void;
}

/** Starts the proxy. It adds `ReturnConsumedCapacity` to every call, which the functions do not request and do not read. */
export async function startCountingProxy(engine: string): Promise<CountingProxy> {
  let calls: StoreCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void (async () => {
        const asked = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
        const answer = await fetch(engine, {
          method: 'POST',
          headers: forwarded(request.headers),
          body: JSON.stringify({ ...asked, ReturnConsumedCapacity: 'TOTAL' }),
        });
        const body = await answer.text();
        calls.push(storeCall(String(request.headers['x-amz-target']), asked, JSON.parse(body), body.length));
        response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
      })();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = calls;
      calls = [];
      return taken;
    },
    stop: () => server.close(),
  };
}

function forwarded(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const names = ['content-type', 'x-amz-target', 'x-amz-date', 'authorization'];
  return Object.fromEntries(names.map((name) => [name, String(headers[name] ?? '')]));
}

interface Answer {
  readonly Item?: unknown;
  readonly Items?: readonly unknown[];
  readonly Responses?: Record<string, readonly unknown[]>;
  readonly ConsumedCapacity?: Capacity | readonly Capacity[];
}
interface Capacity {
  readonly CapacityUnits?: number;
}

function storeCall(target: string, asked: Record<string, unknown>, answer: Answer, bytes: number): StoreCall {
  const capacities = [answer.ConsumedCapacity ?? []].flat() as readonly Capacity[];
  const read = [
    ...(answer.Item === undefined ? [] : [answer.Item]),
    ...(answer.Items ?? []),
    ...Object.values(answer.Responses ?? {}).flat(),
  ];
  const written = [...(asked.Item === undefined ? [] : [asked.Item]), ...[asked.TransactItems ?? []].flat()];
  return {
    operation: target.split('.').at(-1) ?? target,
    items: Math.max(read.length, written.length),
    units: capacities.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0),
    bytes,
  };
}
