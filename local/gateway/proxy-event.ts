/** Local API Gateway: builds events of the Lambda proxy integration and of authorizers. */

import { methodArn, type RoutedCall } from './call.ts';
import { type GatewayRequest, headerOf, queryOf } from './request.ts';

type Single = Readonly<Record<string, string>>;
type Multiple = Readonly<Record<string, readonly string[]>>;

/** The members that events of integrations and of authorizers have in common. */
function requestParts({ request, stage, route, path, ownEndpoint }: RoutedCall) {
  const headers = [
    ...request.headers,
    ['X-Amzn-Trace-Id', request.traceId] as const,
    ['X-Forwarded-For', forwardedFor(request)] as const,
    ['X-Forwarded-Port', String(request.port)] as const,
    ['X-Forwarded-Proto', 'http'] as const,
  ];
  const query = queryOf(request.query) ?? [];
  return {
    resource: route.method.resourcePath,
    path: ownEndpoint ? path : request.path,
    httpMethod: request.method,
    headers: single(headers),
    multiValueHeaders: multiple(headers),
    queryStringParameters: query.length === 0 ? null : single(query),
    multiValueQueryStringParameters: query.length === 0 ? null : multiple(query),
    pathParameters: route.pathParameters,
    stageVariables: stage.variables,
  };
}

function requestContext({ request, stage, route, authorization, apiKey }: RoutedCall) {
  const apiKeyParts = apiKey === undefined ? {} : { apiKey: apiKey.value, apiKeyId: apiKey.id };
  return {
    resourceId: route.method.resourceId,
    resourcePath: route.method.resourcePath,
    operationName: undefined,
    httpMethod: request.method,
    extendedRequestId: request.extendedRequestId,
    requestTime: commonLogTime(request.receivedAt),
    path: request.path,
    accountId: stage.api.account,
    protocol: 'HTTP/1.1',
    stage: stage.name,
    domainPrefix: request.host.split('.')[0] ?? '',
    requestTimeEpoch: request.receivedAt,
    requestId: request.requestId,
    identity: {
      ...apiKeyParts,
      cognitoIdentityPoolId: null,
      accountId: null,
      cognitoIdentityId: null,
      caller: null,
      sourceIp: request.sourceIp,
      principalOrgId: null,
      accessKey: null,
      cognitoAuthenticationType: null,
      cognitoAuthenticationProvider: null,
      userArn: null,
      userAgent: headerOf(request, 'user-agent') ?? null,
      user: null,
    },
    domainName: request.host,
    apiId: stage.api.id,
    ...(authorization === undefined
      ? {}
      : {
          authorizer: {
            ...authorization.context,
            principalId: authorization.principalId,
            integrationLatency: authorization.latencyMs,
          },
        }),
  };
}

/** @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html */
export function proxyEvent(call: RoutedCall): object {
  const { request, stage } = call;
  const binary = stage.api.binaryMediaTypes;
  const contentType = headerOf(request, 'content-type')?.split(';')[0]?.trim() ?? '';
  const isBase64Encoded = request.body.length > 0 && matchesMediaType(binary, contentType);
  const body = request.body.length === 0 ? null : request.body.toString(isBase64Encoded ? 'base64' : 'utf8');
  return { ...requestParts(call), requestContext: requestContext(call), body, isBase64Encoded };
}

/** @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-input.html */
export function authorizerEvent(call: RoutedCall): object {
  return {
    type: 'REQUEST',
    methodArn: methodArn(call),
    ...requestParts(call),
    requestContext: requestContext(call),
  };
}

export function matchesMediaType(ranges: readonly string[], mediaType: string): boolean {
  return ranges.some((range) => range === '*/*' || range.toLowerCase() === mediaType.toLowerCase());
}

function forwardedFor(request: GatewayRequest): string {
  const before = headerOf(request, 'x-forwarded-for');
  return before === undefined ? request.sourceIp : `${before}, ${request.sourceIp}`;
}

function single(entries: readonly (readonly [string, string])[]): Single {
  return Object.fromEntries(entries);
}

function multiple(entries: readonly (readonly [string, string])[]): Multiple {
  const lists: Record<string, string[]> = {};
  for (const [name, value] of entries) {
    const list = Object.hasOwn(lists, name) ? lists[name] : undefined;
    if (list === undefined) lists[name] = [value];
    else list.push(value);
  }
  return lists;
}

/** Formats a time: `20/Nov/2026:19:21:00 +0000`. */
function commonLogTime(time: number): string {
  const [, day, month, year, clock] = new Date(time).toUTCString().split(' ');
  return `${day}/${month}/${year}:${clock} +0000`;
}
