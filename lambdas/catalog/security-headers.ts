/**
 * Headers of every response of the FHIR, authorization and token hosts, API Gateway's own refusals included. Browsers require two years of
 * a host that is to be preloaded.
 *
 * @see RFC 6797 section 6.1
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
};
