import type { Incident } from '../../../lambdas/portal/status/incident.ts';
import type { Measurement, StatusStore } from '../../../lambdas/portal/status/status-ports.ts';

/** A store of the status in memory, with the conditions of the real one. */
export function memoryStatusStore(): StatusStore {
  const incidents = new Map<string, Incident>();
  const days = new Map<string, Record<string, { answered: number; failed: number }>>();
  let newest: Measurement | undefined;
  let last = -1;
  return {
    newest: async () => newest,
    days: async (from) =>
      [...days].filter(([date]) => date >= from).map(([date, components]) => ({ date, components })),
    incidents: async () => [...incidents.values()].sort((one, other) => other.id.localeCompare(one.id)),
    incident: async (id) => incidents.get(id),
    async record(measurement, round) {
      if (round <= last) return false;
      last = round;
      newest = measurement;
      const date = measurement.measuredAt.slice(0, 10);
      const components = days.get(date) ?? {};
      days.set(date, components);
      for (const { id, answers } of measurement.components) {
        const checks = components[id] ?? { answered: 0, failed: 0 };
        components[id] = checks;
        checks[answers ? 'answered' : 'failed'] += 1;
      }
      return true;
    },
    async putIncident(incident) {
      if ((incidents.get(incident.id)?.version ?? 0) !== incident.version - 1) return false;
      incidents.set(incident.id, incident);
      return true;
    },
  };
}
