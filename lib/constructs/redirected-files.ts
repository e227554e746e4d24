import { type CorsRule, HttpMethods } from 'aws-cdk-lib/aws-s3';

/**
 * CORS rule for buckets whose files are sent by redirects to signed URLs. Pages of any origin may follow them, because the URL itself is
 * the permission. Without the rule browsers hide the response (Fetch Standard, "HTTP-redirect fetch").
 */
export const redirectedFiles: CorsRule = {
  allowedMethods: [HttpMethods.GET, HttpMethods.HEAD],
  allowedOrigins: ['*'],
  allowedHeaders: ['*'],
  exposedHeaders: ['ETag'],
  maxAge: 600,
};
