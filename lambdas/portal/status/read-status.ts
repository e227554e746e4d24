/** Reads the status as the page, the feed and the API show it: the newest measurement, incidents, and the checks of the last 90 days. */

import type { StatusView } from '../api/status-view.ts';
import {
  type IncidentSeverity,
  measuredEveryMinutes,
  type StatusComponent,
  statusComponents,
  statusDays,
} from '../catalog/status.ts';
import { changedAt, componentsOf, type Incident, type IncidentState, incidentState } from './incident.ts';
import type { CheckCounts, MeasuredDay, Measurement, StatusReader } from './status-ports.ts';

/** A component is `unknown` if no recent measurement has it. */
export type ComponentState = 'answers' | 'fails' | 'unknown';

/** A component now. */
export interface ComponentNow extends StatusComponent {
  readonly state: ComponentState;
  readonly latencyMs?: number | undefined;
}

/** An incident with its state at the time of the status. */
export interface IncidentNow extends Incident {
  readonly state: IncidentState;
}

export interface Status {
  /** Time of the answer, milliseconds since 1970. */
  readonly now: number;
  /** Time of the newest measurement, ISO 8601; undefined if nothing has been measured. */
  readonly measuredAt: string | undefined;
  /** Whether the newest measurement is too old to say what is now. */
  readonly isStale: boolean;
  readonly components: readonly ComponentNow[];
  readonly data: Measurement['data'];
  readonly directories: Measurement['directories'];
  /** Newest first: open ones, scheduled ones, and those that ended in the days shown. */
  readonly incidents: readonly IncidentNow[];
  /** The days shown, oldest first; a day without measurements has no components. */
  readonly days: readonly MeasuredDay[];
}

const dayMs = 86_400_000;
/** Milliseconds after which a measurement says nothing about now: the next two were missed. */
const staleMs = 3 * measuredEveryMinutes * 60_000;

/** Reads the status. */
export async function readStatus(reader: StatusReader, now: number): Promise<Status> {
  const dates = Array.from({ length: statusDays }, (_, at) =>
    new Date(now - (statusDays - 1 - at) * dayMs).toISOString().slice(0, 10),
  );
  const [from = ''] = dates;
  const [newest, measured, incidents] = await Promise.all([
    reader.newest(),
    reader.days(from),
    reader.incidents(),
  ]);
  const isStale = newest !== undefined && now - Date.parse(newest.measuredAt) > staleMs;
  const current = isStale ? [] : (newest?.components ?? []);
  return {
    now,
    measuredAt: newest?.measuredAt,
    isStale,
    components: statusComponents.map((component): ComponentNow => {
      const found = current.find(({ id }) => id === component.id);
      if (found === undefined) return { ...component, state: 'unknown' };
      return { ...component, state: found.answers ? 'answers' : 'fails', latencyMs: found.latencyMs };
    }),
    // Whether data is late depends on now, not on when it was asked.
    data: (newest?.data ?? []).map((each) => ({ ...each, late: Date.parse(each.freshUntil) <= now })),
    directories: newest?.directories ?? [],
    incidents: incidents
      .map((incident): IncidentNow => ({ ...incident, state: incidentState(incident, now) }))
      .filter((incident) => incident.state !== 'over' || endOf(incident) >= from),
    days: dates.map((date) => measured.find((day) => day.date === date) ?? { date, components: {} }),
  };
}

/** The date on which an incident ended. */
function endOf(incident: Incident): string {
  return (incident.resolvedAt ?? incident.endsAt ?? changedAt(incident)).slice(0, 10);
}

/** Adds the checks of some components on a day; undefined if none of them was measured. */
export function checksOn(day: MeasuredDay, ids: readonly string[]): CheckCounts | undefined {
  const found = ids.flatMap((id) => day.components[id] ?? []);
  if (found.length === 0) return undefined;
  return found.reduce((sum, each) => ({
    answered: sum.answered + each.answered,
    failed: sum.failed + each.failed,
  }));
}

/** The most severe of the open incidents that touch one of the components; undefined if none does. */
export function openSeverity(status: Status, ids: readonly string[]): IncidentSeverity | undefined {
  const touching = status.incidents
    .filter(({ state, scope }) => state === 'open' && componentsOf(scope).some(({ id }) => ids.includes(id)))
    .map(({ severity }) => severity);
  return (['outage', 'degraded', 'maintenance'] as const).find((each) => touching.includes(each));
}

/** The status as the API gives it. */
export function statusView(status: Status): StatusView {
  return {
    checkedAt: status.measuredAt ?? new Date(status.now).toISOString(),
    parts: status.components.flatMap(({ id, environment, lob, state, latencyMs }) =>
      state === 'unknown'
        ? []
        : [
            {
              name: id,
              answers: state === 'answers',
              ...(latencyMs !== undefined && { latencyMs }),
              ...(environment !== undefined && { environment }),
              ...(lob !== undefined && { lob }),
            },
          ],
    ),
    data: status.data.map(({ reconciledAt, ...each }) => ({
      ...each,
      ...(reconciledAt !== undefined && { loadedAt: reconciledAt }),
    })),
    directories: status.directories.map(({ environment, lob, builtAt }) => ({
      environment,
      lob,
      publishedAt: builtAt,
    })),
    incidents: status.incidents.map(({ id, title, severity, state, scope, updates, ...times }) => ({
      id,
      title,
      severity,
      state,
      startsAt: times.startsAt,
      ...(times.endsAt !== undefined && { endsAt: times.endsAt }),
      ...(times.resolvedAt !== undefined && { resolvedAt: times.resolvedAt }),
      parts: componentsOf(scope).map((component) => component.id),
      updates: updates.map(({ at, text }) => ({ at, text })),
    })),
  };
}

/** Makes the reader of a status that is read at most every half minute, because anybody can request it. */
export function rememberedStatus(reader: StatusReader, now: () => number): () => Promise<Status> {
  let remembered: { readonly until: number; readonly status: Promise<Status> } | undefined;
  return async () => {
    if (remembered === undefined || remembered.until <= now()) {
      const status = readStatus(reader, now());
      remembered = { until: now() + 30_000, status };
      // A failure is not remembered.
      status.catch(() => {
        remembered = undefined;
      });
    }
    return await remembered.status;
  };
}
