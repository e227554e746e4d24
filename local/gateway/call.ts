/** Local API Gateway: a call with the data that is known about it. */

import type { Stage } from './hosts.ts';
import { type GatewayRequest, headerOf, queryOf } from './request.ts';
import type { Route } from './routing.ts';

/** The result of an authorizer that allowed a call. Integrations get its values as text. */
export interface Authorization {
  readonly principalId: string;
  readonly context: Readonly<Record<string, string>>;
  readonly usageIdentifierKey?: string;
  readonly latencyMs: number;
}

/** A call, with the data that the gateway has determined so far. */
export interface Call {
  readonly request: GatewayRequest;
  readonly stage: Stage;
  /** The request's path below the base path. */
  readonly path: string;
  /** Whether the call was made to the API's own endpoint instead of a custom domain name. */
  readonly ownEndpoint: boolean;
  readonly route?: Route;
  readonly authorization?: Authorization;
  readonly apiKey?: { readonly id: string; readonly value: string };
}

/** A call whose route is known. */
export type RoutedCall = Call & { readonly route: Route };

/** ARN with which an authorizer's policy is evaluated: `…:<api>/<stage>/<METHOD>/<path>`. */
export function methodArn({ request, stage, path }: Call): string {
  return `${stage.api.arnPrefix}/${stage.name}/${request.method}${path}`;
}

/**
 * Evaluates a mapping expression (`method.request.header.X`, `context.requestId`, `stageVariables.x`, `'static'`). Source: "Parameter
 * mapping source and target reference", API Gateway Developer Guide.
 */
export function mappedValue(expression: string, call: Call): string | undefined {
  if (expression.startsWith("'")) return expression.slice(1, -1);
  const [source = '', ...rest] = expression.split('.');
  const name = rest.slice(2).join('.');
  if (source === 'context') return contextVariable(rest.join('.'), call);
  if (source === 'stageVariables') return call.stage.variables?.[rest.join('.')];
  if (!expression.startsWith('method.request.')) return undefined;
  if (rest[1] === 'header') return headerOf(call.request, name);
  if (rest[1] === 'querystring') {
    return queryOf(call.request.query)?.findLast(([key]) => key === name)?.[1];
  }
  if (rest[1] === 'path') return call.route?.pathParameters?.[name];
  return undefined;
}

/** The value of a `$context` variable, except those about errors. */
export function contextVariable(name: string, call: Call): string | undefined {
  const { request, stage } = call;
  if (name.startsWith('authorizer.')) {
    const key = name.slice('authorizer.'.length);
    return key === 'principalId' ? call.authorization?.principalId : call.authorization?.context[key];
  }
  const known: Readonly<Record<string, string | undefined>> = {
    requestId: request.requestId,
    extendedRequestId: request.extendedRequestId,
    apiId: stage.api.id,
    accountId: stage.api.account,
    stage: stage.name,
    httpMethod: request.method,
    path: request.path,
    resourcePath: call.route?.method.resourcePath,
    resourceId: call.route?.method.resourceId,
    domainName: request.host,
    domainPrefix: request.host.split('.')[0],
    protocol: 'HTTP/1.1',
    requestTimeEpoch: String(request.receivedAt),
    'identity.sourceIp': request.sourceIp,
    'identity.userAgent': headerOf(request, 'user-agent'),
    'identity.apiKeyId': call.apiKey?.id,
  };
  return known[name];
}
