import type { APIGatewayProxyResult } from 'aws-lambda';
import { json, notStored } from './oauth-error.ts';

/** Status by error (RFC 6750 section 3.1); 401 where nothing was sent. */
const statuses = { invalid_request: 400, invalid_token: 401, insufficient_scope: 403 } as const;

/**
 * A refusal to who came with a bearer token, or without one: `WWW-Authenticate: Bearer` (RFC 6750 section 3), and the same in
 * the body, since API Gateway renames the header (docs/architecture.md, How a call is let in).
 */
export function bearerError(refusal: {
  readonly error?: keyof typeof statuses;
  readonly description: string;
}): APIGatewayProxyResult {
  const { error, description } = refusal;
  if (error === undefined) return json(401, {}, { ...notStored, 'WWW-Authenticate': 'Bearer' });
  const challenge = `Bearer error="${error}", error_description="${description}"`;
  const body = { error, error_description: description };
  return json(statuses[error], body, { ...notStored, 'WWW-Authenticate': challenge });
}
