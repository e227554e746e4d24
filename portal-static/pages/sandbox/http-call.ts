/** A call of the guided first call: what is sent, and its body as text. */

import type { CallMethod } from './asked-call.ts';

/** A request as it is sent, shown and turned into code. */
export interface HttpCall {
  readonly title: string;
  readonly method: CallMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Fields of the body, sent as JSON or as a form by the Content-Type; or the body's text. */
  readonly body?: Readonly<Record<string, string>> | string;
}

/** The fields of the body; none where it is a text. */
export function bodyFields({ body }: HttpCall): Readonly<Record<string, string>> {
  return typeof body === 'object' ? body : {};
}

/** The body as it goes over the wire. */
export function requestBodyText({ headers, body }: HttpCall): string | undefined {
  if (body === undefined || typeof body === 'string') return body;
  if (headers['content-type'] === 'application/json') return JSON.stringify(body);
  return new URLSearchParams(body).toString();
}
