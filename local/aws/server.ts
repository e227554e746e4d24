/** HTTP endpoint of all local AWS services. */

import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { readCredential } from './iam/callers.ts';
import { checkPresigned } from './iam/presigned.ts';
import { NotImplemented } from './protocol/aws-error.ts';
import { type CallServices, callLine, knownCaller, refusal } from './protocol/calls.ts';
import { type Listening, listen } from './protocol/http-endpoint.ts';
import type { Protocol } from './protocol/protocol.ts';
import type { Credential, Service } from './protocol/service.ts';
import type { WireAnswer } from './protocol/wire.ts';
import type { CheckRate } from './request-rates.ts';

/** Name of SES's second API among the backends. Its requests are signed as `ses`, like those of the first. */
export const secondMailApi = 'sesv2';

/** A service and its protocol, by the signing name of its requests. */
export interface Backend {
  readonly protocol: Protocol;
  readonly service: Service;
}

export interface EndpointOptions extends CallServices {
  readonly backends: ReadonlyMap<string, Backend>;
  /** DynamoDB's own endpoint. Calls of callers who use one address for all services are forwarded to it. */
  readonly dynamoDbEndpoint: string;
  /**
   * Counts a call against the rates of its service.
   *
   * @throws AwsError if a rate is exhausted.
   */
  readonly checkRate?: CheckRate;
  /** Logs each call: service, operation, status, duration, and caller. */
  readonly callLog?: (line: string) => void;
  /**
   * Port of the last start, so that a command that watches a load finds the system again after a restart. If the port is in use, another
   * free one is taken.
   */
  readonly lastPort?: number | undefined;
}

/**
 * Starts one HTTP server on the loopback interface that speaks the AWS protocols. The signature of a request names the service, and its
 * access key the caller.
 */
export async function listenForCalls(options: EndpointOptions): Promise<Listening> {
  const agent = new Agent({ keepAlive: true });
  const listening = await listen((incoming, body, outgoing) => {
    const credential = readCredential(incoming.headers.authorization, incoming.url);
    if (credential?.service === 'dynamodb') passOn(agent, options.dynamoDbEndpoint, incoming, body, outgoing);
    else void serve(options, credential, incoming, body, outgoing);
  }, options.lastPort);
  return {
    ...listening,
    async stop() {
      await listening.stop();
      agent.destroy();
    },
  };
}

async function serve(
  options: EndpointOptions,
  credential: Credential | undefined,
  incoming: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): Promise<void> {
  const startedAt = performance.now();
  const { answer, call } = await answerStandIn(options, credential, incoming, body, randomUUID());
  outgoing.once('finish', () => {
    const milliseconds = performance.now() - startedAt;
    options.callLog?.(callLine(options, credential, { call, status: outgoing.statusCode, milliseconds }));
  });
  outgoing.writeHead(answer.status, { 'content-length': Buffer.byteLength(answer.body), ...answer.headers });
  outgoing.end(answer.body);
}

/** Forwards a call to DynamoDB's own endpoint, and returns its response. */
function passOn(
  agent: Agent,
  endpoint: string,
  { method, headers }: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): void {
  const upstream = request(endpoint, { agent, method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(outgoing);
    answer.once('error', () => outgoing.destroy());
  });
  upstream.once('error', () => outgoing.destroy());
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) upstream.destroy();
  });
  upstream.end(body);
}

async function answerStandIn(
  options: EndpointOptions,
  credential: Credential | undefined,
  incoming: IncomingMessage,
  body: Buffer,
  requestId: string,
): Promise<{ readonly answer: WireAnswer; readonly call: string }> {
  const isSecondMailApi = credential?.service === 'ses' && incoming.url?.startsWith('/v2/email/') === true;
  const backend = options.backends.get(isSecondMailApi ? secondMailApi : (credential?.service ?? ''));
  if (credential === undefined || backend === undefined) {
    options.log(
      `aws: a request for ${credential?.service ?? 'no service'} was refused: there is no such stand-in`,
    );
    const body = JSON.stringify({ __type: 'UnknownOperationException' });
    return { answer: { status: 501, headers: {}, body }, call: credential?.service ?? 'no service' };
  }
  const { protocol, service } = backend;
  let call = `${credential.service} ${incoming.method}`;
  try {
    const caller = knownCaller(options, credential, protocol);
    const { method = '', url = '', headers } = incoming;
    checkPresigned({ method, url, headers }, Date.now());
    const { operation, input } = protocol.read({ method, url, headers, body });
    call = `${credential.service} ${operation}`;
    options.checkRate?.(credential.service, operation, caller.account, input);
    const run = Object.hasOwn(service.operations, operation) ? service.operations[operation] : undefined;
    if (run === undefined) throw new NotImplemented(`operation ${operation}`);
    return { answer: protocol.answer(operation, await run(input, caller), requestId), call };
  } catch (error) {
    return { answer: refusal(options, protocol, call, error, requestId), call };
  }
}
