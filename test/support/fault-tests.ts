/**
 * The tests that break every store call of every act, try acts in every order, and kill or cripple the running system: minutes of
 * them. One patient's read stays among the engine's tests.
 */
export const faultTests = [
  'test/faults/!(patient-read).engine.test.ts',
  'test/portal/accounts/{code,invitation,session}-orders.engine.test.ts',
  'test/properties/living-grant.engine.test.ts',
  'test/local/{shutdown,unseeded}.engine.test.ts',
  'test/durability/interruptions.engine.test.ts',
];
