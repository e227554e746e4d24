import type { APIGatewayProxyResult } from 'aws-lambda';
import { type BearerErrorCode, bearerErrors } from '../../catalog/oauth/oauth-errors.ts';
import { bearerChallenge } from '../../catalog/oauth/www-authenticate.ts';
import { json, notStored, oauthError } from './oauth-error.ts';

/**
 * Makes the response to a refused or missing bearer token: `WWW-Authenticate: Bearer` (RFC 6750 section 3). The body has the same text,
 * because API Gateway renames the header (docs/architecture.md, How a call is authorized).
 */
export function bearerError(refusal: {
  readonly error?: BearerErrorCode;
  readonly description: string;
  readonly retryAfterSeconds?: number;
}): APIGatewayProxyResult {
  const { error, description, retryAfterSeconds } = refusal;
  if (error === undefined) return json(401, {}, { ...notStored, 'WWW-Authenticate': bearerChallenge });
  if (error === 'temporarily_unavailable') {
    return oauthError({ error, description, retryAfterSeconds: retryAfterSeconds ?? 1 });
  }
  const challenge = `Bearer error="${error}", error_description="${description}"`;
  const body = { error, error_description: description };
  return json(bearerErrors[error].status, body, { ...notStored, 'WWW-Authenticate': challenge });
}
