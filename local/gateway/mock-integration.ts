import { mappedValue, type RoutedCall } from './call.ts';
import type { GatewayAnswer } from './gateway-responses.ts';
import { type GatewayRefusal, gatewayRefusal } from './refusal.ts';
import { headerOf } from './request.ts';

interface MockResponse {
  readonly StatusCode?: unknown;
  readonly SelectionPattern?: string;
  readonly ResponseParameters?: Readonly<Record<string, unknown>>;
  readonly ResponseTemplates?: Readonly<Record<string, unknown>>;
}

/**
 * Responds for a MOCK integration as CORS preflights use it: the request template names a status, and the response of that status has
 * headers and a constant body. Templates that compute something are refused.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-mock-integration.html
 */
export function mockAnswer(
  properties: Readonly<Record<string, unknown>>,
  call: RoutedCall,
): GatewayAnswer | GatewayRefusal {
  const templates = (properties.RequestTemplates ?? {}) as Readonly<Record<string, unknown>>;
  const contentType = headerOf(call.request, 'content-type')?.split(';')[0]?.trim() ?? 'application/json';
  const template = templates[contentType];
  if (
    template === undefined &&
    properties.PassthroughBehavior !== 'WHEN_NO_MATCH' &&
    call.request.body.length > 0
  ) {
    return gatewayRefusal('UNSUPPORTED_MEDIA_TYPE');
  }
  const chosen = String(template ?? templates['application/json'] ?? '');
  const status = /^\s*\{\s*"?statusCode"?\s*:\s*(\d{3})\s*\}\s*$/.exec(chosen)?.[1];
  const responses = (properties.IntegrationResponses ?? []) as readonly MockResponse[];
  const response =
    responses.find((one) => one.SelectionPattern !== undefined && one.SelectionPattern === status) ??
    responses.find((one) => (one.SelectionPattern ?? '') === '');
  if (status === undefined || response === undefined) {
    return gatewayRefusal('API_CONFIGURATION_ERROR', {
      reason: 'the mock integration has no constant status',
    });
  }
  return written(response, call);
}

function written(response: MockResponse, call: RoutedCall): GatewayAnswer | GatewayRefusal {
  const statusCode = Number(response.StatusCode);
  const declared = call.route.method.methodResponses.find((one) => Number(one.StatusCode) === statusCode);
  if (declared === undefined) {
    return gatewayRefusal('API_CONFIGURATION_ERROR', { reason: `no method response for ${statusCode}` });
  }
  const allowed = (declared.ResponseParameters ?? {}) as Readonly<Record<string, unknown>>;
  const headers: [string, string][] = [];
  for (const [target, expression] of Object.entries(response.ResponseParameters ?? {})) {
    const name = /^method\.response\.header\.(.+)$/.exec(target)?.[1];
    const value = mappedValue(String(expression), call);
    if (name === undefined || !Object.hasOwn(allowed, target)) {
      return gatewayRefusal('API_CONFIGURATION_ERROR', {
        reason: `${target} is not declared by the method response`,
      });
    }
    if (value !== undefined) headers.push([name, value]);
  }
  const body = String(response.ResponseTemplates?.['application/json'] ?? '');
  if (/#\w|\$/.test(body)) {
    return gatewayRefusal('API_CONFIGURATION_ERROR', {
      reason: 'the local runner knows no mapping template language',
    });
  }
  if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) {
    headers.push(['Content-Type', 'application/json']);
  }
  return { statusCode, headers, body: Buffer.from(body) };
}
