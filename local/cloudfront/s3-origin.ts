/** Local CloudFront: the S3 origin, with conditional requests, and 403 or 404 for a missing key. */

import { type GatewayRequest, headerOf } from '../gateway/request.ts';
import type { StoredObject } from '../s3/bucket-objects.ts';
import type { CloudFrontMay } from '../s3/bucket-policy.ts';
import type { PlainAnswer } from './viewer-event.ts';

export interface BucketOfOrigin {
  readonly objects: ReadonlyMap<string, StoredObject>;
  readonly may: CloudFrontMay;
  readonly bucketArn: string;
}

/**
 * Responds as S3 does to CloudFront: with the object; 304 if a condition holds; 404 if the key is missing and the bucket policy allows
 * CloudFront to list; otherwise 403. Range requests get the whole object.
 *
 * @param path includes the origin's path, percent-encoded.
 */
export function objectAnswer(
  { objects, may, bucketArn }: BucketOfOrigin,
  request: GatewayRequest,
  path: string,
): PlainAnswer {
  const { method } = request;
  const key = keyOf(path);
  if (key === undefined) return s3Error(400, 'InvalidURI', "Couldn't parse the specified URI.");
  if ((method !== 'GET' && method !== 'HEAD') || key === '' || !may('s3:GetObject', `${bucketArn}/${key}`)) {
    return denied();
  }
  const found = objects.get(key);
  if (found === undefined) {
    return may('s3:ListBucket', bucketArn)
      ? s3Error(404, 'NoSuchKey', 'The specified key does not exist.')
      : denied();
  }
  const headers = [
    ...found.headers,
    ['ETag', found.etag] as const,
    ['Last-Modified', new Date(found.lastModified).toUTCString()] as const,
    ['Server', 'AmazonS3'] as const,
  ];
  if (isUnchanged(request, found)) return { statusCode: 304, headers, body: Buffer.alloc(0) };
  return { statusCode: 200, headers, body: found.body };
}

/** Whether the viewer has the current object. If-Modified-Since counts only without If-None-Match (RFC 9110 section 13.2.2). */
function isUnchanged(request: GatewayRequest, { etag, lastModified }: StoredObject): boolean {
  const tags = headerOf(request, 'if-none-match');
  if (tags !== undefined) {
    return tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
  }
  const since = Date.parse(headerOf(request, 'if-modified-since') ?? '');
  return !Number.isNaN(since) && lastModified <= since;
}

function keyOf(path: string): string | undefined {
  try {
    return decodeURIComponent(path.replace(/^\//, ''));
  } catch {
    return undefined;
  }
}

function denied(): PlainAnswer {
  return s3Error(403, 'AccessDenied', 'Access Denied');
}

function s3Error(statusCode: number, code: string, message: string): PlainAnswer {
  return {
    statusCode,
    headers: [
      ['Content-Type', 'application/xml'],
      ['Server', 'AmazonS3'],
    ],
    body: Buffer.from(
      `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
    ),
  };
}
