/**
 * The files of `npm run test:long` that take longest, longest first. Begun first, they wait beside the others; begun last, one worker waits for them
 * alone.
 */
export const longestTests = [
  'directory-public',
  'portal-four-eyes',
  'portal-applications',
  'portal-people',
  'keyboard',
  'federation',
  'acts',
  'published-openapi',
  'docs-reference',
  'key-optional',
  'token-acts',
  'conformance-oidc-late',
  'sso-session-acts',
  'described-portal',
  'search',
  'payer-check',
  'payer-matrix',
  'portal-refusals',
  'living-grant',
  'credential-rotation',
  'portal-accounts',
  'personas',
  'unseeded',
] as const;
