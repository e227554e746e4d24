/** Local S3: the operations on objects, with the caller's rights. `object-store.ts` stores objects, `protocol.ts` parses HTTP. */

import type { Assembly, Resource } from '../../assembly/resources.ts';
import { keyUseVia } from '../kms/via-service.ts';
import { AwsError } from '../protocol/aws-error.ts';
import type { Caller, Service } from '../protocol/service.ts';
import type { WireAnswer } from '../protocol/wire.ts';
import { crossOriginHeaders } from './cross-origin.ts';
import type { ObjectStore, ObjectVersion } from './object-store.ts';
import { escaped, type S3Input, xml } from './protocol.ts';

/** Most keys on a page of a list. */
const mostKeys = 1000;

/** Called for each object that was created; `reason` is the operation. */
export type ObjectCreated = (object: ObjectVersion, reason: string) => void;

/**
 * The part of S3 that drops, publications and jobs need: versioned objects, read whole or by range, conditional writes, lists, removal, and
 * multipart uploads; in a bucket with Object Lock, objects that are written once. A caller needs the right on the object, and to the key that
 * encrypts the bucket.
 */
export function s3(assembly: Assembly, store: ObjectStore, created: ObjectCreated): Service {
  const useKey = keyUseVia(assembly, 's3');

  function bucketOf({ bucket }: S3Input): Resource {
    const found = assembly.byPhysicalId(bucket, 'AWS::S3::Bucket');
    if (found !== undefined) return found;
    throw new AwsError('NoSuchBucket', 'The specified bucket does not exist', 404);
  }

  function authorize(caller: Caller, action: string, input: S3Input, keyActions: readonly string[]): void {
    const bucket = bucketOf(input);
    caller.authorize(action, `${bucket.arn}/${input.key}`);
    const key = encryptionKeyId(bucket);
    if (key !== undefined) for (const each of keyActions) useKey(caller, each, key);
  }

  function find(input: S3Input, caller: Caller): ObjectVersion {
    const { versionId } = input.query;
    const action = versionId === undefined ? 's3:GetObject' : 's3:GetObjectVersion';
    authorize(caller, action, input, ['kms:Decrypt']);
    const found = store.find(input.bucket, input.key, versionId);
    if (found !== undefined) return found;
    // Only a caller who may list the bucket learns that an object is missing; others get 403.
    caller.authorize('s3:ListBucket', bucketOf(input).arn);
    throw new AwsError(
      versionId === undefined ? 'NoSuchKey' : 'NoSuchVersion',
      'The specified key does not exist.',
      404,
    );
  }

  const write = (caller: Caller, input: S3Input) =>
    authorize(caller, 's3:PutObject', input, ['kms:GenerateDataKey']);

  return {
    operations: {
      async PutObject(raw, caller) {
        const input = raw as S3Input;
        write(caller, input);
        if (isLocked(bucketOf(input))) checkLockedWrite(input.headers);
        checkConditions(input.headers, store.find(input.bucket, input.key));
        const object = store.put(input.bucket, input.key, input.body, contentType(input));
        created(object, 'PutObject');
        return answer(200, { etag: object.etag, 'x-amz-version-id': object.versionId });
      },
      async GetObject(raw, caller) {
        const input = raw as S3Input;
        const object = find(input, caller);
        const shared = crossOriginHeaders(bucketOf(input), input.headers, 'GET');
        if (input.headers['if-none-match'] === object.etag)
          return answer(304, { ...headersOf(object), ...shared });
        const range = rangeOf(input.headers.range, object.bytes);
        if (range === undefined) {
          const headers = { ...headersOf(object), ...askedHeaders(input.query), ...shared };
          return answer(200, headers, store.read(object, 0, object.bytes));
        }
        const { from, to } = range;
        const part = { 'content-range': `bytes ${from}-${to - 1}/${object.bytes}` };
        return answer(206, { ...headersOf(object), ...part, ...shared }, store.read(object, from, to));
      },
      async ListObjectsV2(raw, caller) {
        const input = raw as S3Input;
        caller.authorize('s3:ListBucket', bucketOf(input).arn);
        const { prefix = '', 'start-after': first = '', 'continuation-token': after = first } = input.query;
        const found = store.list(input.bucket, prefix, after, mostKeys + 1);
        const page = found.slice(0, mostKeys);
        const isTruncated = found.length > page.length;
        const contents = page.map(
          ({ key, bytes, etag, lastModified }) =>
            `<Contents><Key>${escaped(key)}</Key><Size>${bytes}</Size><ETag>${escaped(etag)}</ETag><LastModified>${new Date(lastModified).toISOString()}</LastModified></Contents>`,
        );
        const next = isTruncated
          ? `<NextContinuationToken>${escaped(page.at(-1)?.key ?? '')}</NextContinuationToken>`
          : '';
        const head = `<Name>${input.bucket}</Name><Prefix>${escaped(prefix)}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${mostKeys}</MaxKeys>`;
        return xmlAnswer(
          `<ListBucketResult>${head}<IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
        );
      },
      async HeadObject(raw, caller) {
        const input = raw as S3Input;
        const object = find(input, caller);
        const shared = crossOriginHeaders(bucketOf(input), input.headers, 'HEAD');
        return answer(200, { ...headersOf(object), 'content-length': String(object.bytes), ...shared });
      },
      async Preflight(raw) {
        const input = raw as S3Input;
        const method = String(input.headers['access-control-request-method']);
        const allowed = crossOriginHeaders(bucketOf(input), input.headers, method);
        if (allowed === undefined) {
          throw new AwsError('AccessForbidden', 'CORSResponse: This CORS request is not allowed.', 403);
        }
        return answer(200, allowed);
      },
      async DeleteObject(raw, caller) {
        const input = raw as S3Input;
        if (input.query.versionId !== undefined) throw unknownRequest('the removal of a version');
        caller.authorize('s3:DeleteObject', `${bucketOf(input).arn}/${input.key}`);
        if (isLocked(bucketOf(input))) throw lockRefusal();
        store.remove(input.bucket, input.key);
        return answer(204, {});
      },
      async CreateMultipartUpload(raw, caller) {
        const input = raw as S3Input;
        write(caller, input);
        if (isLocked(bucketOf(input)))
          throw unknownRequest('an upload in parts to a bucket with Object Lock');
        const uploadId = store.beginUpload(input.bucket, input.key, contentType(input));
        const body = `<Bucket>${input.bucket}</Bucket><Key>${escaped(input.key)}</Key><UploadId>${uploadId}</UploadId>`;
        return xmlAnswer(`<InitiateMultipartUploadResult>${body}</InitiateMultipartUploadResult>`);
      },
      async UploadPart(raw, caller) {
        const input = raw as S3Input;
        write(caller, input);
        const { uploadId = '', partNumber } = input.query;
        const etag = store.putPart(uploadId, Number(partNumber), input.body);
        if (etag === undefined) throw noSuchUpload();
        return answer(200, { etag });
      },
      async CompleteMultipartUpload(raw, caller) {
        const input = raw as S3Input;
        write(caller, input);
        const parts = [...input.body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)];
        const object = store.completeUpload(
          input.query.uploadId ?? '',
          parts.map(([, part]) => Number(part)),
        );
        if (object === undefined) throw noSuchUpload();
        created(object, 'CompleteMultipartUpload');
        const body = `<Bucket>${input.bucket}</Bucket><Key>${escaped(input.key)}</Key><ETag>${object.etag}</ETag>`;
        const done = xmlAnswer(`<CompleteMultipartUploadResult>${body}</CompleteMultipartUploadResult>`);
        return { ...done, headers: { ...done.headers, 'x-amz-version-id': object.versionId } };
      },
      async AbortMultipartUpload(raw, caller) {
        const input = raw as S3Input;
        authorize(caller, 's3:AbortMultipartUpload', input, []);
        store.abortUpload(input.query.uploadId ?? '');
        return answer(204, {});
      },
    },
  };
}

/** Response headers that a signed URL requests (GetObject, "Overriding response header values through the request"). */
function askedHeaders(query: S3Input['query']): Record<string, string> {
  return Object.fromEntries(
    ['content-type', 'content-encoding'].flatMap((name) => {
      const value = query[`response-${name}`];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/**
 * Checks conditional writes: `If-None-Match: *` if the object must not exist, `If-Match` if it must not have changed since it was read.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 */
function checkConditions(headers: S3Input['headers'], found: ObjectVersion | undefined): void {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (noneMatch !== undefined && noneMatch !== '*') throw unknownRequest('If-None-Match of a tag');
  if (match !== undefined && found === undefined) {
    throw new AwsError('NoSuchKey', 'The specified key does not exist.', 404);
  }
  if ((noneMatch !== undefined && found !== undefined) || (match !== undefined && match !== found?.etag)) {
    throw new AwsError(
      'PreconditionFailed',
      'At least one of the pre-conditions you specified did not hold',
      412,
    );
  }
}

/** Whether a bucket retains each object for a time (Object Lock). */
function isLocked({ properties }: Resource): boolean {
  return String(properties.ObjectLockEnabled) === 'true' && properties.ObjectLockConfiguration !== undefined;
}

/**
 * Checks a write to a bucket with Object Lock: S3 requires a checksum, and the policy of the bucket a condition on the key. Without the
 * policy, S3 would add a version and keep the one before. Bucket policies are not evaluated here, so its refusals are made here.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
 */
function checkLockedWrite(headers: S3Input['headers']): void {
  const hasChecksum = Object.keys(headers).some(
    (name) => name === 'content-md5' || /^x-amz-checksum-/.test(name),
  );
  if (!hasChecksum) {
    throw new AwsError(
      'InvalidRequest',
      'Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object requests with Object Lock parameters',
      400,
    );
  }
  if (headers['if-none-match'] === undefined) throw lockRefusal();
}

function lockRefusal(): AwsError {
  return new AwsError('AccessDenied', 'Access Denied because object protected by object lock.', 403);
}

function unknownRequest(what: string): AwsError {
  return new AwsError('NotImplemented', `${what} is not known here`, 501);
}

/** The customer-managed key that encrypts a bucket by default. */
function encryptionKeyId({ properties }: Resource): string | undefined {
  const { ServerSideEncryptionConfiguration: rules = [] } = (properties.BucketEncryption ?? {}) as {
    readonly ServerSideEncryptionConfiguration?: readonly {
      readonly ServerSideEncryptionByDefault?: { readonly KMSMasterKeyID?: string };
    }[];
  };
  return rules[0]?.ServerSideEncryptionByDefault?.KMSMasterKeyID;
}

function contentType({ headers }: S3Input): string {
  return String(headers['content-type'] ?? 'binary/octet-stream');
}

/** Parses `bytes=<from>-<to>`, the last byte included; other forms are not supported here. */
function rangeOf(header: unknown, bytes: number): { readonly from: number; readonly to: number } | undefined {
  if (header === undefined) return undefined;
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(String(header)) ?? [];
  if (first === undefined || last === undefined) {
    throw new AwsError('NotImplemented', `the range ${String(header)} is not known here`, 501);
  }
  if (Number(first) >= bytes)
    throw new AwsError('InvalidRange', 'The requested range is not satisfiable', 416);
  return { from: Number(first), to: Math.min(bytes, Number(last) + 1) };
}

function headersOf({ etag, versionId, contentType: type, lastModified }: ObjectVersion) {
  return {
    etag,
    'content-type': type,
    'x-amz-version-id': versionId,
    'last-modified': new Date(lastModified).toUTCString(),
  };
}

function answer(status: number, headers: WireAnswer['headers'], body: Buffer | string = ''): WireAnswer {
  return { status, headers, body };
}

function xmlAnswer(body: string): WireAnswer {
  return answer(200, { 'content-type': 'application/xml' }, xml(body));
}

function noSuchUpload(): AwsError {
  return new AwsError('NoSuchUpload', 'The specified upload does not exist.', 404);
}
