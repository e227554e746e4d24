import * as z from 'zod/mini';

/** Request to an environment's `account-sweep` function, by its schedule and by an operator; it answers with an `AccountSweep`. */
export const accountSweepRequest = z.strictObject({ action: z.literal('sweep') });
export type AccountSweepRequest = z.infer<typeof accountSweepRequest>;
