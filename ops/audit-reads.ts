/** Command `audit reads`. */

import type {
  PatientRecordAnswer,
  PatientRecordRequest,
  RecordedEvent,
} from '../lambdas/audit/trail/questions-contract.ts';
import type {
  MemberReference,
  OperatorGrantsAnswer,
} from '../lambdas/authorization/connected-apps/operator-grants-contract.ts';
import type { LineOfBusiness } from '../lambdas/catalog/lines-of-business.ts';
import { disclosuresAmong, eventsAsCsv, questionOf } from './audit-question.ts';
import { UsageError } from './command-line/command-line.ts';
import { type CommandContext, findFunction, functionName } from './command-line/operation.ts';
import { table } from './command-line/table.ts';
import type { ExitCode } from './command-line/terminal.ts';
import { memberReference } from './member-reference.ts';

/** `audit reads`: lists the disclosures of a member's data, with recipient and time. */
export async function auditReads(operation: CommandContext): Promise<ExitCode> {
  const { values, print } = operation;
  const { lob, member } = memberReference(values);
  const question = questionOf(operation);
  const isById = 'patientId' in member;
  const patientId = isById ? member.patientId : await patientOf(operation, lob, member);
  const events = patientId === undefined ? [] : await eventsAbout(operation, { ...question, lob, patientId });
  // A withdrawn member's events stay in the trail. Only an ID without any event but questions may be wrong, and is looked up.
  const hasEvents = events.some(({ action }) => action !== 'audit.question');
  const isKnown = hasEvents || !isById || (await patientOf(operation, lob, member)) !== undefined;
  if (patientId === undefined || !isKnown) return refusedUnknown(operation, lob);
  if (values.csv === true) {
    print(eventsAsCsv(events.map((event) => ({ ...event, lob }))));
  } else if (values.json === true) print(JSON.stringify(events, undefined, 2));
  else print(asDisclosures(events, await namesOf(operation, events)));
  return 0;
}

async function eventsAbout(
  operation: CommandContext,
  question: Omit<PatientRecordRequest, 'purpose'> & { readonly purpose: string },
): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (let after: string | undefined, more = true; more; more = after !== undefined) {
    const page = (await operation.invoke(functionName(operation, 'auditPatientRecord'), {
      ...question,
      ...(after !== undefined && { after }),
    })) as PatientRecordAnswer;
    events.push(...page.events);
    after = page.next;
  }
  return events;
}

/** The ID of a member's Patient; undefined if there is none. If the lookup is not available, the given ID is used. */
async function patientOf(
  operation: CommandContext,
  lob: LineOfBusiness,
  member: MemberReference,
): Promise<string | undefined> {
  const name = findFunction(operation, 'operatorGrants');
  if (name === undefined) {
    if ('patientId' in member) return member.patientId;
    throw new UsageError('--member needs OPERATOR_GRANTS_FUNCTION; or give the ID of the Patient, --patient');
  }
  const answer = (await operation.invoke(name, { action: 'list', lob, member })) as OperatorGrantsAnswer;
  return answer.kind === 'refusal' ? undefined : answer.patientId;
}

function refusedUnknown({ values, print }: CommandContext, lob: LineOfBusiness): ExitCode {
  const message = `no member with this ID in ${lob} of this environment, and no event on record about one`;
  print(
    values.json === true
      ? JSON.stringify({ kind: 'refused', reason: 'member_unknown', message })
      : `refused: ${message}`,
  );
  return 1;
}

/** The names of the applications in events, by client ID, if the registry is available and knows them. */
async function namesOf(
  operation: CommandContext,
  events: readonly RecordedEvent[],
): Promise<ReadonlyMap<string, string>> {
  const provisioning = findFunction(operation, 'provisioning');
  const names = new Map<string, string>();
  const clientIds = new Set(
    events.flatMap(({ outcome, clientId }) =>
      outcome === 'disclosed' && clientId !== undefined ? [clientId] : [],
    ),
  );
  for (const clientId of provisioning === undefined ? [] : clientIds) {
    const answer = await operation.invoke(provisioning ?? '', { action: 'describe', clientId });
    const { name } = (answer as { readonly client?: { readonly name?: unknown } }).client ?? {};
    if (typeof name === 'string') names.set(clientId, name);
  }
  return names;
}

/** A table of the disclosures among events, without those that a later event corrects. */
function asDisclosures(events: readonly RecordedEvent[], names: ReadonlyMap<string, string>): string {
  const given = disclosuresAmong(events);
  if (given.length === 0) return `No data was disclosed (${events.length} events on record).`;
  const rows = sittings(given).map((calls) => {
    const [first, last] = [calls[0], calls.at(-1)];
    const { time = '', action = '', requestId = '' } = first ?? {};
    const until = calls.length === 1 ? '' : (last?.time ?? '').slice(11, 19);
    return [time, until, nameOf(first, names), action, String(calls.length), whatOf(calls), requestId];
  });
  const apps = new Set(given.map(({ clientId, actor }) => clientId ?? actor));
  const legend = [...apps].map((id) => [names.get(id) ?? '(not registered)', id]);
  return [
    table(['time', 'until', 'application', 'action', 'calls', 'resources', 'first request'], rows),
    '',
    `${given.length === 1 ? 'Once' : `${given.length} times`}, to ${apps.size} application${apps.size === 1 ? '' : 's'}. --json lists each call.`,
    ...(names.size === 0
      ? ['For its name: clients describe <client id>']
      : ['', table(['application', 'client ID'], legend)]),
  ].join('\n');
}

function nameOf(event: RecordedEvent | undefined, names: ReadonlyMap<string, string>): string {
  const id = event?.clientId ?? event?.actor ?? '';
  return names.get(id) ?? id;
}

/** Most milliseconds between two calls in one row of the table. */
const pauseMs = 5 * 60_000;

/** Groups consecutive calls of one application and action, such as the pages of one `$everything`. */
function sittings(events: readonly RecordedEvent[]): readonly (readonly RecordedEvent[])[] {
  const all: RecordedEvent[][] = [];
  for (const event of events) {
    const calls = all.at(-1);
    const last = calls?.at(-1);
    const goesOn =
      last !== undefined &&
      last.clientId === event.clientId &&
      last.actor === event.actor &&
      last.action === event.action &&
      Date.parse(event.time) - Date.parse(last.time) <= pauseMs;
    if (goesOn) calls?.push(event);
    else all.push([event]);
  }
  return all;
}

/** The resources of some calls: the name if it is one read, otherwise a count by type (`20 ExplanationOfBenefit, 1 Patient`). */
function whatOf(calls: readonly RecordedEvent[]): string {
  const [only] = calls;
  if (calls.length === 1 && only?.resources === undefined) return only?.resource ?? '';
  const named = calls.flatMap(
    ({ resource, resources }) => resources ?? (resource === undefined ? [] : [resource]),
  );
  const counts = Map.groupBy(new Set(named), (name) => name.split('/', 1).join());
  return [...counts].map(([type, of]) => `${of.length} ${type}`).join(', ') || 'no resources';
}
