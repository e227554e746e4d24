/** HTTP endpoint of all local AWS services. */

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { CheckRate } from '../limits/request-rates.ts';
import { AwsError, NotImplemented } from './aws-error.ts';
import type { DynamoDbProxy } from './dynamodb/proxy.ts';
import type { Passage } from './dynamodb/throttling.ts';
import { type Credential, readCredential } from './iam/callers.ts';
import { checkPresigned } from './iam/presigned.ts';
import type { Protocol } from './protocol.ts';
import type { Caller, Service } from './service.ts';
import type { WireAnswer } from './wire.ts';

/** A service and its protocol, by the signing name of its requests. */
export interface Backend {
  readonly protocol: Protocol;
  readonly service: Service;
}

export interface EndpointParts {
  readonly backends: ReadonlyMap<string, Backend>;
  readonly dynamoDb: { readonly protocol: Protocol; readonly proxy: DynamoDbProxy };
  readonly callerOf: (accessKeyId: string, accessDenied: string) => Caller | undefined;
  /** Counts a call against the rates of its service. @throws AwsError where they are used up. */
  readonly checkRate?: CheckRate;
  /** One line about something the stand-ins can't do or have failed at. Never a body. */
  readonly log: (line: string) => void;
  /** One line for each call: service, operation, status, duration, and whose it was. */
  readonly callLog?: (line: string) => void;
  /** Port of the last start: a command that watches a load finds the system again where it was. A free one is taken where another process has it. */
  readonly lastPort?: number | undefined;
}

export interface Listening {
  readonly endpoint: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** Largest request body any of these APIs takes: a Lambda invocation's 6 MB, and DynamoDB's 16 MB batches. */
const bodyLimit = 20_000_000;

/**
 * One HTTP server on the loopback interface that speaks the AWS protocols. The service is the one the request is
 * signed for, the caller is whom the access key belongs to.
 */
export async function listen(parts: EndpointParts): Promise<Listening> {
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bodyLimit) chunks.push(chunk);
      else incoming.destroy();
    });
    incoming.once('end', () => {
      const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
      void serve(parts, incoming, body, outgoing);
    });
  });
  // The SDK keeps its connections; one that ends between two calls would look like a failed call.
  server.keepAliveTimeout = 0;
  const listenOn = (wanted: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(wanted, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listenOn(parts.lastPort ?? 0).catch(() => listenOn(0));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  parts: EndpointParts,
  incoming: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): Promise<void> {
  const credential = readCredential(incoming.headers.authorization, incoming.url);
  const startedAt = performance.now();
  const logCall = (call: string) =>
    outgoing.once('finish', () => {
      const milliseconds = (performance.now() - startedAt).toFixed(0);
      parts.callLog?.(
        `aws: ${call} ${outgoing.statusCode} ${milliseconds} ms by ${callerName(parts, credential)}`,
      );
    });
  if (credential?.service === 'dynamodb') {
    logCall(`dynamodb ${String(incoming.headers['x-amz-target']).split('.').at(-1)}`);
    serveDynamoDb(parts, credential, incoming, body, outgoing);
    return;
  }
  const requestId = randomUUID();
  const { answer, call } = await answerStandIn(parts, credential, incoming, body, requestId);
  logCall(call);
  outgoing.writeHead(answer.status, { 'content-length': Buffer.byteLength(answer.body), ...answer.headers });
  outgoing.end(answer.body);
}

function serveDynamoDb(
  parts: EndpointParts,
  credential: Credential,
  incoming: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): void {
  const { protocol, proxy } = parts.dynamoDb;
  const target = String(incoming.headers['x-amz-target'] ?? '');
  let passage: Passage | undefined;
  try {
    passage = proxy.authorize(target, body, callerOf(parts, credential, protocol));
  } catch (error) {
    const answer = refusal(parts, protocol, `dynamodb ${target}`, error, randomUUID());
    outgoing.writeHead(answer.status, answer.headers);
    outgoing.end(answer.body);
    return;
  }
  proxy.forward(target, body, outgoing, passage);
}

async function answerStandIn(
  parts: EndpointParts,
  credential: Credential | undefined,
  incoming: IncomingMessage,
  body: Buffer,
  requestId: string,
): Promise<{ readonly answer: WireAnswer; readonly call: string }> {
  const backend = parts.backends.get(credential?.service ?? '');
  if (credential === undefined || backend === undefined) {
    parts.log(
      `aws: a request for ${credential?.service ?? 'no service'} was refused: there is no such stand-in`,
    );
    const body = JSON.stringify({ __type: 'UnknownOperationException' });
    return { answer: { status: 501, headers: {}, body }, call: credential?.service ?? 'no service' };
  }
  const { protocol, service } = backend;
  let call = `${credential.service} ${incoming.method}`;
  try {
    const caller = callerOf(parts, credential, protocol);
    const { method = '', url = '', headers } = incoming;
    checkPresigned({ method, url, headers }, Date.now());
    const { operation, input } = protocol.read({ method, url, headers, body });
    call = `${credential.service} ${operation}`;
    parts.checkRate?.(credential.service, operation, caller.account, input);
    const run = Object.hasOwn(service.operations, operation) ? service.operations[operation] : undefined;
    if (run === undefined) throw new NotImplemented(`operation ${operation}`);
    return { answer: protocol.answer(operation, await run(input, caller), requestId), call };
  } catch (error) {
    return { answer: refusal(parts, protocol, call, error, requestId), call };
  }
}

/** The function that calls, or the operator. */
function callerName(parts: EndpointParts, credential: Credential | undefined): string {
  const caller =
    credential === undefined
      ? undefined
      : parts.callerOf(credential.accessKeyId, parts.dynamoDb.protocol.accessDenied);
  return caller?.arn.split('/').at(-1) ?? 'nobody known';
}

function callerOf(parts: EndpointParts, { accessKeyId }: Credential, protocol: Protocol): Caller {
  const caller = parts.callerOf(accessKeyId, protocol.accessDenied);
  if (caller !== undefined) return caller;
  throw new AwsError(protocol.unknownCaller, 'The security token included in the request is invalid.', 403);
}

function refusal(
  parts: EndpointParts,
  protocol: Protocol,
  call: string,
  error: unknown,
  requestId: string,
): WireAnswer {
  if (error instanceof AwsError) {
    // The message names the role, the action and the resource: what a person needs to mend the template.
    if (error.code.startsWith('AccessDenied')) parts.log(`aws: ${call}: ${error.message}`);
    return protocol.error(error, requestId);
  }
  if (error instanceof NotImplemented) {
    // What the stand-in doesn't do fails loudly: AWS would have done it, and an answer made up here would hide that.
    parts.log(`aws: ${call}: ${error.message} is not implemented on one machine`);
    const message = `${error.message} is not implemented on one machine`;
    return protocol.error(new AwsError('UnknownOperationException', message, 501), requestId);
  }
  parts.log(`aws: ${call} failed: ${error instanceof Error ? error.message : 'unknown'}`);
  return protocol.error(new AwsError('InternalFailure', 'the stand-in failed', 500), requestId);
}
