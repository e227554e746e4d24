/**
 * Headers of every answer of the FHIR, identity-provider and token hosts, API Gateway's own refusals included. Two years are what
 * browsers ask for a host to be preloaded.
 *
 * @see RFC 6797 section 6.1
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
};
