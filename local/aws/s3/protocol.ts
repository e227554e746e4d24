/** Local S3: wire protocol. */

import { AwsError } from '../protocol/aws-error.ts';
import type { Protocol } from '../protocol/protocol.ts';
import type { WireAnswer, WireRequest } from '../protocol/wire.ts';

/** Input of any S3 operation; each operation uses the members it knows. */
export interface S3Input {
  readonly bucket: string;
  readonly key: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: WireRequest['headers'];
  readonly body: Buffer;
}

/** Operations by method and by the query parameter that distinguishes them (Amazon S3 API Reference). */
const operations: readonly { readonly method: string; readonly has?: string; readonly operation: string }[] =
  [
    { method: 'PUT', has: 'partNumber', operation: 'UploadPart' },
    { method: 'PUT', operation: 'PutObject' },
    { method: 'POST', has: 'uploads', operation: 'CreateMultipartUpload' },
    { method: 'POST', has: 'uploadId', operation: 'CompleteMultipartUpload' },
    { method: 'DELETE', has: 'uploadId', operation: 'AbortMultipartUpload' },
    { method: 'DELETE', operation: 'DeleteObject' },
    { method: 'GET', has: 'list-type', operation: 'ListObjectsV2' },
    { method: 'GET', operation: 'GetObject' },
    { method: 'HEAD', operation: 'HeadObject' },
    { method: 'OPTIONS', operation: 'Preflight' },
  ];

/** Query parameters that operations support. A request with any other asks for a feature that the stand-in lacks. */
const parameters = new Set([
  ...['x-id', 'versionId', 'uploads', 'uploadId', 'partNumber'],
  ...['list-type', 'prefix', 'start-after', 'continuation-token'],
  ...['response-content-type', 'response-content-encoding'],
]);
/** Whether a parameter belongs to a signed URL. */
const isSignature = (name: string) => name.startsWith('X-Amz-') || name === 'x-amz-checksum-mode';

/** REST XML with the bucket in the path, as the SDK sends it to an endpoint with an IP address. Bodies are bytes. */
export const s3Protocol: Protocol = {
  read({ method, url, headers, body }) {
    const { pathname, searchParams } = new URL(url, 'http://endpoint');
    const [, bucket = '', ...path] = pathname.split('/').map(decodeURIComponent);
    const key = path.join('/');
    const query = Object.fromEntries(searchParams);
    const unknown = Object.keys(query).find((name) => !parameters.has(name) && !isSignature(name));
    const found = operations.find(
      (one) => one.method === method && (one.has === undefined || one.has in query),
    );
    const isOnBucket = found?.operation === 'ListObjectsV2';
    if (found === undefined || (key === '') !== isOnBucket || unknown !== undefined) {
      throw new AwsError('NotImplemented', `${method} with ${unknown ?? 'this path'} is not known here`, 501);
    }
    if (String(headers['content-encoding'] ?? '').includes('aws-chunked')) {
      throw new AwsError('NotImplemented', 'a body in chunks is not known here', 501);
    }
    return { operation: found.operation, input: { bucket, key, query, headers, body } satisfies S3Input };
  },
  answer(_operation, output, requestId) {
    const answer = output as WireAnswer;
    return { ...answer, headers: { ...answer.headers, 'x-amz-request-id': requestId } };
  },
  error: ({ code, message, status }, requestId) => ({
    status,
    headers: { 'content-type': 'application/xml', 'x-amz-request-id': requestId },
    body: xml(`<Error><Code>${code}</Code><Message>${escaped(message)}</Message></Error>`),
  }),
  accessDenied: 'AccessDenied',
  unknownCaller: 'InvalidAccessKeyId',
};

export function xml(body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}`;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
