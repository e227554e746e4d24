import type { Assembly, Resource } from '../assembly/resources.ts';
import { compilePolicies, type PolicyDocument, type Statement } from '../aws/iam/iam.ts';

/** Whether CloudFront may do an action in a bucket for one of its distributions. */
export type CloudFrontMay = (action: string, resourceArn: string) => boolean;

/**
 * Reads the `AWS::S3::BucketPolicy` of a bucket for the service `cloudfront.amazonaws.com`, which calls S3 with TLS and as
 * the distribution (`aws:SourceArn`). Where a key of the templates encrypts the bucket, its policy must let CloudFront
 * decrypt besides.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-s3.html
 */
export function cloudFrontMay(assembly: Assembly, bucket: Resource, distributionArn: string): CloudFrontMay {
  const documents = assembly
    .ofType('AWS::S3::BucketPolicy')
    .filter(({ properties }) => properties.Bucket === bucket.physicalId)
    .map(({ properties }) => properties.PolicyDocument as PolicyDocument);
  const inBucket = compileFor(distributionArn, documents);
  const key = encryptionKey(assembly, bucket);
  if (key === undefined) return inBucket;
  const withKey = compileFor(distributionArn, [key.properties.KeyPolicy as PolicyDocument]);
  return (action, resourceArn) =>
    inBucket(action, resourceArn) && (action !== 's3:GetObject' || withKey('kms:Decrypt', key.arn));
}

function compileFor(distributionArn: string, documents: readonly PolicyDocument[]): CloudFrontMay {
  const own = documents.map(({ Statement }) => ({ Statement: [Statement].flat().filter(isAboutCloudFront) }));
  const policies = compilePolicies(own);
  const context = {
    'aws:sourcearn': [distributionArn],
    'aws:sourceaccount': [distributionArn.split(':')[4] ?? ''],
    'aws:securetransport': ['true'],
  };
  return (action, resourceArn) => policies.evaluate(action, resourceArn, context) === 'allowed';
}

/** The key of the templates a bucket is encrypted with; S3's own keys ask nobody. */
function encryptionKey(assembly: Assembly, { properties }: Resource): Resource | undefined {
  const { ServerSideEncryptionConfiguration: rules = [] } = (properties.BucketEncryption ?? {}) as {
    ServerSideEncryptionConfiguration?: readonly {
      readonly ServerSideEncryptionByDefault?: { readonly KMSMasterKeyID?: unknown };
    }[];
  };
  const names = rules.map((rule) => String(rule.ServerSideEncryptionByDefault?.KMSMasterKeyID));
  return assembly
    .ofType('AWS::KMS::Key')
    .find(({ physicalId, arn }) => names.includes(arn) || names.includes(physicalId));
}

/** A statement about everybody is about CloudFront too. */
function isAboutCloudFront(statement: Statement): boolean {
  const { Principal } = statement as { Principal?: unknown };
  if (Principal === '*') return true;
  const { Service, AWS } = (Principal ?? {}) as { Service?: unknown; AWS?: unknown };
  return [Service].flat().includes('cloudfront.amazonaws.com') || [AWS].flat().includes('*');
}
