/** Time until which a prior authorization is served. */

import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';
import { isPriorAuthorization } from '../../platform/kernel/prior-authorizations.ts';
import { dateRange, periodRange } from './date-range.ts';

const day = 86_400_000;
const periodExtension = 'http://hl7.org/fhir/us/davinci-pas/StructureDefinition/extension-itemPreAuthPeriod';
const reviewCode = 'http://hl7.org/fhir/us/davinci-pdex/StructureDefinition/extension-reviewActionCode';

/** Decisions of X12 306 after which nothing is authorized or awaited: not certified, canceled, no action required. */
const closedDecisions: readonly string[] = ['A3', 'C', 'NA'];

/**
 * The time until which a prior authorization is served: while it is active, and a year after its last change (42 CFR 422.119(b)(1)(iv)).
 *
 * It is active if its status is `active`, not every decision is negative, and its authorized period has not ended. One that is pending or names
 * no end has no end. The year ends with the day after the anniversary (UTC), so that it is whole in each time zone of the United States.
 *
 * @returns milliseconds since 1970; undefined if there is no end, as of any other resource.
 */
export function priorAuthorizationServedUntil(resource: unknown): number | undefined {
  if (!isPriorAuthorization(resource)) return undefined;
  const changed = dateRange(jsonMember(jsonMember(resource, 'meta'), 'lastUpdated'));
  const kept = changed === undefined ? 0 : yearAfter(changed[0] ?? 0);
  if (!isOpen(resource)) return kept;
  const ends = periodsOf(resource).map((period) => periodRange(period)?.[1]);
  // A period that can't be read or has no end does not end.
  if (ends.length === 0 || ends.some((end) => typeof end !== 'number')) return undefined;
  return Math.max(kept, ...ends.filter((end) => typeof end === 'number').map((end) => end + day));
}

function yearAfter(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear() + 1, date.getUTCMonth(), date.getUTCDate()) + 2 * day;
}

function isOpen(resource: unknown): boolean {
  if (jsonMember(resource, 'status') !== 'active') return false;
  const decisions = decisionsIn(resource);
  return (
    decisions.length === 0 ||
    decisions.some((code) => typeof code !== 'string' || !closedDecisions.includes(code))
  );
}

/** Whether every decision on a prior authorization is that it is not certified. */
export function isDeniedAuthorization(resource: unknown): boolean {
  const decisions = decisionsIn(resource);
  return decisions.length > 0 && decisions.every((code) => code === 'A3');
}

/** Codes of the decisions on the whole and on the lines. */
function decisionsIn(resource: unknown): readonly unknown[] {
  return [...extensionsIn(resource)]
    .filter((extension) => jsonMember(extension, 'url') === reviewCode)
    .flatMap((extension) => jsonEntries(jsonMember(jsonMember(extension, 'valueCodeableConcept'), 'coding')))
    .map((coding) => jsonMember(coding, 'code'));
}

function periodsOf(resource: unknown): readonly unknown[] {
  const ofItems = jsonEntries(jsonMember(resource, 'item'))
    .flatMap((item) => jsonEntries(jsonMember(item, 'extension')))
    .filter((extension) => jsonMember(extension, 'url') === periodExtension)
    .map((extension) => jsonMember(extension, 'valuePeriod'));
  return [...jsonEntries(jsonMember(resource, 'preAuthRefPeriod')), ...ofItems];
}

/** The extensions of the adjudications of the whole and of the lines, with those inside them. */
function* extensionsIn(resource: unknown): Generator<unknown> {
  const lines = jsonEntries(jsonMember(resource, 'item'));
  for (const part of [resource, ...lines]) {
    for (const adjudication of jsonEntries(jsonMember(part, 'adjudication'))) {
      for (const extension of jsonEntries(jsonMember(adjudication, 'extension'))) {
        yield extension;
        yield* jsonEntries(jsonMember(extension, 'extension'));
      }
    }
  }
}
