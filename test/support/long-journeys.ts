/**
 * The journeys that wait for real time to pass (a minute before another code, half of one before a code is used again, the end of an overlap) or start a
 * system under another configuration: minutes of them. And those that take a member's whole record.
 */
export const longJourneys = [
  'test/journeys/conformance-oidc-late.test.ts',
  'test/journeys/portal-people.test.ts',
  'test/journeys/portal-four-eyes.test.ts',
  'test/journeys/credential-rotation.test.ts',
  'test/journeys/key-optional.test.ts',
  'test/journeys/activation.test.ts',
  'test/journeys/directory-public.test.ts',
  'test/journeys/federation.test.ts',
  'test/journeys/representative.test.ts',
  'test/journeys/find-a-doctor.test.ts',
  'test/journeys/client-walks.test.ts',
  'test/journeys/personas.test.ts',
  'test/journeys/payer-export.test.ts',
];
