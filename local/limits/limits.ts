/** Chooses how strictly the local system enforces AWS's quotas: `npm start -- --limits aws|local|off`. */

import { quota } from './quotas.ts';

export const limitsModes = ['aws', 'local', 'off'] as const;

/**
 * `aws` enforces AWS's quotas. `local` does too, but a table grows in 30 s instead of AWS's 30 minutes: two cores reach about 10,000 write
 * units a second, so that a new table's 4,000 have an effect here, and nobody who tries a load has to wait for an hour. `off` enforces
 * none.
 */
export type LimitsMode = (typeof limitsModes)[number];

/** The limits that depend on the mode. Limits with the same value in every mode are read from `quotas.ts` where they are used. */
export interface ServiceLimits {
  /** Milliseconds after which a table can take twice as much as its previous peak. */
  readonly tableGrowthMs: number;
  /** Concurrent executions of an account in a Region. */
  readonly accountConcurrency: number;
}

const localGrowthSpeed = 60;

/** The limits of a mode; undefined for none. */
export function limitsOf(mode: LimitsMode): ServiceLimits | undefined {
  if (mode === 'off') return undefined;
  const growthMs = quota('tableGrowth') * 1_000;
  return {
    tableGrowthMs: mode === 'aws' ? growthMs : growthMs / localGrowthSpeed,
    accountConcurrency: quota('lambdaConcurrency'),
  };
}
