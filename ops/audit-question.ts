/** Period, purpose and CSV of the commands that ask the audit trail about a record. */

import type { RecordedEvent } from '../lambdas/audit/trail/questions-contract.ts';
import { UsageError } from './command-line/command-line.ts';
import { csv } from './command-line/csv.ts';
import { type CommandContext, operatorName } from './command-line/operation.ts';
import type { OptionName } from './command-line/options.ts';

/** Options of a question about a record. */
export const questionOptions: readonly OptionName[] = ['from', 'to', 'purpose', 'operator', 'csv'];

const dayMs = 86_400_000;

/** The period, the asker and the purpose of a question, as its request has them. */
export function questionOf({ values, variables }: CommandContext) {
  const { purpose, from = '2020-01-01', to } = values;
  if (purpose === undefined) throw new UsageError('--purpose is needed: it is recorded why you ask');
  if (values.csv === true && values.json === true) throw new UsageError('choose one of --csv and --json');
  return {
    from: new Date(dayOf(from, '--from')).toISOString(),
    until: new Date(to === undefined ? Date.now() : dayOf(to, '--to') + dayMs).toISOString(),
    askedBy: `command-line:${operatorName({ values, variables }).toLowerCase()}`,
    purpose,
  };
}

/**
 * Parses a date.
 *
 * @returns its first millisecond in UTC
 */
function dayOf(text: string, option: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : Number.NaN;
  if (Number.isNaN(ms)) throw new UsageError(`${option} must be a date such as 2026-03-01`);
  return ms;
}

const columns = [
  ...['time', 'lob', 'action', 'outcome', 'reason', 'actor', 'operatorId', 'clientId', 'patientId'],
  ...['resource', 'resources', 'requestId', 'clientRequestId', 'eventId', 'corrects'],
] as const;

/** Events as CSV, one a row, without the last line feed, which printing adds. The resources of a search are separated by spaces. */
export function eventsAsCsv(events: readonly (RecordedEvent & { readonly lob: string })[]): string {
  const text = csv(
    columns,
    events.map(({ resources, ...event }) => {
      const cells: Readonly<Record<string, string | undefined>> = {
        ...event,
        ...(resources !== undefined && { resources: resources.join(' ') }),
      };
      return columns.map((name) => cells[name] ?? '');
    }),
  );
  return text.slice(0, -1);
}

/** The disclosures among events, without those that a later event corrects. */
export function disclosuresAmong<Event extends RecordedEvent>(events: readonly Event[]): readonly Event[] {
  const takenBack = new Set(events.map(({ corrects }) => corrects));
  return events.filter(({ outcome, eventId }) => outcome === 'disclosed' && !takenBack.has(eventId));
}
