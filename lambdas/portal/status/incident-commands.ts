/** Operators' commands on incidents, from the command line: open one, and update or resolve it. */

import type { IncidentChange, NewIncident } from '../api/incidents.ts';
import { type PortalResult, problem, response } from '../api/route-handler.ts';
import type { ProblemField } from '../api/views.ts';
import { componentsOf, type Incident, type IncidentScope, incidentState } from './incident.ts';
import type { StatusStore } from './status-ports.ts';

export interface IncidentServices {
  readonly store: Pick<StatusStore, 'incident' | 'putIncident'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** SHA-256 of a text, hex. */
  readonly sha256: (text: string) => string;
}

/** The operator who sends a command, and whether it is only checked. */
export interface IncidentRequest {
  /** Name of the operator. */
  readonly by: string;
  readonly dryRun: boolean;
}

/** Creates the commands on incidents. A command that is sent again changes nothing, and gets the same answer. */
export function createIncidentCommands({ store, now, sha256 }: IncidentServices) {
  return {
    /** Opens an incident or announces maintenance. A title can be used once a day for the same components. */
    async open(opened: NewIncident, { by, dryRun }: IncidentRequest): Promise<PortalResult> {
      const { severity, title, text, component, environment, lob, startsAt, endsAt } = opened;
      const at = new Date(now()).toISOString();
      const scope: IncidentScope = { kinds: component, environments: environment, lobs: lob };
      const fault = scopeFault(scope) ?? periodFault(opened, at);
      if (fault !== undefined) return problem('invalid_request', { errors: [fault] });
      const digest = sha256(JSON.stringify([title, component, environment, lob])).slice(0, 8);
      const incident: Incident = {
        id: `${at.slice(0, 10).replaceAll('-', '')}-${digest}`,
        severity,
        title,
        scope,
        startsAt: startsAt === undefined ? at : inUtc(startsAt),
        ...(endsAt !== undefined && { endsAt: inUtc(endsAt) }),
        updates: [{ at, text, by }],
        version: 1,
      };
      if (dryRun || (await store.putIncident(incident))) return response(200, incident);
      const current = await store.incident(incident.id);
      if (current?.updates[0]?.text === text) return response(200, current);
      return problem('stale_version', {
        current,
        changed: ['text'],
        detail: `Nothing was saved. ${incident.id} was opened today with the same title for the same components. Update it with \`status update\`, or choose another title.`,
      });
    },

    /** Adds a text to an incident, changes its severity or the end of its maintenance, or ends it. */
    async change(id: string, change: IncidentChange, { by, dryRun }: IncidentRequest): Promise<PortalResult> {
      const incident = await store.incident(id);
      if (incident === undefined) return problem('not_found');
      const at = new Date(now()).toISOString();
      const { text, severity = incident.severity, resolve } = change;
      const endsAt = change.endsAt === undefined ? incident.endsAt : inUtc(change.endsAt);
      const fault = periodFault({ severity, startsAt: incident.startsAt, endsAt }, incident.startsAt);
      if (fault !== undefined) return problem('invalid_request', { errors: [fault] });
      const isRepeated =
        incident.updates.at(-1)?.text === text &&
        incident.severity === severity &&
        incident.endsAt === endsAt &&
        (incident.resolvedAt !== undefined) === (resolve === true);
      if (isRepeated) return response(200, incident);
      if (incidentState(incident, now()) === 'over') {
        return problem('state_conflict', {
          state: 'over',
          allowed: [],
          detail: 'Nothing was saved. The incident is over. Open a new one with `status open`.',
        });
      }
      const after: Incident = {
        ...incident,
        severity,
        ...(endsAt !== undefined && { endsAt }),
        ...(resolve === true && { resolvedAt: at }),
        updates: [...incident.updates, { at, text, by }],
        version: incident.version + 1,
      };
      if (dryRun || (await store.putIncident(after))) return response(200, after);
      return problem('stale_version', {
        current: await store.incident(id),
        changed: ['updates'],
        detail:
          'Nothing was saved. Another operator changed the incident meanwhile. Read it with `status list`, then repeat the command.',
      });
    },
  };
}

export type IncidentCommands = ReturnType<typeof createIncidentCommands>;

const inUtc = (time: string) => new Date(time).toISOString();

const field = (pointer: string, expected: string): ProblemField => ({ pointer, code: 'invalid', expected });

function scopeFault(scope: IncidentScope): ProblemField | undefined {
  if (componentsOf(scope).length > 0) return undefined;
  return field('/component', 'components that exist: MHBE has no Provider Directory');
}

/** The fault of the period: maintenance has an end, and nothing else is announced. */
function periodFault(
  { severity, startsAt, endsAt }: Pick<NewIncident, 'severity' | 'startsAt' | 'endsAt'>,
  now: string,
): ProblemField | undefined {
  const start = Date.parse(startsAt ?? now);
  if (severity !== 'maintenance') {
    if (endsAt !== undefined) return field('/endsAt', 'no end; `status resolve` ends an incident');
    if (start > Date.parse(now)) return field('/startsAt', 'a time in the past, or none for now');
    return undefined;
  }
  if (endsAt === undefined) return field('/endsAt', 'the end of the maintenance');
  if (Date.parse(endsAt) <= Math.max(start, Date.parse(now))) {
    return field('/endsAt', 'a time in the future, after the start');
  }
  return undefined;
}
