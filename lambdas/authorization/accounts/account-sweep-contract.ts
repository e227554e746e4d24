import * as z from 'zod/mini';

/** Request to an environment's `account-sweep` function, which a schedule and operators invoke. The answer is an `AccountSweep`. */
export const accountSweepRequest = z.strictObject({ action: z.literal('sweep') });
export type AccountSweepRequest = z.infer<typeof accountSweepRequest>;
