/** Local API Gateway: its own refusals (gateway responses). */

import type { Authorization } from './call.ts';

/** The gateway response types that this data plane supports. Source: "Gateway response types for API Gateway", Developer Guide. */
export type ServedGatewayResponseType =
  | 'ACCESS_DENIED'
  | 'API_CONFIGURATION_ERROR'
  | 'AUTHORIZER_CONFIGURATION_ERROR'
  | 'AUTHORIZER_FAILURE'
  | 'DEFAULT_4XX'
  | 'DEFAULT_5XX'
  | 'INTEGRATION_FAILURE'
  | 'INTEGRATION_TIMEOUT'
  | 'INVALID_API_KEY'
  | 'MISSING_AUTHENTICATION_TOKEN'
  | 'QUOTA_EXCEEDED'
  | 'REQUEST_TOO_LARGE'
  | 'THROTTLED'
  | 'UNAUTHORIZED'
  | 'UNSUPPORTED_MEDIA_TYPE';

/** A response that the gateway makes itself, instead of the integration. */
export interface GatewayRefusal {
  readonly type: ServedGatewayResponseType;
  readonly statusCode: number;
  /** `$context.error.message`; null if API Gateway has no message. */
  readonly message: string | null;
  /** `x-amzn-ErrorType`. */
  readonly errorType: string;
  /** Reason for the log; never sent. */
  readonly reason?: string;
  /** Context of the authorizer that refused the call: `$context.authorizer.…` in the gateway response. */
  readonly authorization?: Authorization;
}

const refusals: Readonly<Record<ServedGatewayResponseType, readonly [number, string | null, string]>> = {
  ACCESS_DENIED: [403, 'User is not authorized to access this resource', 'AccessDeniedException'],
  API_CONFIGURATION_ERROR: [500, 'Internal server error', 'InternalServerErrorException'],
  AUTHORIZER_CONFIGURATION_ERROR: [500, null, 'AuthorizerConfigurationException'],
  AUTHORIZER_FAILURE: [500, null, 'AuthorizerFailureException'],
  DEFAULT_4XX: [400, 'Bad Request', 'BadRequestException'],
  DEFAULT_5XX: [502, 'Internal server error', 'InternalServerErrorException'],
  INTEGRATION_FAILURE: [504, 'Network error communicating with endpoint', 'InternalServerErrorException'],
  INTEGRATION_TIMEOUT: [504, 'Endpoint request timed out', 'InternalServerErrorException'],
  INVALID_API_KEY: [403, 'Forbidden', 'ForbiddenException'],
  MISSING_AUTHENTICATION_TOKEN: [403, 'Missing Authentication Token', 'MissingAuthenticationTokenException'],
  QUOTA_EXCEEDED: [429, 'Limit Exceeded', 'LimitExceededException'],
  REQUEST_TOO_LARGE: [413, 'Request Too Long', 'RequestTooLongException'],
  THROTTLED: [429, 'Too Many Requests', 'TooManyRequestsException'],
  UNAUTHORIZED: [401, 'Unauthorized', 'UnauthorizedException'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Unsupported Media Type', 'UnsupportedMediaTypeException'],
};

/**
 * Makes a refusal of a type.
 *
 * @param change a message or status other than the type's own.
 */
export function gatewayRefusal(
  type: ServedGatewayResponseType,
  change: Partial<GatewayRefusal> = {},
): GatewayRefusal {
  const [statusCode, message, errorType] = refusals[type];
  return { type, statusCode, message, errorType, ...change };
}

export function isRefusal(value: object): value is GatewayRefusal {
  return 'type' in value && 'errorType' in value;
}
