/** Verifies signed URLs (Signature Version 4 in the query): anyone who has one acts as its signer, until it expires. */

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { AwsError } from '../protocol/aws-error.ts';

/** The secret access key of all access keys on this machine. */
export const localSecretAccessKey = 'local';

export interface SignedRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * Verifies the signature and the lifetime of a signed URL. A request without a signature in its query passes: its header identifies the
 * caller.
 *
 * @throws AwsError with S3's codes: `AccessDenied` for an expired URL, `SignatureDoesNotMatch` for a changed one.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
export function checkPresigned(request: SignedRequest, now: number): void {
  // A browser's preflight request has no signature.
  if (request.method === 'OPTIONS') return;
  const { pathname, searchParams } = new URL(request.url, 'http://endpoint');
  const signature = searchParams.get('X-Amz-Signature');
  if (signature === null && !searchParams.has('X-Amz-Credential')) return;
  if (!matches(signatureOf(request, pathname, searchParams), signature ?? '')) {
    throw new AwsError(
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided.',
      403,
    );
  }
  const lifetime = Number(searchParams.get('X-Amz-Expires')) * 1000;
  if (!(now < signedAt(searchParams) + lifetime)) {
    throw new AwsError('AccessDenied', 'Request has expired', 403);
  }
}

function signatureOf({ method, headers }: SignedRequest, path: string, query: URLSearchParams): string {
  const date = query.get('X-Amz-Date') ?? '';
  const [, ...scope] = (query.get('X-Amz-Credential') ?? '').split('/');
  const signed = (query.get('X-Amz-SignedHeaders') ?? '').split(';');
  const canonical = [
    method,
    path,
    [...query]
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join('&'),
    ...signed.map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    signed.join(';'),
    query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
  ].join('\n');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const text = ['AWS4-HMAC-SHA256', date, scope.join('/'), digest].join('\n');
  const key = scope.reduce<Buffer | string>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${localSecretAccessKey}`,
  );
  return createHmac('sha256', key).update(text).digest('hex');
}

/** Encodes all but the unreserved characters of RFC 3986, as the canonical request does. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * The time of the signature.
 *
 * @returns milliseconds since 1970; NaN if it is invalid.
 */
function signedAt(query: URLSearchParams): number {
  const date = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
  return Date.parse((query.get('X-Amz-Date') ?? '').replace(date, '$1-$2-$3T$4:$5:$6Z'));
}

function matches(expected: string, given: string): boolean {
  return expected.length === given.length && timingSafeEqual(Buffer.from(expected), Buffer.from(given));
}
