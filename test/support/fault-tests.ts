/**
 * The tests that take minutes: they break every store call of every act, run acts in every order and at once, kill or cripple the running
 * system, attack each endpoint with matrices of requests, and compare the local AWS to every template. Those of a Patient read are among
 * the engine tests instead.
 */
export const faultTests = [
  'test/faults/!(patient-read).engine.test.ts',
  'test/portal/accounts/{code,invitation,session}-orders.engine.test.ts',
  'test/portal/adapters/application-{races,recovery}.engine.test.ts',
  'test/races/races.engine.test.ts',
  'test/properties/living-grant.engine.test.ts',
  'test/local/{shutdown,unseeded}.engine.test.ts',
  'test/durability/interruptions.engine.test.ts',
  'test/abuse/*.engine.test.ts',
  'test/local/honesty/*.engine.test.ts',
  'test/local/aws/deployed-rights.engine.test.ts',
];
