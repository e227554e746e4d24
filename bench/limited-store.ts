/** A proxy in front of a benchmark's store that throttles calls as DynamoDB does by the capacity of a table. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { TableDeclaration } from '../local/aws/dynamodb/tables.ts';
import { dynamoDbThrottle } from '../local/aws/dynamodb/throttling.ts';
import { AwsError } from '../local/aws/protocol/aws-error.ts';
import { limitsOf } from '../local/limits/limits.ts';
import { quota } from '../local/limits/quotas.ts';

export interface LimitedStore {
  readonly endpoint: string;
  /** Stops the proxy, which prints how many calls it has throttled. */
  stop(): Promise<void>;
}

/**
 * Starts a proxy with the capacity of a warm table: 40,000 read units and 40,000 write units a second, and 1,000 writes and 3,000 reads a
 * second of a partition. It runs in a process of its own, so that its CPU time is counted neither for the store nor for the code that is
 * measured.
 */
export async function startLimitedStore(store: string, tableName: string): Promise<LimitedStore> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), store, tableName], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [endpoint] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    endpoint: String(endpoint).trim(),
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** Table and index with the capacity to which the runbook warms them before a first load. */
function warmTable(name: string): TableDeclaration {
  const WarmThroughput = {
    WriteUnitsPerSecond: quota('tableMostWrites'),
    ReadUnitsPerSecond: quota('tableMostReads'),
  };
  return {
    ...{ name, arn: name },
    partitionKeys: new Map([
      ['', 'pk'],
      ['audit-window', 'sealWindow'],
    ]),
    properties: {
      WarmThroughput,
      GlobalSecondaryIndexes: [{ IndexName: 'audit-window', WarmThroughput }],
    },
  };
}

function serve(store: string, tableName: string): void {
  const limits = limitsOf('aws');
  if (limits === undefined) throw new Error('AWS has limits');
  let throttles = 0;
  const throttle = dynamoDbThrottle(
    new Map([[tableName, warmTable(tableName)]]),
    limits,
    Date.now,
    () => (throttles += 1),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '';
    try {
      const { answered, unprocessed } = throttle(operation, JSON.parse(body.toString()));
      // DynamoDB would return the throttled part of the batch as unprocessed items. The proxy refuses the whole batch, and the functions
      // send it again.
      if (unprocessed !== undefined) throw new AwsError('ThrottlingException', 'a part of the batch');
      const { headers, method } = incoming;
      const onward = request(store, { agent, method, headers }, (answer) => {
        answered(Number(answer.headers['content-length'] ?? 0));
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      });
      onward.once('error', () => outgoing.destroy()).end(body);
    } catch (error) {
      refuse(outgoing, error);
    }
  });
  server.listen(0, '127.0.0.1', () =>
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
  process.once('SIGTERM', () => {
    console.error(`${throttles} calls were throttled`);
    process.exit();
  });
}

function refuse(outgoing: ServerResponse, error: unknown): void {
  if (!(error instanceof AwsError)) throw error;
  const { code, message, members, status } = error;
  const text = JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${code}`, message, ...members });
  outgoing.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(text);
}

const [, file, store, tableName] = process.argv;
if (file === fileURLToPath(import.meta.url) && store !== undefined && tableName !== undefined)
  serve(store, tableName);
