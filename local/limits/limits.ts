/** Strictness of the local system about AWS's quotas: `npm start -- --limits aws|local|off`. */

import { quota } from './quotas.ts';

export const limitsModes = ['aws', 'local', 'off'] as const;

/**
 * `aws` keeps AWS's quotas. `local` keeps them too, but a table grows in 30 s as on AWS in 30 minutes: two cores reach some 10,000 write units
 * a second, so a new table's 4,000 are felt on this machine, and a person who tries a load need not wait for an hour. `off` keeps none.
 */
export type LimitsMode = (typeof limitsModes)[number];

/** The limits that this machine keeps. What has one value in every mode is read from `quotas.ts` where it is used. */
export interface ServiceLimits {
  /** Milliseconds after which a table may take twice what it took at most. */
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
