/** Request rates of AWS services, and the refusals of requests beyond them. DynamoDB's and Cognito's rates are in their own stand-ins. */

import { type QuotaName, quota } from '../limits/quotas.ts';
import { createTokenBucket, type TokenBucket } from '../limits/token-bucket.ts';
import { AwsError } from './protocol/aws-error.ts';

/**
 * Counts a request.
 *
 * @throws AwsError if its rate is exhausted.
 */
export type CheckRate = (service: string, operation: string, account: string, input: unknown) => void;

interface Rate {
  readonly service: string;
  readonly operations: readonly string[];
  readonly perSecond: QuotaName;
  /**
   * Most requests at once.
   *
   * @default the rate of one second
   */
  readonly burst?: QuotaName;
  readonly refusal: readonly [code: string, message: string, status: number];
  /**
   * Reads from a request the resource that has a rate of its own, such as a prefix in a bucket.
   *
   * @default the account has one rate
   */
  readonly of?: (input: unknown) => string;
}

/**
 * "3,500 PUT/COPY/POST/DELETE or 5,500 GET/HEAD requests per second per partitioned prefix". The prefix is taken to be the key up to the
 * last slash.
 */
function prefixOf(input: unknown): string {
  const { bucket = '', key = '' } = input as { readonly bucket?: string; readonly key?: string };
  return `${bucket}/${key.slice(0, key.lastIndexOf('/') + 1)}`;
}

const slowDown = ['SlowDown', 'Please reduce your request rate.', 503] as const;

const rates: readonly Rate[] = [
  {
    service: 'kms',
    operations: ['Encrypt', 'Decrypt', 'GenerateDataKey', 'GenerateMac', 'VerifyMac'],
    perSecond: 'kmsSymmetric',
    refusal: ['ThrottlingException', 'You have exceeded the rate at which you may call KMS.', 400],
  },
  {
    service: 'kms',
    operations: ['Sign'],
    perSecond: 'kmsSigning',
    refusal: ['ThrottlingException', 'You have exceeded the rate at which you may call KMS.', 400],
  },
  {
    service: 'ses',
    operations: ['SendEmail', 'SendRawEmail'],
    perSecond: 'sesSending',
    refusal: ['Throttling', 'Maximum sending rate exceeded.', 400],
  },
  {
    service: 'sns',
    operations: ['Publish'],
    perSecond: 'snsTexts',
    refusal: ['Throttled', 'Rate exceeded', 429],
  },
  {
    service: 'secretsmanager',
    operations: ['GetSecretValue'],
    perSecond: 'secretReads',
    refusal: ['ThrottlingException', 'Rate exceeded', 400],
  },
  {
    service: 'logs',
    operations: ['FilterLogEvents'],
    perSecond: 'logFilters',
    refusal: ['ThrottlingException', 'Rate exceeded', 400],
  },
  {
    service: 'apigateway',
    operations: ['CreateApiKey'],
    perSecond: 'apiKeyCreation',
    refusal: ['TooManyRequestsException', 'Too Many Requests', 429],
  },
  {
    service: 'states',
    operations: ['StartExecution'],
    perSecond: 'executionStarts',
    burst: 'executionBurst',
    refusal: ['ThrottlingException', 'Rate exceeded', 400],
  },
  {
    service: 'states',
    operations: ['DescribeExecution'],
    perSecond: 'executionDescriptions',
    burst: 'executionDescriptionBurst',
    refusal: ['ThrottlingException', 'Rate exceeded', 400],
  },
  {
    service: 's3',
    operations: [
      'PutObject',
      'UploadPart',
      'CreateMultipartUpload',
      'CompleteMultipartUpload',
      'DeleteObject',
    ],
    perSecond: 'objectWrites',
    refusal: slowDown,
    of: prefixOf,
  },
  {
    service: 's3',
    operations: ['GetObject', 'HeadObject', 'ListObjectsV2'],
    perSecond: 'objectReads',
    refusal: slowDown,
    of: prefixOf,
  },
];

/** Most prefixes kept in memory; one that is dropped starts again with its full rate. */
const rememberedSubjects = 10_000;

/** Counts requests against the rates of their services. @param now milliseconds since 1970. */
export function requestRates(now: () => number): CheckRate {
  const byOperation = new Map(
    rates.flatMap((rate) =>
      rate.operations.map((operation) => [`${rate.service} ${operation}`, rate] as const),
    ),
  );
  const buckets = new Map<string, TokenBucket>();
  return (service, operation, account, input) => {
    const rate = byOperation.get(`${service} ${operation}`);
    if (rate === undefined) return;
    const time = now();
    const subject = `${rate.perSecond} ${account} ${rate.of?.(input) ?? ''}`;
    let bucket = buckets.get(subject);
    if (bucket === undefined) {
      if (buckets.size >= rememberedSubjects) buckets.clear();
      const perSecond = quota(rate.perSecond);
      bucket = createTokenBucket(perSecond, rate.burst === undefined ? perSecond : quota(rate.burst), time);
      buckets.set(subject, bucket);
    }
    if (!bucket.take(time)) throw new AwsError(...rate.refusal);
  };
}
