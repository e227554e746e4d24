/** Local S3: evaluates bucket policies for CloudFront. */

import type { Assembly, Resource } from '../assembly/resources.ts';
import { compilePolicies, type PolicyDocument, type Statement } from '../aws/iam/iam.ts';

/** Whether CloudFront may carry out an action in a bucket for one of its distributions. */
export type CloudFrontMay = (action: string, resourceArn: string) => boolean;

/**
 * Reads a bucket's `AWS::S3::BucketPolicy` for the service `cloudfront.amazonaws.com`, which calls S3 by TLS on behalf of the distribution
 * (`aws:SourceArn`).
 *
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-s3.html
 */
export function cloudFrontMay(assembly: Assembly, bucket: Resource, distributionArn: string): CloudFrontMay {
  const documents = assembly
    .ofType('AWS::S3::BucketPolicy')
    .filter(({ properties }) => properties.Bucket === bucket.physicalId)
    .map(({ properties }) => properties.PolicyDocument as PolicyDocument);
  const own = documents.map(({ Statement }) => ({ Statement: [Statement].flat().filter(isAboutCloudFront) }));
  const policies = compilePolicies(own);
  const context = {
    'aws:sourcearn': [distributionArn],
    'aws:sourceaccount': [distributionArn.split(':')[4] ?? ''],
    'aws:securetransport': ['true'],
  };
  return (action, resourceArn) => policies.evaluate(action, resourceArn, context) === 'allowed';
}

/** Whether a statement applies to CloudFront; a statement about everyone does. */
function isAboutCloudFront(statement: Statement): boolean {
  const { Principal } = statement as { Principal?: unknown };
  if (Principal === '*') return true;
  const { Service, AWS } = (Principal ?? {}) as { Service?: unknown; AWS?: unknown };
  return [Service].flat().includes('cloudfront.amazonaws.com') || [AWS].flat().includes('*');
}
