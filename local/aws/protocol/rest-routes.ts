/** Matches REST operations of AWS services by method and path. */

import { AwsError } from './aws-error.ts';
import type { WireRequest } from './wire.ts';

/** Method and path of a REST-JSON operation. `{name}` is a path parameter, passed to `input` decoded. */
export interface RestRoute {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  input(request: RestRequest): unknown;
}

export interface RestRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: WireRequest['headers'];
  readonly body: Buffer;
}

export function matchRoute(
  routes: readonly RestRoute[],
  request: WireRequest,
): { readonly operation: string; readonly input: unknown } | undefined {
  const { pathname, searchParams } = new URL(request.url, 'http://endpoint');
  const given = pathname.split('/');
  for (const route of routes) {
    if (route.method !== request.method) continue;
    const path = matchPath(route.path.split('/'), given);
    if (path === undefined) continue;
    const read = { path, query: searchParams, headers: request.headers, body: request.body };
    return { operation: route.operation, input: route.input(read) };
  }
  return undefined;
}

function matchPath(
  pattern: readonly string[],
  given: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const actual = given[index] ?? '';
    if (expected.startsWith('{')) parameters[expected.slice(1, -1)] = decode(actual);
    else if (expected !== actual) return undefined;
  }
  return parameters;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AwsError('BadRequestException', 'the path is badly encoded');
  }
}
