/**
 * Timeouts of a portal request that calls an environment, from the inner to the outer. The environment's function has ten seconds
 * (`lib/constructs/environment-function.ts`), and API Gateway waits 29 seconds for the portal's function.
 */
export const environmentDeadlines = {
  /**
   * Milliseconds that the portal waits for an environment's function, longer than the function's own timeout. With a shorter wait the
   * portal would report a failure for a request that the environment still carries out, such as a search of its access log (five seconds)
   * after a cold start.
   */
  answerMs: 11_000,
  /** Milliseconds after which a request begins no further call: the answer to a later call would come after the function's timeout. */
  lastStepMs: 16_000,
  /** Timeout in seconds of the portal's functions that call environments. */
  functionSeconds: 28,
} as const;
