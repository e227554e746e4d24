/** Ports of the status: measurements and incidents as they are kept, and the calls that measure. */

import type { Environment } from '../../catalog/environments.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Incident } from './incident.ts';

/** The result of one call to a component. */
export interface MeasuredComponent {
  readonly id: string;
  readonly answers: boolean;
  readonly latencyMs?: number | undefined;
}

/** Freshness of the members' data of a LOB. Times are ISO 8601. */
export interface MeasuredData {
  readonly environment: Environment;
  readonly lob: LineOfBusiness;
  readonly late: boolean;
  /** Time after which the next load is late. */
  readonly freshUntil: string;
  /** Time of the last reconciled load. */
  readonly reconciledAt?: string | undefined;
}

/** A published Provider Directory. */
export interface MeasuredDirectory {
  readonly environment: Environment;
  readonly lob: LineOfBusiness;
  /** Time at which the publication was built, ISO 8601. */
  readonly builtAt: string;
}

/** A round of calls to every component. A component that could not be measured is absent. */
export interface Measurement {
  /** ISO 8601 */
  readonly measuredAt: string;
  readonly components: readonly MeasuredComponent[];
  readonly data: readonly MeasuredData[];
  readonly directories: readonly MeasuredDirectory[];
}

export interface CheckCounts {
  readonly answered: number;
  readonly failed: number;
}

/** The checks of a day in UTC, by component. */
export interface MeasuredDay {
  /** `2026-11-27` */
  readonly date: string;
  readonly components: Readonly<Record<string, CheckCounts>>;
}

/** Reads the measurements and incidents of the status. Adapter: `lambdas/portal/adapters/status-store.ts`. */
export interface StatusReader {
  /** The newest measurement; undefined if nothing has been measured. */
  newest(): Promise<Measurement | undefined>;
  /**
   * Lists the measured days, oldest first.
   *
   * @param from first date.
   */
  days(from: string): Promise<readonly MeasuredDay[]>;
  /** Lists incidents, newest first. */
  incidents(): Promise<readonly Incident[]>;
}

export interface StatusStore extends StatusReader {
  /**
   * Adds a measurement to its day, and makes it the newest.
   *
   * @param round number of the period it belongs to; a second measurement of a period is not counted.
   * @returns whether it was counted.
   */
  record(measurement: Measurement, round: number): Promise<boolean>;
  incident(id: string): Promise<Incident | undefined>;
  /**
   * Writes an incident.
   *
   * @returns `false` if the stored version is not the one before: nothing is written.
   */
  putIncident(incident: Incident): Promise<boolean>;
}
