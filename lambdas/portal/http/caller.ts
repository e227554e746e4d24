/** Reads the address of a caller behind CloudFront. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import { header } from '../../platform/http/pipeline.ts';

/**
 * CloudFront adds the viewer's address to `X-Forwarded-For`, the API adds CloudFront's: the last but one is the viewer's.
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/RequestAndResponseBehaviorCustomOrigin.html
 */
export function callerOf(event: APIGatewayProxyEvent): string {
  const forwarded = (header(event, 'x-forwarded-for') ?? '').split(',').map((address) => address.trim());
  return forwarded.at(-2) || (event.requestContext.identity?.sourceIp ?? 'unknown');
}
