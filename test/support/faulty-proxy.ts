import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectSilence } from './store-waits.ts';

/**
 * A fault of a call on its way to the engine. `drop`: the connection breaks before the engine gets the call. `silence`: no answer comes.
 * `answer-lost`: the engine carries the call out, and the connection breaks. `answer-cut`: the connection breaks within the answer's body.
 * An object: this answer comes, and the engine does not get the call.
 */
export type Fault =
  | 'none'
  | 'drop'
  | 'silence'
  | 'answer-lost'
  | 'answer-cut'
  | { readonly status: number; readonly body: string };

export function refusal(code: string, status = 400, more: object = {}): Fault {
  return { status, body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${code}`, ...more }) };
}

export interface FaultyProxy {
  readonly endpoint: string;
  /** Sets the faults of the next calls, in order; later calls succeed. */
  plan(...faults: readonly Fault[]): void;
  /** Sets the fault of every call of an operation (`PutItem`) until the next `plan`. */
  breakEvery(operation: string, fault: Fault): void;
  /** Bodies of the calls since the last `plan`, as they were received. */
  readonly calls: readonly string[];
  stop(): Promise<void>;
}

/** Starts an HTTP proxy in front of the engine that breaks calls as planned. */
export async function startFaultyProxy(engineEndpoint: string): Promise<FaultyProxy> {
  let planned: Fault[] = [];
  let broken: { readonly operation: string; readonly fault: Fault } | undefined;
  const calls: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = await bodyOf(incoming);
    calls.push(body.toString());
    const target = String(incoming.headers['x-amz-target']);
    const always = broken !== undefined && target.endsWith(`.${broken.operation}`) ? broken.fault : 'none';
    const fault = planned.shift() ?? always;
    if (fault === 'silence') return;
    if (fault === 'drop') return void incoming.socket.destroy();
    if (typeof fault === 'object') {
      outgoing.writeHead(fault.status, { 'content-type': 'application/x-amz-json-1.0' }).end(fault.body);
      return;
    }
    const answer = await forward(engineEndpoint, incoming, body);
    if (fault === 'answer-lost') return void incoming.socket.destroy();
    reply(outgoing, answer, fault === 'answer-cut');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    plan(...faults) {
      planned = [...faults];
      expectSilence(faults.includes('silence'));
      broken = undefined;
      calls.length = 0;
    },
    breakEvery(operation, fault) {
      broken = { operation, fault };
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

function reply(outgoing: ServerResponse, { status, headers, body }: Answer, cut: boolean): void {
  outgoing.writeHead(status, headers);
  if (!cut) return void outgoing.end(body);
  outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
}

async function forward(endpoint: string, incoming: IncomingMessage, body: Buffer): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    const onward = request(
      endpoint,
      { method: incoming.method, path: incoming.url, headers: incoming.headers },
      (response) => {
        bodyOf(response).then(
          (read) => resolve({ status: response.statusCode ?? 502, headers: response.headers, body: read }),
          reject,
        );
      },
    );
    onward.on('error', reject).end(body);
  });
}

async function bodyOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
