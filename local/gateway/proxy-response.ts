/** Local API Gateway: parses responses of the Lambda proxy integration. */

import type { GatewayAnswer } from './gateway-responses.ts';
import { matchesMediaType } from './proxy-event.ts';

/** Response headers that a function can't set: API Gateway renames them. Source: "Amazon API Gateway important notes for REST APIs". */
const remapped = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-md5',
  'date',
  'expect',
  'host',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'upgrade',
  'user-agent',
  'www-authenticate',
  'x-amzn-requestid',
]);
const dropped = new Set(['transfer-encoding']);

/**
 * Parses what a function returned to a proxy integration.
 *
 * @param accept the first media type of the request's Accept header: base64 is decoded only if the API treats this type as binary.
 * @returns undefined if it does not have the required form, which gives 502.
 * @see
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html#api-gateway-simple-proxy-for-lambda-output-format
 */
export function readProxyResponse(
  payload: string,
  accept: string,
  binaryMediaTypes: readonly string[],
): GatewayAnswer | undefined {
  const response: unknown = JSON.parse(payload);
  if (!isObject(response)) return undefined;
  for (const member of Object.keys(response)) if (!members.has(member)) return undefined;
  const statusCode = Number(response.statusCode);
  if (!Number.isInteger(statusCode) || statusCode < 200 || statusCode > 599) return undefined;
  const body = response.body ?? '';
  if (typeof body !== 'string') return undefined;
  const headers = readHeaders(response.headers, response.multiValueHeaders);
  if (headers === undefined) return undefined;
  const decodes = response.isBase64Encoded === true && matchesMediaType(binaryMediaTypes, accept);
  if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) {
    headers.push(['Content-Type', 'application/json']);
  }
  return { statusCode, headers, body: Buffer.from(body, decodes ? 'base64' : 'utf8') };
}

const members = new Set(['statusCode', 'headers', 'multiValueHeaders', 'body', 'isBase64Encoded']);

/** Joins single-value and multi-value headers; a value that is in both is sent once. */
function readHeaders(single: unknown, multiple: unknown): [string, string][] | undefined {
  const entries: [string, unknown][] = [];
  if (single !== undefined && single !== null) {
    if (!isObject(single)) return undefined;
    entries.push(...Object.entries(single));
  }
  if (multiple !== undefined && multiple !== null) {
    if (!isObject(multiple)) return undefined;
    for (const [name, values] of Object.entries(multiple)) {
      if (!Array.isArray(values)) return undefined;
      for (const value of values) entries.push([name, value]);
    }
  }
  const headers = new Map<string, [string, string]>();
  for (const [name, value] of entries) {
    if (value === null) continue;
    if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined;
    const lower = name.toLowerCase();
    if (dropped.has(lower)) continue;
    const sent = remapped.has(lower) ? `x-amzn-Remapped-${name}` : name;
    headers.set(`${lower}\n${String(value)}`, [sent, String(value)]);
  }
  return [...headers.values()];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
