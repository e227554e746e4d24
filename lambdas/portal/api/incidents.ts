/** Schemas of operators' requests about incidents on the status page. */

import * as z from 'zod/mini';
import { environments } from '../../catalog/environments.ts';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import { componentKindNames, incidentSeverityNames } from '../catalog/status.ts';
import { line, paragraph } from './fields.ts';

const text = paragraph('what happens, whom it touches and what comes next, for developers', 2000);
const time = z.iso.datetime({
  offset: true,
  error: 'a time with a zone, such as 2026-11-27T02:00:00Z',
});
/** A list; absent for all. */
const some = <Value extends z.ZodMiniType>(value: Value) => z.optional(z.array(value).check(z.minLength(1)));

export const newIncident = z.strictObject({
  severity: z.enum(incidentSeverityNames),
  title: line('a title that says what developers notice', 120),
  text,
  component: some(z.enum(componentKindNames)),
  environment: some(z.enum(environments)),
  lob: some(z.enum(lineOfBusinessCodes)),
  /** @default now */
  startsAt: z.optional(time),
  endsAt: z.optional(time),
});
export type NewIncident = z.infer<typeof newIncident>;

export const incidentChange = z.strictObject({
  text,
  severity: z.optional(z.enum(incidentSeverityNames)),
  endsAt: z.optional(time),
  /** Ends the incident. */
  resolve: z.optional(z.literal(true)),
});
export type IncidentChange = z.infer<typeof incidentChange>;

export const incidentId = z
  .string()
  .check(z.regex(/^\d{8}-[0-9a-f]{8}$/, { error: 'the ID of an incident, as `status list` shows it' }));
