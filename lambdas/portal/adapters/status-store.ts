/** Stores measurements and incidents of the status page in the portal's table. */

import * as z from 'zod/mini';
import { environments } from '../../catalog/environments.ts';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import { conditionHolds } from '../../platform/table/conditional-writes.ts';
import type { Table, Write } from '../../platform/table/table.ts';
import { componentKindNames, incidentSeverityNames } from '../catalog/status.ts';
import type { Incident } from '../status/incident.ts';
import type { CheckCounts, MeasuredDay, Measurement, StatusStore } from '../status/status-ports.ts';
import { incidentKey, measuredDayKey, newestMeasurementKey } from './portal-table-keys.ts';

const environment = z.enum(environments);
const lob = z.enum(lineOfBusinessCodes);

const measurementItem = z.object({
  measuredAt: z.string(),
  components: z.array(z.object({ id: z.string(), answers: z.boolean(), latencyMs: z.optional(z.number()) })),
  data: z.array(
    z.object({
      environment,
      lob,
      late: z.boolean(),
      freshUntil: z.string(),
      reconciledAt: z.optional(z.string()),
    }),
  ),
  directories: z.array(z.object({ environment, lob, builtAt: z.string() })),
});

const incidentItem = z.object({
  id: z.string(),
  severity: z.enum(incidentSeverityNames),
  title: z.string(),
  scope: z.object({
    kinds: z.optional(z.array(z.enum(componentKindNames))),
    environments: z.optional(z.array(environment)),
    lobs: z.optional(z.array(lob)),
  }),
  startsAt: z.string(),
  endsAt: z.optional(z.string()),
  resolvedAt: z.optional(z.string()),
  updates: z.array(z.object({ at: z.string(), text: z.string(), by: z.string() })),
  version: z.number(),
});

/** Attributes of a day's item that count checks: `answered production/registration`. */
const counter = /^(?<result>answered|failed) (?<id>.+)$/;

/** Most incidents that are read: all of 90 days, by far. */
const mostIncidents = 200;
/** Seconds for which a day is kept: longer than the page shows it. */
const keptSeconds = 100 * 86_400;

export function createStatusStore(table: Table): StatusStore {
  return {
    async newest() {
      const item = await table.get(newestMeasurementKey(), { consistent: false });
      return item === undefined ? undefined : measurementItem.parse(item);
    },

    async days(from) {
      const { pk, sk: skFrom } = measuredDayKey(from);
      const { items } = await table.query({ pk, skFrom });
      return items.map(dayOf);
    },

    async incidents() {
      const query = { pk: incidentKey('').pk, descending: true, limit: mostIncidents };
      return (await table.query(query)).items.map(incidentOf);
    },

    async record(measurement, round) {
      const newest = { put: { ...newestMeasurementKey(), ...measurement } };
      return await conditionHolds(table, [countedDay(measurement, round), newest]);
    },

    async incident(id) {
      const item = await table.get(incidentKey(id));
      return item === undefined ? undefined : incidentOf(item);
    },

    async putIncident(incident) {
      const { version } = incident;
      const condition =
        version === 1
          ? { expression: 'attribute_not_exists(pk)' }
          : { expression: 'version = :before', values: { ':before': version - 1 } };
      return await conditionHolds(table, [{ put: { ...incidentKey(incident.id), ...incident }, condition }]);
    },
  };
}

/** The write that adds a measurement to its day, if its round was not counted before. */
function countedDay({ measuredAt, components }: Measurement, round: number): Write {
  const names = components.map(({ id, answers }) => `${answers ? 'answered' : 'failed'} ${id}`);
  return {
    update: {
      key: measuredDayKey(measuredAt.slice(0, 10)),
      expression: [
        'SET lastRound = :round, #ttl = :ttl',
        ...(names.length === 0 ? [] : [`ADD ${names.map((_, at) => `#c${at} :one`).join(', ')}`]),
      ].join(' '),
      condition: 'attribute_not_exists(lastRound) OR lastRound < :round',
      names: { '#ttl': 'ttl', ...Object.fromEntries(names.map((name, at) => [`#c${at}`, name])) },
      values: {
        ':round': round,
        ':ttl': Math.floor(Date.parse(measuredAt) / 1000) + keptSeconds,
        ...(names.length > 0 && { ':one': 1 }),
      },
    },
  };
}

function dayOf(item: Readonly<Record<string, unknown>>): MeasuredDay {
  const components: Record<string, CheckCounts> = {};
  for (const [name, value] of Object.entries(item)) {
    const { result, id } = counter.exec(name)?.groups ?? {};
    if (result === undefined || id === undefined) continue;
    components[id] = { ...(components[id] ?? { answered: 0, failed: 0 }), [result]: Number(value) };
  }
  return { date: String(item.sk), components };
}

function incidentOf(item: Readonly<Record<string, unknown>>): Incident {
  return incidentItem.parse(item);
}
