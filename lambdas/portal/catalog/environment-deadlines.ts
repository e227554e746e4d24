/**
 * Deadlines of a request in which the portal asks an environment, one within the other. The environment's function has ten seconds
 * (`lib/constructs/environment-function.ts`), and API Gateway waits 29 for the portal's.
 */
export const environmentDeadlines = {
  /**
   * Milliseconds that the portal waits for an environment: until its function has ended. A shorter wait would refuse a request that the
   * environment still carries out, such as a search of its access log (five seconds) after a cold start.
   */
  answerMs: 11_000,
  /** Milliseconds after which a request begins no further step: a longer one would lose its answer. */
  lastStepMs: 16_000,
  /** Timeout of the portal's functions that ask environments. */
  functionSeconds: 28,
} as const;
