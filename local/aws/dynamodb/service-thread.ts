/**
 * The thread of the local DynamoDB: identifies the caller of each call, checks its policies and the capacity, and forwards the call to the
 * engine.
 */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { assemblyOf } from '../../assembly/resources.ts';
import type { PublishMetric } from '../../cloudwatch/metrics.ts';
import { callerDirectory, readCredential } from '../iam/callers.ts';
import { AwsError } from '../protocol/aws-error.ts';
import { callLine, knownCaller, refusal } from '../protocol/calls.ts';
import { listen } from '../protocol/http-endpoint.ts';
import { awsJson } from '../protocol/protocol.ts';
import { dynamoDbProxy } from './proxy.ts';
import type { ServiceData, ServiceMessage } from './service-messages.ts';
import { dynamoDbThrottle } from './throttling.ts';

const { resources, callers, engineEndpoint, port, limits, tellsCalls } = workerData as ServiceData;
const tell = (message: ServiceMessage) => parentPort?.postMessage(message);
const publish: PublishMetric = (...metric) => tell({ kind: 'metric', metric });
const assembly = assemblyOf(resources);
const protocol = awsJson('1.0', 'DynamoDB_20120810');
const proxy = dynamoDbProxy(
  assembly,
  engineEndpoint,
  limits === undefined ? {} : { throttle: (tables) => dynamoDbThrottle(tables, limits, Date.now, publish) },
);
const parts = {
  callerOf: callerDirectory(assembly, callers),
  log: (line: string) => tell({ kind: 'log', line }),
};

function serve(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse): void {
  const credential = readCredential(incoming.headers.authorization, incoming.url);
  const target = String(incoming.headers['x-amz-target'] ?? '');
  const startedAt = performance.now();
  if (tellsCalls) {
    outgoing.once('finish', () => {
      const call = `dynamodb ${target.split('.').at(-1)}`;
      const milliseconds = performance.now() - startedAt;
      tell({
        kind: 'call',
        line: callLine(parts, credential, { call, status: outgoing.statusCode, milliseconds }),
      });
    });
  }
  try {
    if (credential === undefined) {
      throw new AwsError('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
    }
    const passage = proxy.authorize(target, body, knownCaller(parts, credential, protocol));
    const { isBackground } = callers.get(credential.accessKeyId) ?? {};
    proxy.forward(target, body, outgoing, passage, isBackground);
  } catch (error) {
    const answer = refusal(parts, protocol, `dynamodb ${target}`, error, randomUUID());
    outgoing.writeHead(answer.status, answer.headers);
    outgoing.end(answer.body);
  }
}

const listening = await listen(serve, port);
if (port !== 0 && listening.port !== port) throw new Error(`port ${port} is in use`);
tell({ kind: 'listening', endpoint: listening.endpoint });
