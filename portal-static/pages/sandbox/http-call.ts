/** A call of the guided first call: what is sent, and its body as text. */

/** A request as it is sent, shown and turned into code. */
export interface HttpCall {
  readonly title: string;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Fields of the body: JSON, or a form where the Content-Type says so. */
  readonly body?: Readonly<Record<string, string>>;
}

/** The body as it goes over the wire. */
export function requestBodyText({ headers, body }: HttpCall): string | undefined {
  if (body === undefined) return undefined;
  if (headers['content-type'] === 'application/json') return JSON.stringify(body);
  return new URLSearchParams(body).toString();
}
