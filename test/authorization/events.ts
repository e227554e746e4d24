import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

type Form = Readonly<Record<string, string | readonly string[]>>;

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields of a form; a list repeats the field. */
  readonly form?: Form | string;
  readonly json?: unknown;
  readonly authorizer?: Readonly<Record<string, unknown>>;
  /**
   * The caller's IP address.
   *
   * @default the same address for all calls
   */
  readonly address?: string;
}

/** Makes the proxy event that API Gateway makes of a call. */
export function eventOf(call: Call): APIGatewayProxyEvent {
  const { form, json } = call;
  const body =
    json !== undefined
      ? JSON.stringify(json)
      : typeof form === 'object'
        ? new URLSearchParams(fieldsOf(form)).toString()
        : (form ?? null);
  const type =
    json !== undefined
      ? { 'content-type': 'application/json' }
      : form !== undefined
        ? { 'content-type': 'application/x-www-form-urlencoded' }
        : undefined;
  const several: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(call.query ?? ''))
    several[name] = [...(several[name] ?? []), value];
  return {
    httpMethod: call.method ?? (body === null ? 'GET' : 'POST'),
    path: call.path,
    resource: '/{proxy+}',
    headers: { ...type, ...call.headers },
    multiValueHeaders: {},
    queryStringParameters: null,
    multiValueQueryStringParameters: call.query === undefined ? null : several,
    pathParameters: null,
    stageVariables: null,
    body,
    isBase64Encoded: false,
    requestContext: {
      requestId: 'request-1',
      authorizer: call.authorizer ?? null,
      identity: { sourceIp: call.address ?? '192.0.2.1' },
    },
  } as unknown as APIGatewayProxyEvent;
}

function fieldsOf(form: Form): [name: string, value: string][] {
  return Object.entries(form).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one): [string, string] => [name, one]),
  );
}

export function headerOf(answer: APIGatewayProxyResult, name: string): string {
  const found = Object.entries(answer.headers ?? {}).find(
    ([key]) => key.toLowerCase() === name.toLowerCase(),
  );
  return String(found?.[1] ?? '');
}

/** The query parameters of a redirect. */
export function redirectOf(answer: APIGatewayProxyResult): URLSearchParams {
  return new URL(headerOf(answer, 'location')).searchParams;
}

/** The cookie that an answer sets, as a browser sends it back. */
export function cookieOf(answer: APIGatewayProxyResult): string {
  return headerOf(answer, 'set-cookie').split(';', 1).join();
}

/** The hidden fields of a page's form. */
export function hiddenFields(page: string): Record<string, string> {
  const fields = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
}
