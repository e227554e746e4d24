/** Local CloudFront: origins. */

import type { Assembly, Resource } from '../assembly/resources.ts';
import { listOf, type Reader, type Settings, settingsOf } from '../assembly/settings.ts';
import type { Answered } from '../gateway/gateway.ts';
import type { GatewayRequest } from '../gateway/request.ts';
import type { Buckets } from '../s3/bucket-objects.ts';
import { cloudFrontMay } from '../s3/bucket-policy.ts';
import { objectAnswer } from './s3-origin.ts';

/** Fetches what a viewer requested from an origin. */
export type Origin = (request: GatewayRequest, forwardsViewer: boolean) => Promise<Answered>;

export interface OriginDeps {
  readonly assembly: Assembly;
  readonly buckets: Buckets;
  /** Calls API Gateway at the host names of its own endpoints. */
  readonly gateway: (request: GatewayRequest) => Promise<Answered>;
}

/** Settings of connections and of Origin Shield, which have no effect on one machine. */
const withoutEffect = [
  'ConnectionAttempts',
  'ConnectionTimeout',
  'OriginShield',
  'ResponseCompletionTimeout',
];

/**
 * Reads an origin of a distribution: a bucket with origin access control, or a REST API's own endpoint.
 *
 * @throws AssemblyError for any other origin.
 */
export function readOrigin(
  deps: OriginDeps,
  distribution: Resource,
  origin: Settings,
  reader: Reader,
): Origin {
  const known = ['Id', 'DomainName', 'OriginPath', 'OriginAccessControlId', 'OriginCustomHeaders'];
  reader.check(origin, [...known, 'S3OriginConfig', 'CustomOriginConfig'], withoutEffect);
  const domain = String(origin.DomainName);
  const bucket = deps.assembly
    .ofType('AWS::S3::Bucket')
    .find(({ physicalId, region }) => s3Domains(physicalId, region).includes(domain));
  if (bucket !== undefined) return bucketOrigin(deps, distribution, bucket, origin, reader);
  const api = deps.assembly
    .ofType('AWS::ApiGateway::RestApi')
    .find(({ physicalId, region }) => domain === `${physicalId}.execute-api.${region}.amazonaws.com`);
  // The local system has no internet, so it supports only origins that the templates define.
  if (api === undefined) return reader.fail(`the origin ${domain} is not implemented on one machine`);
  if (origin.OriginAccessControlId !== undefined && origin.OriginAccessControlId !== '') {
    // API Gateway would refuse calls signed in this way, but the stand-in would not.
    return reader.fail('origin access control of an API is not implemented on one machine');
  }
  return apiOrigin(deps, domain, origin);
}

function s3Domains(name: string, region: string): readonly string[] {
  return [`${name}.s3.${region}.amazonaws.com`, `${name}.s3.amazonaws.com`];
}

function bucketOrigin(
  { assembly, buckets }: OriginDeps,
  distribution: Resource,
  bucket: Resource,
  origin: Settings,
  reader: Reader,
): Origin {
  const control = assembly.byPhysicalId(
    String(origin.OriginAccessControlId ?? ''),
    'AWS::CloudFront::OriginAccessControl',
  );
  const config = settingsOf(control?.properties.OriginAccessControlConfig);
  if (config.OriginAccessControlOriginType !== 's3' || config.SigningBehavior !== 'always') {
    // Without origin access control the bucket would have to be public.
    return reader.fail(
      'an S3 origin without an origin access control that always signs is not implemented on one machine',
    );
  }
  if (JSON.stringify(bucket.properties.BucketEncryption ?? {}).includes('aws:kms')) {
    // CloudFront would also need permission for the key.
    return reader.fail('an origin encrypted with a KMS key is not implemented on one machine');
  }
  const objects = buckets.get(bucket.physicalId) ?? new Map();
  const may = cloudFrontMay(assembly, bucket, distribution.arn);
  const prefix = String(origin.OriginPath ?? '');
  return async (request) => ({
    answer: objectAnswer({ objects, may, bucketArn: bucket.arn }, request, `${prefix}${request.path}`),
  });
}

/** IP address of an edge location: API Gateway sees it as the source of a request that came through CloudFront. */
const edgeAddress = '130.176.1.1';

function apiOrigin({ gateway }: OriginDeps, domain: string, origin: Settings): Origin {
  const custom = listOf(origin.OriginCustomHeaders).map(
    (one) => [String(one.HeaderName), String(one.HeaderValue)] as const,
  );
  // Custom headers of the origin replace the viewer's headers of the same name.
  const overridden = new Set(custom.map(([name]) => name.toLowerCase()));
  return async (request, forwardsViewer) =>
    await gateway({
      ...request,
      host: domain,
      path: `${String(origin.OriginPath ?? '')}${request.path}`,
      query: forwardsViewer ? request.query : '',
      headers: [
        ...originHeaders(request, forwardsViewer, domain).filter(
          ([name]) => !overridden.has(name.toLowerCase()),
        ),
        ...custom,
      ],
      sourceIp: edgeAddress,
    });
}

/** @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/RequestAndResponseBehaviorCustomOrigin.html */
function originHeaders(
  request: GatewayRequest,
  forwardsViewer: boolean,
  domain: string,
): (readonly [string, string])[] {
  const named = (...names: readonly string[]) =>
    request.headers.filter(([name]) => names.includes(name.toLowerCase()));
  const replaced = named('host', 'x-forwarded-for');
  const ofBody = request.body.length > 0 ? named('content-length', 'content-type') : [];
  const kept = forwardsViewer ? request.headers.filter((header) => !replaced.includes(header)) : ofBody;
  const before = named('x-forwarded-for').map(([, value]) => value);
  return [
    ['Host', domain],
    ...kept,
    ...(kept.some(([name]) => name.toLowerCase() === 'user-agent')
      ? []
      : [['User-Agent', 'Amazon CloudFront'] as const]),
    ['Via', '1.1 local.cloudfront.net (CloudFront)'],
    ['X-Amz-Cf-Id', request.extendedRequestId],
    ['X-Forwarded-For', [...before, request.sourceIp].join(', ')],
  ];
}
