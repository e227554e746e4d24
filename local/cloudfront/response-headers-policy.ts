/** Local CloudFront: response headers policies. */

import type { Assembly } from '../assembly/resources.ts';
import { isTrue, listOf, type Reader, readerOf, type Settings, settingsOf } from '../assembly/settings.ts';

export type Headers = readonly (readonly [name: string, value: string])[];

/** Adds headers to a response, or replaces them. */
export type ChangeHeaders = (headers: Headers) => Headers;

interface PolicyHeader {
  readonly name: string;
  readonly value: string;
  /** Whether the header replaces one that the origin sent. */
  readonly override: boolean;
}

/**
 * Reads an `AWS::CloudFront::ResponseHeadersPolicy`.
 *
 * @throws AssemblyError for a policy that isn't in the templates, and for settings that are not supported here (CORS, Server-Timing,
 * removed headers).
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/understanding-response-headers-policies.html
 */
export function readResponseHeadersPolicy(assembly: Assembly, id: unknown, reader: Reader): ChangeHeaders {
  if (id === undefined) return (headers) => headers;
  const policy = assembly.byPhysicalId(String(id), 'AWS::CloudFront::ResponseHeadersPolicy');
  if (policy === undefined) {
    return reader.fail(`the response headers policy ${String(id)} is not known on one machine`);
  }
  const config = settingsOf(policy.properties.ResponseHeadersPolicyConfig);
  const own = readerOf(policy);
  own.check(config, ['Name', 'Comment', 'CustomHeadersConfig', 'SecurityHeadersConfig']);
  const added = [
    ...securityHeaders(settingsOf(config.SecurityHeadersConfig), own),
    ...listOf(settingsOf(config.CustomHeadersConfig).Items).map((item) => ({
      name: String(item.Header),
      value: String(item.Value ?? ''),
      override: isTrue(item.Override),
    })),
  ];
  return (headers) => added.reduce(withHeader, headers);
}

function withHeader(headers: Headers, { name, value, override }: PolicyHeader): Headers {
  const lower = name.toLowerCase();
  if (!override && headers.some(([given]) => given.toLowerCase() === lower)) return headers;
  return [...headers.filter(([given]) => given.toLowerCase() !== lower), [name, value]];
}

function securityHeaders(config: Settings, reader: Reader): readonly PolicyHeader[] {
  const words: Readonly<Record<string, readonly [string, (settings: Settings) => string]>> = {
    ContentSecurityPolicy: ['Content-Security-Policy', (one) => String(one.ContentSecurityPolicy)],
    ContentTypeOptions: ['X-Content-Type-Options', () => 'nosniff'],
    FrameOptions: ['X-Frame-Options', (one) => String(one.FrameOption)],
    ReferrerPolicy: ['Referrer-Policy', (one) => String(one.ReferrerPolicy)],
    StrictTransportSecurity: ['Strict-Transport-Security', transportSecurity],
  };
  reader.check(config, Object.keys(words));
  return Object.entries(words).flatMap(([setting, [name, word]]) => {
    if (config[setting] === undefined) return [];
    const settings = settingsOf(config[setting]);
    return [{ name, value: word(settings), override: isTrue(settings.Override) }];
  });
}

function transportSecurity({ AccessControlMaxAgeSec, IncludeSubdomains, Preload }: Settings): string {
  const parts = [`max-age=${String(AccessControlMaxAgeSec)}`];
  if (isTrue(IncludeSubdomains)) parts.push('includeSubDomains');
  if (isTrue(Preload)) parts.push('preload');
  return parts.join('; ');
}
