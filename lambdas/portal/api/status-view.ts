/** The body of the portal API's response about the status of the service. */

import type { IncidentSeverity } from '../catalog/status.ts';

/**
 * `GET /api/status`: the newest measurement and incidents. A component that no measurement of the last quarter of an hour has is absent:
 * its state is unknown.
 */
export interface StatusView {
  /** Time of the newest measurement; of the response, if nothing has been measured. */
  readonly checkedAt: string;
  readonly parts: readonly {
    /** `portal`, `production/registration`, `production/DSNP/patient-access` */
    readonly name: string;
    readonly answers: boolean;
    readonly latencyMs?: number;
    readonly environment?: string;
    readonly lob?: string;
  }[];
  /** Whether members' data are up to date, by environment and LOB; of those that have loaded any. */
  readonly data: readonly {
    readonly environment: string;
    readonly lob: string;
    readonly late: boolean;
    /** ISO 8601: the next load is late from here on. */
    readonly freshUntil: string;
    /** ISO 8601: the last load. */
    readonly loadedAt?: string;
  }[];
  /** The Provider Directories that are published. */
  readonly directories: readonly {
    readonly environment: string;
    readonly lob: string;
    readonly publishedAt: string;
  }[];
  /** Incidents and maintenance, newest first: those that are not over, and those of the last 90 days. */
  readonly incidents: readonly {
    readonly id: string;
    readonly title: string;
    readonly severity: IncidentSeverity;
    readonly state: 'scheduled' | 'open' | 'over';
    readonly startsAt: string;
    readonly endsAt?: string;
    readonly resolvedAt?: string;
    /** Names of the components that it touches. */
    readonly parts: readonly string[];
    /** Oldest first. */
    readonly updates: readonly { readonly at: string; readonly text: string }[];
  }[];
}
