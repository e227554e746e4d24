import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  PutObjectTaggingCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assemblyOf } from '../../../local/assembly/resources.ts';
import { account, allow, region, resource, role } from './declarations.ts';
import { type ClientConfiguration, type Started, started } from './started.ts';

/**
 * The stand-in of S3 through the SDK: objects, versions and multipart uploads, the rights of the caller and of the key, and refusals by
 * name.
 */

const arn = 'arn:aws:s3:::ingest';
const keyArn = `arn:aws:kms:${region}:${account}:key/k`;
const encryption = (id: string) => ({
  ServerSideEncryptionConfiguration: [
    { ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: id } },
  ],
});
const bucket = (name: string, properties: object = {}) =>
  resource('AWS::S3::Bucket', name, { ...properties }, { physicalId: name, arn: `arn:aws:s3:::${name}` });

const assembly = assemblyOf([
  bucket('ingest'),
  bucket('shared', {
    CorsConfiguration: {
      CorsRules: [
        {
          ...{ AllowedMethods: ['GET', 'HEAD'], AllowedOrigins: ['*'], AllowedHeaders: ['*'] },
          ...{ ExposedHeaders: ['ETag'], MaxAge: 600 },
        },
      ],
    },
  }),
  bucket('locked', {
    ObjectLockEnabled: true,
    ObjectLockConfiguration: { Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Days: 3653 } } },
  }),
  bucket('encrypted', { BucketEncryption: encryption(keyArn) }),
  role(
    allow(
      ['s3:GetObject', 's3:GetObjectVersion', 's3:PutObject'],
      [`${arn}/drops/*`, 'arn:aws:s3:::encrypted/*'],
    ),
  ),
]);
const Bucket = 'ingest';
const Key = 'drops/a b/x.ndjson';

let aws: Started;
let client: S3Client;
let asFunction: S3Client;
const clientOf = (configuration: ClientConfiguration) =>
  new S3Client({ ...configuration, forcePathStyle: true });
beforeAll(async () => {
  aws = await started({ assembly });
  client = clientOf(aws.asOperator);
  asFunction = clientOf(aws.asFunction);
});
afterAll(async () => {
  await aws.stopAndForget();
});

const text = async (more: object = {}) => {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, ...more }));
  return await Body?.transformToString();
};

describe('objects', () => {
  it('have versions: the newest is read, an older one by its id, and bytes by a range', async () => {
    const first = await client.send(
      new PutObjectCommand({ Bucket, Key, Body: 'first', ContentType: 'text/plain' }),
    );
    await client.send(new PutObjectCommand({ Bucket, Key, Body: 'second' }));
    expect(await text()).toBe('second');
    expect(await text({ VersionId: first.VersionId })).toBe('first');
    expect(await text({ Range: 'bytes=1-3' })).toBe('eco');
    expect(await text({ Range: 'bytes=4-99' })).toBe('nd');
    const head = await client.send(new HeadObjectCommand({ Bucket, Key, VersionId: first.VersionId }));
    expect(head).toMatchObject({ ContentLength: 5, ContentType: 'text/plain', ETag: first.ETag });
  });

  it('that are not there, versions and buckets that are not, and ranges behind the end are refused as S3 does', async () => {
    await client.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
    const refusals: readonly (readonly [object, string])[] = [
      [{ Key: 'no' }, 'NoSuchKey'],
      [{ VersionId: 'no' }, 'NoSuchVersion'],
      [{ Bucket: 'nowhere' }, 'NoSuchBucket'],
      [{ Range: 'bytes=9-10' }, 'InvalidRange'],
    ];
    for (const [more, name] of refusals) await expect(text(more), name).rejects.toMatchObject({ name });
  });

  it('are uploaded in parts, whatever the order they come in', async () => {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const part = async (PartNumber: number, Body: string) => ({
      PartNumber,
      ETag: (await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }))).ETag,
    });
    const [two, one] = [await part(2, 'two'), await part(1, 'one ')];
    const complete = (Parts: object[]) =>
      client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
    await expect(complete([one, { PartNumber: 3 }])).rejects.toMatchObject({ name: 'NoSuchUpload' });
    expect((await complete([one, two])).ETag).toMatch(/-2"?$/);
    expect(await text()).toBe('one two');
    await expect(complete([one, two])).rejects.toMatchObject({ name: 'NoSuchUpload' });
    const aborted = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId: aborted.UploadId }));
    await expect(
      client.send(
        new UploadPartCommand({ Bucket, Key, UploadId: aborted.UploadId, PartNumber: 1, Body: 'x' }),
      ),
    ).rejects.toMatchObject({ name: 'NoSuchUpload' });
  });
});

describe('a bucket with Object Lock', () => {
  it('keeps its objects: no write replaces one, and no request removes one', async () => {
    const object = { Bucket: 'locked', Key: 'sandbox/DSNP/1.ndjson.gz' };
    const put = (Body: string, more: object = {}) =>
      client.send(new PutObjectCommand({ ...object, Body, ...more }));
    await expect(put('first')).rejects.toMatchObject({ name: 'AccessDenied' });
    await put('first', { IfNoneMatch: '*' });
    await expect(put('second', { IfNoneMatch: '*' })).rejects.toMatchObject({ name: 'PreconditionFailed' });
    await expect(put('second')).rejects.toMatchObject({ name: 'AccessDenied' });
    await expect(client.send(new DeleteObjectCommand(object))).rejects.toMatchObject({
      name: 'AccessDenied',
    });
    expect(await text(object)).toBe('first');
  });

  it('refuses a write without a checksum, as S3 does', async () => {
    const plain = clientOf({ ...aws.asOperator, requestChecksumCalculation: 'WHEN_REQUIRED' } as never);
    const put = new PutObjectCommand({ Bucket: 'locked', Key: 'plain', Body: 'x', IfNoneMatch: '*' });
    await expect(plain.send(put)).rejects.toMatchObject({ name: 'InvalidRequest' });
  });
});

