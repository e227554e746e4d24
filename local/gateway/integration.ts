/** Local API Gateway: invokes the function of a method. */

import type { RoutedCall } from './call.ts';
import type { GatewayAnswer } from './gateway-responses.ts';
import { invocationLimitBytes } from './limits.ts';
import { mockAnswer } from './mock-integration.ts';
import type { InvokePermissions } from './permissions.ts';
import { proxyEvent } from './proxy-event.ts';
import { readProxyResponse } from './proxy-response.ts';
import { type GatewayRefusal, gatewayRefusal } from './refusal.ts';
import { headerOf } from './request.ts';
import type { Integration } from './rest-api.ts';

/** Invokes a function; throws if it doesn't exist or is throttled. */
export type InvokeIntegration = (
  functionArn: string,
  payload: string,
) => Promise<{ readonly payload: string; readonly functionError?: 'Unhandled' }>;

export type Integrate = (
  integration: Integration,
  call: RoutedCall,
) => Promise<GatewayAnswer | GatewayRefusal>;

export function createIntegrate(invoke: InvokeIntegration, permitted: InvokePermissions): Integrate {
  return async (integration, call) => {
    if (integration.type === 'MOCK') return mockAnswer(integration.properties, call);
    const { functionArn, timeoutMs } = integration;
    const { method } = call.route;
    const sourceArn = `${call.stage.api.arnPrefix}/${call.stage.name}/${call.request.method}${method.resourcePath}`;
    if (!permitted(functionArn, sourceArn)) {
      const reason = `no AWS::Lambda::Permission lets API Gateway invoke ${functionArn}`;
      return gatewayRefusal('API_CONFIGURATION_ERROR', { reason });
    }
    const payload = JSON.stringify(proxyEvent(call));
    if (Buffer.byteLength(payload) > invocationLimitBytes) return gatewayRefusal('REQUEST_TOO_LARGE');
    const outcome = await within(timeoutMs, invoke(functionArn, payload)).catch((error: Error) => error);
    if (outcome === 'late') return gatewayRefusal('INTEGRATION_TIMEOUT');
    if (outcome instanceof Error) {
      const reason = `the function can't be invoked: ${outcome.name}`;
      // Lambda's throttling counts as a failed integration, with a status of its own.
      const type = outcome.name === 'FunctionThrottled' ? 'INTEGRATION_FAILURE' : 'DEFAULT_5XX';
      return gatewayRefusal(type, { statusCode: 500, message: 'Internal server error', reason });
    }
    if (outcome.functionError !== undefined) {
      const { errorType } = JSON.parse(outcome.payload) as { errorType?: unknown };
      return gatewayRefusal('DEFAULT_5XX', { reason: `the function failed: ${String(errorType)}` });
    }
    const accept = headerOf(call.request, 'accept')?.split(',')[0]?.split(';')[0]?.trim() ?? '';
    return (
      readProxyResponse(outcome.payload, accept, call.stage.api.binaryMediaTypes) ??
      gatewayRefusal('DEFAULT_5XX', { reason: 'the function returned no valid proxy response' })
    );
  };
}

async function within<T>(limitMs: number, work: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, limitMs, 'late');
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
