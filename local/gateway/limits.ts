/** Local API Gateway: the service's limits on requests, and their refusals. */

import { quota } from '../limits/quotas.ts';
import { type GatewayRefusal, gatewayRefusal } from './refusal.ts';
import { type GatewayRequest, queryOf } from './request.ts';

/** Most bytes of a payload, and of all header names and values together. Source: "Quotas for configuring and running a REST API". */
export const payloadLimitBytes = quota('apiPayload');
const headerLimitBytes = 10_240;
/** "Length, in characters, of the URL for a regional API". */
const urlLimit = 10_240;
/** "ARN length of a method with authorization"; path parameters make the ARN longer. */
export const methodArnLimitBytes = 1_600;
/** "AWS Lambda authorizer result size", 8 KB. */
export const authorizerResultLimitBytes = 8_192;
/** Lambda's limit for the payload of a synchronous invocation. */
export const invocationLimitBytes = quota('lambdaPayload');

/** Checks that API Gateway makes before it finds an API; their refusals use no gateway response of the templates. */
export function checkRequestLimits(request: GatewayRequest): GatewayRefusal | undefined {
  const size = request.headers.reduce((total, [name, value]) => total + name.length + value.length, 0);
  if (size > headerLimitBytes) {
    return gatewayRefusal('DEFAULT_4XX', { statusCode: 431, message: 'Request Header Fields Too Large' });
  }
  const { host, path, query } = request;
  const url = `https://${host}${path}${query === '' ? '' : `?${query}`}`;
  if (url.length > urlLimit) return uriTooLong();
  // "The plain text pipe character and curly braces are not supported for any request URL query string."
  if (/[|{}<>"\\^`\s]/.test(request.query))
    return gatewayRefusal('DEFAULT_4XX', { reason: 'a raw character in the query' });
  if (!decodes(request.path) || queryOf(request.query) === undefined) {
    return gatewayRefusal('DEFAULT_4XX', { reason: 'a broken percent-encoding' });
  }
  return undefined;
}

export function uriTooLong(): GatewayRefusal {
  return gatewayRefusal('DEFAULT_4XX', { statusCode: 414, message: 'Request URI too long' });
}

function decodes(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