describe('a list', () => {
  it('has the newest version of each object under a prefix, in the order of keys, a thousand to a page', async () => {
    const put = (key: string) => client.send(new PutObjectCommand({ Bucket, Key: key, Body: key }));
    for (const key of ['list/b', 'list/a & c', 'list/b', 'other/a']) await put(key);
    const { Contents, IsTruncated } = await client.send(
      new ListObjectsV2Command({ Bucket, Prefix: 'list/' }),
    );
    expect(Contents?.map(({ Key: key }) => key)).toEqual(['list/a & c', 'list/b']);
    expect(IsTruncated).toBe(false);
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'list/b' }));
    const rest = await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'list/' }));
    expect(rest.KeyCount).toBe(1);
    await expect(asFunction.send(new ListObjectsV2Command({ Bucket }))).rejects.toMatchObject({
      name: 'AccessDenied',
    });
  });
});

describe('a function', () => {
  it('reads and writes where its role lets it, and is not told what is missing without the right to list', async () => {
    await asFunction.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
    for (const denied of [
      new GetObjectCommand({ Bucket, Key: 'elsewhere' }),
      new GetObjectCommand({ Bucket, Key: 'drops/missing' }),
      new PutObjectCommand({ Bucket, Key: 'elsewhere', Body: 'x' }),
      new AbortMultipartUploadCommand({ Bucket, Key, UploadId: 'x' }),
    ]) {
      await expect(asFunction.send(denied as GetObjectCommand)).rejects.toMatchObject({
        name: 'AccessDenied',
      });
    }
  });

  it('needs the right to the key of an encrypted bucket as well', async () => {
    const to = { Bucket: 'encrypted', Key: 'x' };
    await client.send(new PutObjectCommand({ ...to, Body: 'x' }));
    for (const denied of [new GetObjectCommand(to), new PutObjectCommand({ ...to, Body: 'y' })]) {
      await expect(asFunction.send(denied as GetObjectCommand)).rejects.toMatchObject({
        name: 'AccessDenied',
      });
    }
  });
});

describe('what the stand-in does not know', () => {
  it.each([
    ['a delimiter', () => new ListObjectsV2Command({ Bucket, Delimiter: '/' }), /GET with/],
    ['the deletion of a version', () => new DeleteObjectCommand({ Bucket, Key, VersionId: 'v' }), /version/],
    ['tags', () => new PutObjectTaggingCommand({ Bucket, Key, Tagging: { TagSet: [] } }), /tagging/],
    ['an open range', () => new GetObjectCommand({ Bucket, Key, Range: 'bytes=2-' }), /bytes=2-/],
  ])('is refused by name: %s', async (_name, command, message) => {
    await client.send(new PutObjectCommand({ Bucket, Key, Body: 'abc' }));
    await expect(client.send(command() as GetObjectCommand)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      $metadata: { httpStatusCode: 501 },
    });
  });
});

describe('a signed address', () => {
  const signed = async (lifetime: number, signingDate = new Date()) => {
    await client.send(new PutObjectCommand({ Bucket: 'shared', Key, Body: 'content' }));
    const command = new GetObjectCommand({ Bucket: 'shared', Key, ResponseContentType: 'text/plain' });
    return await getSignedUrl(client, command, { expiresIn: lifetime, signingDate });
  };
  const codeOf = async (url: string, init: RequestInit = {}) => {
    const answer = await fetch(url, init);
    return `${answer.status} ${/<Code>(\w+)</.exec(await answer.text())?.[1] ?? ''}`;
  };

  it('is read by whoever has it, until it expires', async () => {
    const answer = await fetch(await signed(60));
    expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([
      ...[200, 'content', 'text/plain'],
    ]);
    expect(await codeOf(await signed(60, new Date(Date.now() - 61_000)))).toBe('403 AccessDenied');
  });

  it.each<[string, (url: string) => string]>([
    ['another object', (url) => url.replace('x.ndjson', 'y.ndjson')],
    ['a longer lifetime', (url) => url.replace('X-Amz-Expires=60', 'X-Amz-Expires=600')],
    ['another caller', (url) => url.replace('local-operator', 'AKFUNCTION')],
    ['another content type', (url) => url.replace('text%2Fplain', 'text%2Fhtml')],
    ['another signature', (url) => url.replace(/X-Amz-Signature=./, (start) => start.replace(/.$/, 'g'))],
    ['no signature', (url) => url.replace(/&?X-Amz-Signature=\w+/, '')],
  ])('that was changed to %s is refused', async (_what, change) => {
    const url = await signed(60);
    expect(change(url)).not.toBe(url);
    expect(await codeOf(change(url))).toBe('403 SignatureDoesNotMatch');
  });

  it('is for one method', async () => {
    expect(await codeOf(await signed(60), { method: 'PUT', body: 'x' })).toBe('403 SignatureDoesNotMatch');
  });

  it('is read by pages of the origins that the template of the bucket allows', async () => {
    const url = await signed(60);
    const headers = { origin: 'https://app.example.org' };
    const answer = await fetch(url, { headers });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toBe('ETag');
    const asking = { ...headers, 'access-control-request-headers': 'x-api-subscription-key' };
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { ...asking, 'access-control-request-method': 'GET' },
    });
    expect(preflight.headers.get('access-control-allow-headers')).toBe('x-api-subscription-key');
    const writing = { ...asking, 'access-control-request-method': 'PUT' };
    expect(await codeOf(url, { method: 'OPTIONS', headers: writing })).toBe('403 AccessForbidden');
  });
});
