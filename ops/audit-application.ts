/** Command `audit application`. */

import type {
  ApplicationRecordAnswer,
  ArchivePlace,
  RecordedEvent,
} from '../lambdas/audit/trail/questions-contract.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../lambdas/catalog/lines-of-business.ts';
import { disclosuresAmong, eventsAsCsv, questionOf } from './audit-question.ts';
import { linesOfBusinessOf } from './command-line/command-line.ts';
import { type CommandContext, functionName } from './command-line/operation.ts';
import { table } from './command-line/table.ts';
import type { ExitCode } from './command-line/terminal.ts';

type LobEvent = RecordedEvent & { readonly lob: LineOfBusiness };

interface LobRecord {
  readonly lob: LineOfBusiness;
  readonly events: readonly LobEvent[];
  readonly until?: string;
  readonly missing: readonly number[];
}

/**
 * `audit application`: lists the members whose data an application received. A gap of the archive is written on standard error, and is exit
 * code 1.
 */
export async function auditApplication(operation: CommandContext): Promise<ExitCode> {
  const { values, words, print, note } = operation;
  const [clientId = ''] = words;
  const question = questionOf(operation);
  const asked = linesOfBusinessOf(values.lob ?? []);
  const records: LobRecord[] = [];
  for (const lob of asked.length === 0 ? lineOfBusinessCodes : asked) {
    records.push(await recordIn(operation, lob, { ...question, clientId }));
  }
  const events = records.flatMap((record) => record.events);
  if (values.csv === true) print(eventsAsCsv(events));
  else if (values.json === true) print(JSON.stringify(records, undefined, 2));
  else print(asText(events));
  const ends = records.flatMap(({ until }) => until ?? []).sort();
  note(
    `Read from the archive, to ${ends[0] ?? 'no time: it has nothing of this period'}. Later events are not in it yet.`,
  );
  const gaps = records.filter(({ missing }) => missing.length > 0);
  for (const { lob, missing } of gaps) {
    note(`${lob}: the archive lacks seals, so events may be missing: ${missing.join(', ')}`);
  }
  return gaps.length === 0 ? 0 : 1;
}

async function recordIn(
  operation: CommandContext,
  lob: LineOfBusiness,
  question: object,
): Promise<LobRecord> {
  const name = functionName(operation, 'auditApplicationRecord');
  const events: LobEvent[] = [];
  const missing: number[] = [];
  let until: string | undefined;
  for (let next: ArchivePlace | undefined, more = true; more; more = next !== undefined) {
    const page = (await operation.invoke(name, {
      ...question,
      lob,
      ...(next !== undefined && { next }),
    })) as ApplicationRecordAnswer;
    for (const event of page.events) events.push({ ...event, lob });
    missing.push(...page.missing);
    until = page.until ?? until;
    next = page.next;
  }
  return { lob, events, missing, ...(until !== undefined && { until }) };
}

/** A table of the members whose data was disclosed. */
function asText(events: readonly LobEvent[]): string {
  const given = disclosuresAmong(events);
  if (given.length === 0) return `No data was disclosed (${events.length} events on record).`;
  const members = Map.groupBy(given, ({ lob, patientId }) => `${lob} ${patientId ?? ''}`);
  const rows = [...members.values()].map((calls) => {
    const [{ lob, patientId = '–' }] = calls as [LobEvent];
    const times = calls.map(({ time }) => time).sort();
    const named = calls.flatMap(({ resource, resources }) => resources ?? resource ?? []);
    const resources = String(new Set(named).size);
    return [lob, patientId, String(calls.length), resources, times[0] ?? '', times.at(-1) ?? ''];
  });
  return [
    table(['LOB', 'patient', 'calls', 'resources', 'first', 'last'], rows),
    '',
    `${given.length} disclosures about ${members.size} ${members.size === 1 ? 'member' : 'members'}; ${events.length} events on record. --csv and --json list each.`,
  ].join('\n');
}
