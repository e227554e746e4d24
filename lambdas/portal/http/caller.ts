/** Reads the address of a caller behind CloudFront. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import { header } from '../../platform/http/pipeline.ts';

/**
 * Reads the viewer's IP address. CloudFront appends it to `X-Forwarded-For`, and API Gateway appends CloudFront's own address, so the
 * viewer's is the last but one.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/RequestAndResponseBehaviorCustomOrigin.html
 */
export function callerOf(event: APIGatewayProxyEvent): string {
  const forwarded = (header(event, 'x-forwarded-for') ?? '').split(',').map((address) => address.trim());
  return forwarded.at(-2) || (event.requestContext.identity?.sourceIp ?? 'unknown');
}
