/**
 * Types of API Gateway's own refusals, before or instead of a function. Statuses are API Gateway's unless the table of `gateway-errors.ts`
 * has another.
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

/** Seconds in `Retry-After`: a second for the rate, an hour for the daily quota. */
export const retryAfter = { THROTTLED: '1', QUOTA_EXCEEDED: '3600' } as const;

/** Advice to developers for each refusal, on every host. */
export const gatewayFixes: Readonly<Record<GatewayResponseType, string>> = {
  UNAUTHORIZED:
    'Send `x-api-subscription-key` with the application’s key and, for member data, `Authorization: Bearer <access token>`.',
  ACCESS_DENIED:
    'Get a new access token from the token endpoint of the same line of business and environment, by a refresh or a new authorization.',
  INVALID_API_KEY:
    'Find the key under View Credentials. It must be an active key of the token’s application, in the same environment. In production the application must be approved.',
  MISSING_AUTHENTICATION_TOKEN:
    'Compare the method and the path with the list of endpoints. Paths are case-sensitive.',
  RESOURCE_NOT_FOUND: 'Compare the method and the path with the list of endpoints. Paths are case-sensitive.',
  THROTTLED: 'Wait the seconds in `Retry-After`, then send requests more slowly.',
  QUOTA_EXCEEDED: 'The quota resets each day at midnight UTC. The portal shows the usage.',
  BAD_REQUEST_BODY: 'Check the body against the API reference.',
  BAD_REQUEST_PARAMETERS: 'Check the parameters against the API reference.',
  REQUEST_TOO_LARGE: 'Send a smaller body.',
  UNSUPPORTED_MEDIA_TYPE: 'Send the body uncompressed, or compressed by gzip or deflate.',
  EXPIRED_TOKEN: 'Send a bearer token instead of an AWS signature.',
  INVALID_SIGNATURE: 'Send a bearer token instead of an AWS signature.',
  WAF_FILTERED:
    'The request matched a rule against attacks. Remove markup and code from its parameters. If there is none, report the request ID.',
  API_CONFIGURATION_ERROR: 'Try again. If the error persists, report the `X-Request-Id` of the response.',
  AUTHORIZER_CONFIGURATION_ERROR: 'Wait the seconds in `Retry-After`, then try again.',
  AUTHORIZER_FAILURE: 'Wait the seconds in `Retry-After`, then try again.',
  INTEGRATION_FAILURE: 'Wait the seconds in `Retry-After`, then try again.',
  INTEGRATION_TIMEOUT: 'Wait the seconds in `Retry-After`, then try again.',
  DEFAULT_4XX: 'Compare the request with the API reference.',
  DEFAULT_5XX: 'Try again. If the error persists, report the `X-Request-Id` of the response.',
};

/**
 * Gateway responses without a row in the documentation: hosts do not use request validation, the token host has no token authorizer, and
 * the text of REQUEST_TOO_LARGE cannot be changed.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
export const unlistedGatewayResponses: Readonly<Record<string, readonly string[]>> = {
  fhir: ['BAD_REQUEST_BODY', 'BAD_REQUEST_PARAMETERS', 'REQUEST_TOO_LARGE'],
  oauth: ['BAD_REQUEST_BODY', 'BAD_REQUEST_PARAMETERS', 'REQUEST_TOO_LARGE', 'ACCESS_DENIED'],
};
