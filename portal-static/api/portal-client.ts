/** The browser's client of the portal's API. */

import { type Problem, readProblem, unanswered } from './problem.ts';
import { sendPatiently } from './retry.ts';
import type { AnswerOf, PathNames, RouteKey } from './route-types.ts';

/**
 * The result of an API call: the response's body, or the problem as a value. Calls are same-origin JSON requests; the session is in a
 * cookie that scripts cannot read.
 */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

type Options<K extends RouteKey> = {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
} & (PathNames<K> extends never
  ? { readonly path?: never }
  : { readonly path: Readonly<Record<PathNames<K>, string>> });

let onRefused: (code: Problem['code']) => void = () => {};

/** Sets the function that is called with the code of each failed call. */
export function whenRefused(handler: (code: Problem['code']) => void): void {
  onRefused = handler;
}

/**
 * Calls a route, e.g. `call('POST /api/session', { body })`.
 *
 * @returns the response's body, or the problem. Then it also calls the function set by `whenRefused`.
 */
export async function call<K extends RouteKey>(
  route: K,
  ...[options]: PathNames<K> extends never ? [Options<K>?] : [Options<K>]
): Promise<Outcome<AnswerOf<K>>> {
  const [method = 'GET', template = ''] = route.split(' ');
  const outcome = await send(method, address(template, options?.path, options?.query), options);
  if (!outcome.ok) onRefused(outcome.problem.code);
  return outcome as Outcome<AnswerOf<K>>;
}

function address(
  template: string,
  path: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? filled : `${filled}?${new URLSearchParams(given)}`;
}

async function send(
  method: string,
  url: string,
  options: { readonly body?: unknown; readonly signal?: AbortSignal } = {},
): Promise<Outcome<unknown>> {
  const { body, signal } = options;
  try {
    const request = () =>
      fetch(url, {
        method,
        credentials: 'same-origin',
        redirect: 'error',
        cache: 'no-store',
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
    // Only GET is repeated automatically; a person must confirm to send a password or a code again.
    const response = method === 'GET' ? await sendPatiently(method, request) : await request();
    const answer: unknown = response.status === 204 ? undefined : await response.json();
    return response.ok ? { ok: true, value: answer } : { ok: false, problem: readProblem(answer) };
  } catch {
    return { ok: false, problem: unanswered };
  }
}
