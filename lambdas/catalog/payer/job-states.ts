/** States of an asynchronous job of Payer Access, in the order a job may pass them. */
export const jobStates = ['accepted', 'running', 'complete', 'failed', 'cancelled', 'expired'] as const;
export type JobState = (typeof jobStates)[number];
