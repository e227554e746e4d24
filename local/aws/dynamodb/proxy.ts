/** Local DynamoDB: checks calls against the caller's IAM policies, and forwards them to the engine. */

import { Agent, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Assembly } from '../../assembly/resources.ts';
import { keyUseVia } from '../kms/via-service.ts';
import { AwsError } from '../protocol/aws-error.ts';
import { parseJson } from '../protocol/protocol.ts';
import type { Caller } from '../protocol/service.ts';
import { checkRequest } from './request-checks.ts';
import { type RequiredAction, requiredActionsOf } from './required-actions.ts';
import { declaredTables, type TableDeclaration } from './tables.ts';
import type { Passage, Throttle } from './throttling.ts';

/** Forwards DynamoDB calls to the engine, after the caller's policies have allowed them. */
export interface DynamoDbProxy {
  /**
   * Checks a call.
   *
   * @returns how to forward the call; undefined without capacity limits.
   * @throws AwsError if the caller has no right, or DynamoDB would refuse or throttle the call; nothing was sent to the engine then.
   */
  authorize(target: string, body: Buffer, caller: Caller): Passage | undefined;
  /**
   * Forwards a call.
   *
   * @param isBackground whether calls of other callers take precedence.
   */
  forward(
    target: string,
    body: Buffer,
    outgoing: ServerResponse,
    passage?: Passage,
    isBackground?: boolean,
  ): void;
  stop(): void;
}

const answeredHeaders = [
  'content-type',
  'content-length',
  'content-encoding',
  'x-amzn-requestid',
  'x-amz-crc32',
];

/**
 * Most calls at the engine at once, in the background and otherwise. A call waits for the background batches before it; four of them keep
 * both processors busy.
 */
const atOnce = { others: 64, background: 4 } as const;

/**
 * Longest wait for the engine in milliseconds: longer than any caller waits (1 s and retries), and than the engine needs for the largest
 * batch on a busy machine.
 */
const answerLimitMs = 10_000;

/** Headers that give every call the same identity: DynamoDB Local keeps a separate database for each access key and Region. */
export const engineHeaders = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-date': '20000101T000000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20000101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
} as const;

export interface ProxyOptions {
  /**
   * Makes the capacity check of the tables.
   *
   * @default none
   */
  readonly throttle?: (tables: ReadonlyMap<string, TableDeclaration>) => Throttle;
  /**
   * Longest wait for the engine's response in milliseconds, after which the caller gets an error.
   *
   * @default 10 s
   */
  readonly limitMs?: number | undefined;
}

export function dynamoDbProxy(
  assembly: Assembly,
  engineEndpoint: string,
  options: ProxyOptions = {},
): DynamoDbProxy {
  const { limitMs = answerLimitMs } = options;
  const tables = declaredTables(assembly);
  const throttle = options.throttle?.(tables);
  const mayUseTable = tableKeyCheck(assembly);
  const engine = new URL(engineEndpoint);
  const agents = {
    others: new Agent({ keepAlive: true, maxSockets: atOnce.others }),
    background: new Agent({ keepAlive: true, maxSockets: atOnce.background }),
  };

  return {
    authorize(target, body, caller) {
      const operation = target.slice(target.indexOf('.') + 1);
      const input = parseJson(body) as Readonly<Record<string, unknown>>;
      for (const demand of requiredActionsOf(operation, input, tables)) {
        caller.authorize(demand.action, demand.resource, contextOf(demand));
        mayUseTable(caller, tables.get(tableArnIn(demand.resource)));
      }
      checkRequest(operation, input, tables);
      return throttle?.(operation, input);
    },
    forward(target, asked, outgoing, passage, isBackground = false) {
      const agent = isBackground ? agents.background : agents.others;
      const body = passage?.input === undefined ? asked : Buffer.from(JSON.stringify(passage.input));
      const headers = {
        ...engineHeaders,
        'content-length': body.length,
        'x-amz-target': target,
      };
      const upstream = forward(
        { agent, host: engine.hostname, port: engine.port, path: '/', method: 'POST', headers },
        (answer) => {
          passage?.answered(Number(answer.headers['content-length'] ?? 0));
          if (passage?.unprocessed !== undefined) {
            void inPart(answer, passage.unprocessed, outgoing);
            return;
          }
          outgoing.writeHead(answer.statusCode ?? 500, answerHeaders(answer));
          answer.pipe(outgoing);
          answer.once('error', () => outgoing.destroy());
        },
      );
      // The outcome is unknown, as if a connection to AWS had failed: the caller's SDK decides whether to repeat the call.
      upstream.once('error', () => {
        if (outgoing.headersSent) outgoing.destroy();
        else unavailable(outgoing);
      });
      // A call without a response would keep a connection, so it is ended when the caller has disconnected, or at the time limit.
      outgoing.once('close', () => {
        if (!outgoing.writableFinished) upstream.destroy();
      });
      upstream.setTimeout(limitMs, () => upstream.destroy(new Error('the engine keeps silent')));
      upstream.end(body);
    },
    stop() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** Makes the check of a caller's right to the table's customer-managed key, made once for each caller and table. */
function tableKeyCheck(assembly: Assembly): (caller: Caller, table: TableDeclaration | undefined) => void {
  const useKey = keyUseVia(assembly, 'dynamodb');
  const allowed = new Set<string>();
  return (caller, table) => {
    if (table?.kmsKeyId === undefined || allowed.has(`${caller.arn} ${table.arn}`)) return;
    useKey(caller, 'kms:Decrypt', table.kmsKeyId);
    allowed.add(`${caller.arn} ${table.arn}`);
  };
}

/** The table's ARN in the ARN of a table or an index. */
function tableArnIn(resource: string): string {
  const index = resource.indexOf('/index/');
  return index === -1 ? resource : resource.slice(0, index);
}

/** Sends the response of a batch of which only a part was read, with the unprocessed keys. */
async function inPart(answer: IncomingMessage, unprocessed: object, outgoing: ServerResponse): Promise<void> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const read = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Readonly<Record<string, unknown>>;
    const body = answer.statusCode === 200 ? { ...read, UnprocessedKeys: unprocessed } : read;
    outgoing.writeHead(answer.statusCode ?? 500, { 'content-type': 'application/x-amz-json-1.0' });
    outgoing.end(JSON.stringify(body));
  } catch {
    outgoing.destroy();
  }
}

function answerHeaders(answer: IncomingMessage): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const name of answeredHeaders) {
    const value = answer.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}

function contextOf({
  leadingKeys,
  attributes,
  select,
  within,
}: RequiredAction): Readonly<Record<string, readonly string[]>> {
  return {
    ...(leadingKeys === undefined ? {} : { 'dynamodb:leadingkeys': leadingKeys }),
    ...(attributes === undefined ? {} : { 'dynamodb:attributes': attributes }),
    ...(select === undefined ? {} : { 'dynamodb:select': [select] }),
    ...(within === undefined ? {} : { 'dynamodb:enclosingoperation': [within] }),
  };
}

function unavailable(outgoing: ServerResponse): void {
  const error = new AwsError('InternalServerError', 'the DynamoDB engine does not answer', 500);
  outgoing.writeHead(500, { 'content-type': 'application/x-amz-json-1.0' });
  outgoing.end(JSON.stringify({ __type: error.code, message: error.message }));
}
