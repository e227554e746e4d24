/** Formats OAuth error responses and the headers of the token endpoints. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import type { serverErrors, TokenErrorCode } from '../../catalog/oauth/oauth-errors.ts';
import { basicChallenge } from '../../catalog/oauth/www-authenticate.ts';
import type { Dialect } from './pipeline.ts';

/**
 * Error codes of the authorization and token hosts, whose errors are JSON as in RFC 6749 section 5.2. All their refusals become responses
 * in this file.
 */
type OAuthErrorCode = TokenErrorCode | keyof typeof serverErrors;

export interface OAuthError {
  readonly error: OAuthErrorCode;
  readonly description: string;
  /** Seconds for `Retry-After`; the response is then 429 (RFC 6585 section 4). */
  readonly retryAfterSeconds?: number;
}

/** Headers against caching, required of every response with a token (RFC 6749 section 5.1) and sent with all others too. */
export const notStored: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
};

/** CORS headers that let browser applications of any origin call. The endpoints read no cookie; credentials are in the request. */
export const anyOrigin: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Retry-After,WWW-Authenticate,X-Request-Id',
};

export function json(
  statusCode: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = notStored,
): APIGatewayProxyResult {
  return {
    statusCode,
    headers: { ...anyOrigin, 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/**
 * Makes an error response. Its status is 400, or 401 with a challenge if the client failed to authenticate (RFC 6749 section 5.2), unless
 * another is given.
 */
export function oauthError(
  { error, description, retryAfterSeconds }: OAuthError,
  status?: number,
): APIGatewayProxyResult {
  if (retryAfterSeconds !== undefined) {
    const headers = { ...notStored, 'Retry-After': String(retryAfterSeconds) };
    return json(429, { error, error_description: description }, headers);
  }
  const statusCode = status ?? (error === 'invalid_client' ? 401 : 400);
  const challenge = statusCode === 401 ? { 'WWW-Authenticate': basicChallenge } : undefined;
  return json(statusCode, { error, error_description: description }, { ...notStored, ...challenge });
}

export const oauthDialect: Dialect = {
  defect: () =>
    oauthError({ error: 'server_error', description: 'The service failed to process the request.' }, 500),
  unavailable: () =>
    json(
      503,
      { error: 'temporarily_unavailable', error_description: 'The service is busy. Try again.' },
      { ...notStored, 'Retry-After': '1' },
    ),
  repeatedCredential: (header) =>
    oauthError({ error: 'invalid_request', description: `The header ${header} was sent more than once.` }),
};

export function notFound(): APIGatewayProxyResult {
  return oauthError({ error: 'invalid_request', description: 'The path was not found.' }, 404);
}

export function oauthMethodNotAllowed(allow: string): APIGatewayProxyResult {
  const body = { error: 'invalid_request', error_description: `This path supports ${allow} only.` };
  return json(405, body, { ...notStored, Allow: allow });
}

/** Makes the response to a CORS preflight (Fetch standard, "CORS-preflight fetch"). */
export function corsPreflight(methods: string): APIGatewayProxyResult {
  return {
    statusCode: 204,
    headers: {
      ...anyOrigin,
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': 'Authorization,Content-Type,X-Request-Id,x-api-subscription-key',
      'Access-Control-Max-Age': '7200',
    },
    body: '',
  };
}
