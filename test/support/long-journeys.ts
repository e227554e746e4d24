/**
 * The journeys of `npm run test:journeys`: those that wait for real time (a minute before another code, half a minute before a code is used
 * again, the end of an overlap), those that start a system with another configuration, those that read a member's whole record, and those
 * that check documents, standards and refusals request by request.
 */
export const longJourneys = [
  'test/journeys/conformance-*.test.ts',
  'test/journeys/portal-{keyboard,people}.test.ts',
  'test/journeys/portal-four-eyes.test.ts',
  'test/journeys/portal-jobs.test.ts',
  'test/journeys/credential-rotation.test.ts',
  'test/journeys/key-optional.test.ts',
  'test/journeys/activation.test.ts',
  'test/journeys/directory-public.test.ts',
  'test/journeys/federation.test.ts',
  'test/journeys/{other-plans,representative}.test.ts',
  'test/journeys/{find-a-doctor,status}.test.ts',
  'test/journeys/client-walks.test.ts',
  'test/journeys/personas.test.ts',
  'test/journeys/smoke.test.ts',
  'test/journeys/{metrics,recovery}.test.ts',
  'test/journeys/{payer-adversaries,payer-check,payer-export}.test.ts',
  'test/journeys/{capabilities,described-apis,described-portal,published-openapi,documented-errors,documentation-samples,guide-programs,reference-examples}.test.ts',
  'test/journeys/portal-{decisions,products,refusals,refusals-accounts,refusals-fields,refusals-headers}.test.ts',
  'test/journeys/page-languages.test.ts',
];
