/**
 * The refusals API Gateway makes itself, before or instead of a function. Statuses are API Gateway's own except where
 * the table says otherwise.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
export const gatewayResponseTypes = [
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

export type GatewayResponseType = (typeof gatewayResponseTypes)[number];

/** Seconds a client should wait: a second for the rate, an hour for the day's quota. */
export const retryAfter = { THROTTLED: '1', QUOTA_EXCEEDED: '3600' } as const;

/** What a developer can do about each of them; the same on every host. */
export const gatewayFixes: Readonly<Record<GatewayResponseType, string>> = {
  UNAUTHORIZED:
    'Send `x-api-subscription-key` with the application’s key and, where member data is read, `Authorization: Bearer <access token>`.',
  ACCESS_DENIED:
    'Get a new access token at the token endpoint of the same line of business and environment, by a refresh or by a new authorization.',
  INVALID_API_KEY:
    'Look the key up under View Credentials. It must be of the application the token was issued to, of the same environment, and not rotated away. In production the application must be approved.',
  MISSING_AUTHENTICATION_TOKEN: 'Compare the method and the path with the list of endpoints; letters count.',
  RESOURCE_NOT_FOUND: 'Compare the method and the path with the list of endpoints; letters count.',
  THROTTLED: 'Wait as long as `Retry-After` says, then go on more slowly.',
  QUOTA_EXCEEDED: 'The quota begins anew each day at midnight UTC. The portal shows what is used.',
  BAD_REQUEST_BODY: 'Check the body against the API reference.',
  BAD_REQUEST_PARAMETERS: 'Check the parameters against the API reference.',
  REQUEST_TOO_LARGE: 'Send a smaller body.',
  UNSUPPORTED_MEDIA_TYPE: 'Send the body as it is, or compressed by gzip or deflate.',
  EXPIRED_TOKEN: 'Leave AWS signatures out: this API takes bearer tokens.',
  INVALID_SIGNATURE: 'Leave AWS signatures out: this API takes bearer tokens.',
  WAF_FILTERED:
    'Something in the request looked like an attack. Look for markup or code in its parameters; if there is none, tell us the request id.',
  API_CONFIGURATION_ERROR: 'Try again. If it stays, tell us the `X-Request-Id` of the answer.',
  AUTHORIZER_CONFIGURATION_ERROR: 'Wait as long as `Retry-After` says and try again.',
  AUTHORIZER_FAILURE: 'Wait as long as `Retry-After` says and try again.',
  INTEGRATION_FAILURE: 'Wait as long as `Retry-After` says and try again.',
  INTEGRATION_TIMEOUT: 'Wait as long as `Retry-After` says and try again.',
  DEFAULT_4XX: 'Compare the request with the API reference.',
  DEFAULT_5XX: 'Try again. If it stays, tell us the `X-Request-Id` of the answer.',
};
