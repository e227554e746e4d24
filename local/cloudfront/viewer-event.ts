/** Local CloudFront: builds the event of a viewer request or response for a CloudFront Function, and applies what the function returns. */

import type { GatewayRequest } from '../gateway/request.ts';
import type { Headers } from './response-headers-policy.ts';
import {
  type EventRequest,
  type EventResponse,
  type EventValue,
  type EventValues,
  FunctionFailed,
} from './viewer-function.ts';

/** A function returned a request or response that CloudFront refuses with 502. */
export class FunctionInvalid extends FunctionFailed {}

/** Headers that functions can't see or set ("Restrictions on all edge functions"). */
const disallowed =
  /^(connection|expect|keep-alive|proxy-.*|trailer|upgrade|x-accel-.*|x-amz-cf-.*|x-amzn-(auth|cf-.*|errortype|.*requestid|header-count)|x-cache|x-edge-.*|x-forwarded-proto|x-real-ip)$/;
const readOnly = ['content-length', 'host', 'transfer-encoding', 'via'];

export function eventRequest({ method, path, query, headers }: GatewayRequest): EventRequest {
  const visible = headers.filter(([name]) => !disallowed.test(name.toLowerCase()));
  const cookies = visible
    .filter(([name]) => name.toLowerCase() === 'cookie')
    .flatMap(([, value]) => value.split(';'))
    .map((pair) => splitPair(pair.trim()));
  return {
    method,
    uri: path,
    // The query string stays encoded, as functions see it.
    querystring: grouped(query === '' ? [] : query.split('&').map(splitPair)),
    headers: grouped(
      visible
        .filter(([name]) => name.toLowerCase() !== 'cookie')
        .map(([name, value]) => [name.toLowerCase(), value] as const),
    ),
    cookies: grouped(cookies.filter(([name]) => name !== '')),
  };
}

/**
 * Applies the request that a function returned.
 *
 * @throws FunctionInvalid
 */
export function changedRequest(request: GatewayRequest, returned: unknown): GatewayRequest {
  const before = eventRequest(request);
  const { method, uri, querystring = {}, headers = {}, cookies = {} } = returned as Partial<EventRequest>;
  if (method !== before.method) throw new FunctionInvalid('the method is read-only');
  if (typeof uri !== 'string' || !uri.startsWith('/') || uri.includes('?')) {
    throw new FunctionInvalid('the URI must begin with a slash and hold no query string');
  }
  checkHeaders(headers);
  for (const name of readOnly) {
    if (headers[name]?.value !== before.headers[name]?.value) {
      throw new FunctionInvalid(`the header ${name} is read-only`);
    }
  }
  const cookie = pairs(cookies).map(([name, value]) => `${name}=${value}`);
  return {
    ...request,
    path: uri,
    query: pairs(querystring)
      .map(([name, value]) => (value === '' ? name : `${name}=${value}`))
      .join('&'),
    headers: [
      ...request.headers.filter(([name]) => disallowed.test(name.toLowerCase())),
      ...pairs(headers),
      ...(cookie.length === 0 ? [] : [['cookie', cookie.join('; ')] as const]),
    ],
  };
}

export interface PlainAnswer {
  readonly statusCode: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** A response as a viewer-response function sees it, without its body. */
export function eventResponse({ statusCode, headers }: PlainAnswer): EventResponse {
  const visible = headers.filter(([name]) => !disallowed.test(name.toLowerCase()));
  const cookies: [string, { value: string; attributes?: string }][] = visible
    .filter(([name]) => name.toLowerCase() === 'set-cookie')
    .map(([, text]) => {
      const [pair = '', ...attributes] = text.split(';');
      const [name, value] = splitPair(pair);
      return [name, attributes.length === 0 ? { value } : { value, attributes: attributes.join(';').trim() }];
    });
  return {
    statusCode,
    headers: grouped(
      visible
        .filter(([name]) => name.toLowerCase() !== 'set-cookie')
        .map(([name, value]) => [name.toLowerCase(), value] as const),
    ),
    cookies: groupedValues(cookies),
  };
}

/**
 * The response that a function returned: a new one, or a change of the origin's response (`from`), whose body it keeps.
 *
 * @throws FunctionInvalid
 */
export function changedAnswer(returned: unknown, from?: PlainAnswer): PlainAnswer {
  const { statusCode, headers = {}, cookies = {}, body } = (returned ?? {}) as Partial<EventResponse>;
  if (
    typeof statusCode !== 'number' ||
    !Number.isInteger(statusCode) ||
    statusCode < 100 ||
    statusCode > 599
  ) {
    throw new FunctionInvalid('the status code is none');
  }
  checkHeaders(headers);
  const kept = from?.headers.filter(([name]) => disallowed.test(name.toLowerCase())) ?? [];
  return {
    statusCode,
    headers: [...kept, ...pairs(headers), ...setCookies(cookies)],
    body: body === undefined ? (from?.body ?? Buffer.alloc(0)) : bodyOf(body),
  };
}

function bodyOf(body: NonNullable<EventResponse['body']>): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  return Buffer.from(String(body.data), body.encoding === 'base64' ? 'base64' : 'utf8');
}

function checkHeaders(headers: EventValues): void {
  for (const [name, one] of Object.entries(headers)) {
    if (name !== name.toLowerCase() || disallowed.test(name)) throw new FunctionInvalid(`the header ${name}`);
    if (typeof one?.value !== 'string') throw new FunctionInvalid(`the header ${name} has no value`);
  }
}

function setCookies(cookies: EventValues): Headers {
  return Object.entries(cookies).flatMap(([name, one]) =>
    valuesOf(one).map(({ value, attributes }) => {
      const text = attributes === undefined || attributes === '' ? '' : `; ${attributes}`;
      return ['set-cookie', `${name}=${value}${text}`] as const;
    }),
  );
}

function splitPair(pair: string): readonly [string, string] {
  const equals = pair.indexOf('=');
  return equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
}

function grouped(entries: readonly (readonly [string, string])[]): EventValues {
  return groupedValues(entries.map(([name, value]) => [name, { value }]));
}

/** Groups values by name: `value` has the first, and `multiValue` all if there are several. */
function groupedValues(
  entries: readonly (readonly [string, { readonly value: string; readonly attributes?: string }])[],
): EventValues {
  const names = Map.groupBy(entries, ([name]) => name);
  return Object.fromEntries(
    [...names].map(([name, several]): [string, EventValue] => {
      const multiValue = several.map(([, one]) => one);
      const first = multiValue[0] ?? { value: '' };
      return [name, several.length === 1 ? first : { ...first, multiValue }];
    }),
  );
}

function valuesOf(one: EventValue): readonly { readonly value: string; readonly attributes?: string }[] {
  return one.multiValue ?? [one];
}

function pairs(values: EventValues): (readonly [string, string])[] {
  return Object.entries(values).flatMap(([name, one]) =>
    valuesOf(one).map(({ value }) => [name, value] as const),
  );
}
