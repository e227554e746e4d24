import { type GatewayResponseOptions, ResponseType } from 'aws-cdk-lib/aws-apigateway';

/**
 * The refusals API Gateway makes itself, before or instead of a function. Statuses are API Gateway's own except where
 * the table says otherwise.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
export const responseTypes = [
  'ACCESS_DENIED',
  'API_CONFIGURATION_ERROR',
  'AUTHORIZER_CONFIGURATION_ERROR',
  'AUTHORIZER_FAILURE',
  'BAD_REQUEST_BODY',
  'BAD_REQUEST_PARAMETERS',
  'DEFAULT_4XX',
  'DEFAULT_5XX',
  'EXPIRED_TOKEN',
  'INTEGRATION_FAILURE',
  'INTEGRATION_TIMEOUT',
  'INVALID_API_KEY',
  'INVALID_SIGNATURE',
  'MISSING_AUTHENTICATION_TOKEN',
  'QUOTA_EXCEEDED',
  'REQUEST_TOO_LARGE',
  'RESOURCE_NOT_FOUND',
  'THROTTLED',
  'UNAUTHORIZED',
  'UNSUPPORTED_MEDIA_TYPE',
  'WAF_FILTERED',
] as const;

export type GatewayResponseType = (typeof responseTypes)[number];

/** By type: the options of one `AWS::ApiGateway::GatewayResponse` each. */
export type GatewayResponseTable = Readonly<Record<GatewayResponseType, GatewayResponseOptions>>;

/** One refusal as a host words it. */
export interface Wording {
  /** Absent where API Gateway's own status stays (the two defaults stand for many). */
  readonly status?: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes a host's table. The body is a constant: gateway responses know no escaping but of `$context` variables. */
export function gatewayResponses(
  contentType: string,
  common: Readonly<Record<string, string>>,
  word: (type: GatewayResponseType) => Wording,
): GatewayResponseTable {
  const entries = responseTypes.map((type) => {
    const { status, body, headers } = word(type);
    const responseHeaders = { 'Content-Type': contentType, ...common, ...headers };
    return [
      type,
      {
        type: ResponseType.of(type),
        ...(status === undefined ? {} : { statusCode: `${status}` }),
        responseHeaders: {
          ...Object.fromEntries(Object.entries(responseHeaders).map(([name, value]) => [name, `'${value}'`])),
          'X-Request-Id': 'context.requestId',
        },
        templates: { 'application/json': JSON.stringify(body) },
      },
    ];
  });
  return Object.fromEntries(entries);
}

/** Seconds a client should wait: a second for the rate, an hour for the day's quota. */
export const retryAfter = { THROTTLED: '1', QUOTA_EXCEEDED: '3600' } as const;
