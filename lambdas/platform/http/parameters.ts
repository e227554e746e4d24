/** Parses the parameters of a query string or a body. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import { header } from './pipeline.ts';

/** All values of each name, in the order sent. */
export type ParameterMap = ReadonlyMap<string, readonly string[]>;

/** Maximum bytes of a body; token requests and sign-ins are smaller. */
const longestBody = 16_384;

/** The parameters of the query string, as decoded by API Gateway. */
export function queryParameters(event: APIGatewayProxyEvent): ParameterMap {
  const several = Object.entries(event.multiValueQueryStringParameters ?? {});
  if (several.length > 0) return new Map(several.map(([name, values]) => [name, values ?? []]));
  const single = Object.entries(event.queryStringParameters ?? {});
  return new Map(single.map(([name, value]) => [name, value === undefined ? [] : [value]]));
}

/** The media type of the body, in lowercase and without its parameters. */
export function contentTypeOf(event: APIGatewayProxyEvent): string {
  return (header(event, 'content-type') ?? '').split(';', 1).join().trim().toLowerCase();
}

/**
 * The body as text.
 *
 * @param most maximum bytes
 * @returns undefined if the body is larger, or not UTF-8.
 */
export function bodyText(event: APIGatewayProxyEvent, most = longestBody): string | undefined {
  const body = event.body ?? '';
  if (body.length > most * 2) return undefined;
  const bytes = Buffer.from(body, event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > most) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Parses application/x-www-form-urlencoded. Stricter than `URLSearchParams`, which accepts every text.
 *
 * @returns undefined for a malformed percent encoding.
 */
export function formParameters(text: string): ParameterMap | undefined {
  const parameters = new Map<string, string[]>();
  try {
    for (const pair of text.split('&').filter((part) => part !== '')) {
      const equals = pair.indexOf('=');
      const name = formDecode(equals < 0 ? pair : pair.slice(0, equals));
      const value = equals < 0 ? '' : formDecode(pair.slice(equals + 1));
      const before = parameters.get(name);
      if (before === undefined) parameters.set(name, [value]);
      else before.push(value);
    }
  } catch {
    return undefined;
  }
  return parameters;
}

/**
 * Decodes a form-urlencoded text.
 *
 * @throws URIError for a malformed percent encoding.
 */
function formDecode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/**
 * The parameters in a JSON object of strings, as in the token request of docs/service.md S6.2.
 *
 * @returns undefined for any other value.
 */
export function jsonParameters(body: unknown): ParameterMap | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const members = Object.entries(body);
  if (!members.every((member): member is [string, string] => typeof member[1] === 'string')) return undefined;
  return new Map(members.map(([name, value]) => [name, [value]]));
}
