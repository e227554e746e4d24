/** Incidents and maintenance that operators write for the status page. */

import type { Environment } from '../../catalog/environments.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { ComponentKind, IncidentSeverity, StatusComponent } from '../catalog/status.ts';
import { statusComponents } from '../catalog/status.ts';

/** The components that an incident is about: their kinds, environments and LOBs. A list that is absent stands for all. */
export interface IncidentScope {
  readonly kinds?: readonly ComponentKind[] | undefined;
  readonly environments?: readonly Environment[] | undefined;
  readonly lobs?: readonly LineOfBusiness[] | undefined;
}

export interface IncidentUpdate {
  /** ISO 8601 */
  readonly at: string;
  readonly text: string;
  /** Name of the operator, which is not public. */
  readonly by: string;
}

/** An incident, or announced maintenance. Times are ISO 8601. */
export interface Incident {
  /** `20261127-1f0c9a3b`: the day it was opened, and a digest of its title and scope. */
  readonly id: string;
  readonly severity: IncidentSeverity;
  readonly title: string;
  readonly scope: IncidentScope;
  readonly startsAt: string;
  /** End of maintenance; it is over then, even if nobody resolves it. */
  readonly endsAt?: string | undefined;
  readonly resolvedAt?: string | undefined;
  /** Oldest first; never empty. */
  readonly updates: readonly IncidentUpdate[];
  /** Number of the updates, by which two operators at once don't overwrite each other. */
  readonly version: number;
}

export type IncidentState = 'scheduled' | 'open' | 'over';

/** The state of an incident at a time in milliseconds since 1970. */
export function incidentState(
  { startsAt, endsAt, resolvedAt }: Pick<Incident, 'startsAt' | 'endsAt' | 'resolvedAt'>,
  now: number,
): IncidentState {
  if (resolvedAt !== undefined || (endsAt !== undefined && Date.parse(endsAt) <= now)) return 'over';
  return Date.parse(startsAt) > now ? 'scheduled' : 'open';
}

/** The components that an incident is about. */
export function componentsOf({ kinds, environments, lobs }: IncidentScope): readonly StatusComponent[] {
  const covers = <Value>(list: readonly Value[] | undefined, value: Value | undefined) =>
    list === undefined || value === undefined || list.includes(value);
  return statusComponents.filter(
    ({ kind, environment, lob }) =>
      covers(kinds, kind) && covers(environments, environment) && covers(lobs, lob),
  );
}

/** The time of the last change of an incident, ISO 8601. */
export function changedAt({ updates, startsAt }: Pick<Incident, 'updates' | 'startsAt'>): string {
  return updates.at(-1)?.at ?? startsAt;
}
