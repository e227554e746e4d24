import { type CorsRule, HttpMethods } from 'aws-cdk-lib/aws-s3';

/**
 * Rule for buckets whose files are handed out by redirects to signed addresses: a page of any origin follows them, because the address itself is
 * the permission. Without it a browser hides the answer (Fetch Standard, "HTTP-redirect fetch").
 */
export const redirectedFiles: CorsRule = {
  allowedMethods: [HttpMethods.GET, HttpMethods.HEAD],
  allowedOrigins: ['*'],
  allowedHeaders: ['*'],
  exposedHeaders: ['ETag'],
  maxAge: 600,
};
