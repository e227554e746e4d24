/** Local API Gateway: handles a call, from its host to the response. */

import type { Assembly } from '../assembly/resources.ts';
import type { PublishMetric } from '../cloudwatch/metrics.ts';
import { accessLogLine } from './access-log.ts';
import type { ApiKey, ApiKeys } from './api-keys.ts';
import { type Authorize, createAuthorize } from './authorizers.ts';
import type { Call, RoutedCall } from './call.ts';
import { compressResponse, decompressRequest } from './compression.ts';
import { type GatewayAnswer, wordRefusal } from './gateway-responses.ts';
import { findMapping, readApis, readEndpoints, readHosts } from './hosts.ts';
import { createIntegrate, type Integrate, type InvokeIntegration } from './integration.ts';
import { checkRequestLimits, payloadLimitBytes } from './limits.ts';
import { readPermissions } from './permissions.ts';
import { type GatewayRefusal, gatewayRefusal, isRefusal } from './refusal.ts';
import { type GatewayRequest, headerOf } from './request.ts';
import { findRoute } from './routing.ts';
import { createMetering, type Metering } from './usage-plans.ts';

/** A response, with the data for the request log. */
export interface Answered {
  readonly answer: GatewayAnswer;
  /** Resource path (`/Patient/{id}`), never the actual path; undefined if no route was found. */
  readonly resourcePath?: string;
  /** The refusal, if the gateway responded by itself. */
  readonly refusal?: GatewayRefusal;
}

/** A host name with the description of its API. */
export interface NamedHost {
  readonly name: string;
  readonly what: string;
}

export interface Gateway {
  /** The hosts the templates declare. */
  readonly hosts: readonly NamedHost[];
  answer(request: GatewayRequest): Promise<Answered>;
}

/** Writes a line to a stage's access log, and returns at once. */
export type WriteAccessLog = (logGroup: string, timestamp: number, line: string) => void;

/** The progress of a call, with the durations of its parts. */
interface Progress {
  call: Call;
  authorizerMs?: number;
  integrationMs?: number;
}

interface Steps {
  readonly apiKeys: ApiKeys;
  readonly metering: Metering;
  readonly authorize: Authorize;
  readonly integrate: Integrate;
}

/** Makes the data plane of the REST APIs in an assembly. `now` returns milliseconds since 1970. */
export function createGateway(options: {
  readonly assembly: Assembly;
  readonly invoke: InvokeIntegration;
  readonly apiKeys: ApiKeys;
  readonly now: () => number;
  readonly accessLog?: WriteAccessLog;
  readonly publish?: PublishMetric;
}): Gateway {
  const { assembly, invoke, apiKeys, now, accessLog, publish = () => {} } = options;
  const apis = readApis(assembly);
  const hosts = readHosts(assembly, apis);
  const endpoints = readEndpoints(assembly, apis);
  const permitted = readPermissions(assembly);
  const steps: Steps = {
    apiKeys,
    metering: createMetering(assembly, apiKeys, now),
    authorize: createAuthorize(invoke, permitted, now),
    integrate: createIntegrate(invoke, permitted),
  };
  return {
    hosts: [...hosts].map(([name, [mapping]]) => ({ name, what: mapping?.stage.api.description ?? '' })),
    async answer(request) {
      return withRequestIds(request, await orDefect(answer(request)));
    },
  };

  async function answer(request: GatewayRequest): Promise<Answered> {
    const mappings = hosts.get(request.host) ?? endpoints.get(request.host) ?? [];
    const found = findMapping(mappings, request.path);
    const bad = checkRequestLimits(request);
    if (bad !== undefined) return { answer: plain(bad), refusal: bad };
    if (found === undefined) {
      const refusal = gatewayRefusal('DEFAULT_4XX', {
        statusCode: 403,
        message: 'Forbidden',
        errorType: 'ForbiddenException',
      });
      return { answer: plain(refusal), refusal };
    }
    const { stage, ownEndpoint = false } = found.mapping;
    const startedAt = performance.now();
    const progress: Progress = { call: { request, stage, path: found.path, ownEndpoint } };
    const answered = await orDefect(run(progress, steps));
    const minimum = stage.api.minimumCompressionBytes;
    const encoding = headerOf(request, 'accept-encoding');
    const sent = { ...answered, answer: await compressResponse(answered.answer, encoding, minimum) };
    log(progress, sent, performance.now() - startedAt);
    count(progress.call, sent.answer.statusCode, now() - request.receivedAt);
    return sent;
  }

  /** API Gateway publishes each of these metrics with every call. */
  function count({ stage }: Call, status: number, latencyMs: number): void {
    const values = {
      Count: 1,
      '4XXError': Number(status >= 400 && status < 500),
      '5XXError': Number(status >= 500),
      Latency: latencyMs,
    };
    for (const [metric, value] of Object.entries(values))
      publish('AWS/ApiGateway', metric, { ApiName: stage.api.name, Stage: stage.name }, value);
  }

  function log(progress: Progress, { answer, refusal }: Answered, responseMs: number): void {
    const { request, stage } = progress.call;
    if (stage.accessLog === undefined || accessLog === undefined) return;
    const line = accessLogLine(stage.accessLog.format, {
      ...progress,
      ...(refusal === undefined ? {} : { refusal }),
      status: answer.statusCode,
      responseBytes: answer.body.length,
      responseMs,
    });
    accessLog(stage.accessLog.logGroup, request.receivedAt, line);
  }
}

