/** Local S3: cross-origin requests, by the rules of the bucket's template (CorsConfiguration). */

import type { Resource } from '../../assembly/resources.ts';
import type { WireAnswer, WireRequest } from '../protocol/wire.ts';

interface CorsRule {
  readonly AllowedMethods: readonly string[];
  readonly AllowedOrigins: readonly string[];
  readonly AllowedHeaders?: readonly string[];
  readonly ExposedHeaders?: readonly string[];
  readonly MaxAge?: number;
}

/**
 * The headers of a response to another origin. Of patterns only `*` is supported.
 *
 * @returns undefined if the request has no origin, or no rule of the bucket allows it.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/ManageCorsUsing.html
 */
export function crossOriginHeaders(
  { properties }: Resource,
  headers: WireRequest['headers'],
  method: string,
): WireAnswer['headers'] | undefined {
  const origin = headers.origin;
  if (origin === undefined) return undefined;
  const { CorsRules: rules = [] } = (properties.CorsConfiguration ?? {}) as {
    readonly CorsRules?: readonly CorsRule[];
  };
  const rule = rules.find(
    ({ AllowedMethods, AllowedOrigins }) =>
      AllowedMethods.includes(method) &&
      AllowedOrigins.some((each) => each === '*' || each === String(origin)),
  );
  if (rule === undefined) return undefined;
  const asked = headers['access-control-request-headers'];
  return {
    'access-control-allow-origin': rule.AllowedOrigins.includes('*') ? '*' : String(origin),
    'access-control-allow-methods': rule.AllowedMethods.join(', '),
    ...(asked !== undefined &&
      rule.AllowedHeaders?.includes('*') && { 'access-control-allow-headers': String(asked) }),
    ...(rule.ExposedHeaders && { 'access-control-expose-headers': rule.ExposedHeaders.join(', ') }),
    ...(rule.MaxAge !== undefined && { 'access-control-max-age': String(rule.MaxAge) }),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  };
}
