/** Responses of asynchronous jobs (Bulk Data Access IG 2.0.0): accepted, in progress, complete. */

import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { corsHeaders } from './operation-outcome.ts';
import { header } from './pipeline.ts';

const noStore = { ...corsHeaders, 'Cache-Control': 'private, no-store' };

/** Whether a request asks for an asynchronous response (RFC 7240 section 4.1). */
export function isAsynchronous(event: APIGatewayProxyEvent): boolean {
  return /(^|[,;]\s*)respond-async\b/.test(header(event, 'prefer') ?? '');
}

/** The response to a request that began a job: 202 with the address of the job's status. */
export function jobAccepted(location: string): APIGatewayProxyResult {
  return { statusCode: 202, headers: { ...noStore, 'Content-Location': location }, body: '' };
}

export function jobCancelled(): APIGatewayProxyResult {
  return { statusCode: 202, headers: noStore, body: '' };
}

/** The status response of an accepted or running job: 202. */
export function jobInProgress(progress: string, retryAfterSeconds: number): APIGatewayProxyResult {
  const headers = { ...noStore, 'X-Progress': progress, 'Retry-After': `${retryAfterSeconds}` };
  return { statusCode: 202, headers, body: '' };
}

/**
 * The status response of a complete job: 200 with a manifest.
 *
 * @param expiresAt seconds since 1970
 */
export function jobComplete(manifest: object, expiresAt: number): APIGatewayProxyResult {
  const expires = new Date(expiresAt * 1000).toUTCString();
  return {
    statusCode: 200,
    headers: { ...noStore, 'Content-Type': 'application/json', Expires: expires },
    body: JSON.stringify(manifest),
  };
}

/** The response to a request for a file: 307 to a signed address in S3, which must not be cached. */
export function redirectToFile(location: string): APIGatewayProxyResult {
  return { statusCode: 307, headers: { ...noStore, Location: location }, body: '' };
}
