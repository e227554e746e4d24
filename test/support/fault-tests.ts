/**
 * The tests that break every store call of every act, and those that try acts in every order: minutes of them. One patient's read
 * and the redemption of a code stay among the engine's tests.
 */
export const faultTests = [
  'test/faults/!(patient-read|code-acts).engine.test.ts',
  'test/developers/session-orders.engine.test.ts',
];
