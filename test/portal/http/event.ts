import type { APIGatewayProxyEvent } from 'aws-lambda';

export const portalOrigin = 'https://developer.example.org';

export interface PortalEventParts {
  readonly method?: string;
  readonly path: string;
  /** A string is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, readonly string[]>>;
}

/** Makes the event that API Gateway makes of a request of the portal's page. */
export function portalEvent(parts: PortalEventParts): APIGatewayProxyEvent {
  const method = parts.method ?? 'GET';
  const cookie = Object.entries(parts.cookies ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
  const { body } = parts;
  const query = Object.entries(parts.query ?? {});
  return {
    resource: '/api/{proxy+}',
    path: parts.path,
    httpMethod: method,
    headers: {
      ...(method === 'GET' ? {} : { Origin: portalOrigin }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(cookie === '' ? {} : { Cookie: cookie }),
      ...parts.headers,
    },
    multiValueHeaders: {},
    queryStringParameters: null,
    multiValueQueryStringParameters:
      query.length === 0 ? null : Object.fromEntries(query.map(([name, values]) => [name, [...values]])),
    pathParameters: null,
    stageVariables: null,
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: {
      requestId: 'gateway-request-1',
      identity: { sourceIp: '198.51.100.7' },
    } as unknown as APIGatewayProxyEvent['requestContext'],
  };
}