/** The response to a call, or 500 if it hit a defect of the local system. */
async function orDefect(work: Promise<Answered>): Promise<Answered> {
  try {
    return await work;
  } catch (error) {
    const refusal = gatewayRefusal('DEFAULT_5XX', { statusCode: 500, reason: placeOf(error) });
    return { answer: plain(refusal), refusal };
  }
}

/** Adds the headers with the IDs that API Gateway gives every call. */
function withRequestIds(request: GatewayRequest, answered: Answered): Answered {
  const headers = [
    ...answered.answer.headers,
    ['x-amzn-RequestId', request.requestId],
    ['x-amz-apigw-id', request.extendedRequestId],
    ['X-Amzn-Trace-Id', request.traceId],
  ] as const;
  return { ...answered, answer: { ...answered.answer, headers } };
}

/** Location of a defect in the source, for the log. The error's message is left out, because it might quote a function's response. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return `${error.name}${frames.slice(0, 3).join('').replaceAll(/\s+/g, ' ')}`;
}

/** The order of checks is API Gateway's: route, stage throttle, authorizer, key and plan, parameters, integration. */
async function run(progress: Progress, steps: Steps): Promise<Answered> {
  const { stage, path } = progress.call;
  if (progress.call.request.body.length > payloadLimitBytes)
    return refused(gatewayRefusal('REQUEST_TOO_LARGE'), progress.call);
  const request = await decompressRequest(progress.call.request, stage.api.minimumCompressionBytes);
  if (isRefusal(request)) return refused(request, progress.call);
  progress.call = { ...progress.call, request };
  const route = findRoute(stage.api.root, request.method, path);
  if (route === undefined) return refused(gatewayRefusal('MISSING_AUTHENTICATION_TOKEN'), progress.call);
  const routed = Object.assign(progress, { call: { ...progress.call, route } });
  const refusal =
    steps.metering.throttled(stage, route.method) ?? (await authorize(routed, steps)) ?? meter(routed, steps);
  if (refusal !== undefined) return refused(refusal, routed.call);
  const askedAt = performance.now();
  const answer = await steps.integrate(route.method.integration, routed.call);
  progress.integrationMs = performance.now() - askedAt;
  return isRefusal(answer)
    ? refused(answer, routed.call)
    : { answer, resourcePath: route.method.resourcePath };
}

type RoutedProgress = Progress & { call: RoutedCall };

function refused(refusal: GatewayRefusal, call: Call): Answered {
  const resourcePath = call.route?.method.resourcePath;
  // "Customizing the default gateway response for 413 REQUEST_TOO_LARGE isn't currently supported."
  const answer = refusal.type === 'REQUEST_TOO_LARGE' ? plain(refusal) : wordRefusal(refusal, call);
  return resourcePath === undefined ? { answer, refusal } : { answer, refusal, resourcePath };
}

async function authorize(progress: RoutedProgress, steps: Steps): Promise<GatewayRefusal | undefined> {
  const { authorizer } = progress.call.route.method;
  if (authorizer === undefined) return undefined;
  const askedAt = performance.now();
  const verdict = await steps.authorize(authorizer, progress.call);
  const authorization = isRefusal(verdict) ? verdict.authorization : verdict;
  if (authorization !== undefined) {
    progress.authorizerMs = performance.now() - askedAt;
    progress.call = { ...progress.call, authorization };
  }
  return isRefusal(verdict) ? verdict : undefined;
}

function meter(progress: RoutedProgress, { metering, apiKeys }: Steps): GatewayRefusal | undefined {
  const { call } = progress;
  const { method } = call.route;
  if (!method.apiKeyRequired) return undefined;
  const value = keyValue(call);
  const key = metering.admit(value, call.stage, method);
  const known = isRefusal(key) ? keyBeyondItsPlan(key, value, apiKeys) : key;
  if (known !== undefined) progress.call = { ...call, apiKey: { id: known.id, value: value ?? '' } };
  return isRefusal(key) ? key : undefined;
}

/** The key of a call that its usage plan refused: a valid key that has exceeded its limits. */
function keyBeyondItsPlan(
  refusal: GatewayRefusal,
  value: string | undefined,
  keys: ApiKeys,
): ApiKey | undefined {
  const spent = refusal.type === 'THROTTLED' || refusal.type === 'QUOTA_EXCEEDED';
  return spent && value !== undefined ? keys.findByValue(value) : undefined;
}

/** The API key of a call, from the API's key source: the header `x-api-key`, or the authorizer's usage identifier key. */
function keyValue(call: RoutedCall): string | undefined {
  if (call.stage.api.keySource === 'HEADER') return headerOf(call.request, 'x-api-key');
  return call.authorization?.usageIdentifierKey;
}

/** The response to a refusal before an API is known. */
function plain(refusal: GatewayRefusal): GatewayAnswer {
  return {
    statusCode: refusal.statusCode,
    headers: [
      ['Content-Type', 'application/json'],
      ['x-amzn-ErrorType', refusal.errorType],
    ],
    body: Buffer.from(JSON.stringify({ message: refusal.message })),
  };
}
