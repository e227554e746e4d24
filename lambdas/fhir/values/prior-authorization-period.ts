/** Computes the time until which a prior authorization is served. */

import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';
import { isPriorAuthorization } from '../../platform/kernel/prior-authorizations.ts';
import { dateRange, periodRange } from './date-range.ts';

const day = 86_400_000;
const periodExtension = 'http://hl7.org/fhir/us/davinci-pas/StructureDefinition/extension-itemPreAuthPeriod';
const reviewCode = 'http://hl7.org/fhir/us/davinci-pdex/StructureDefinition/extension-reviewActionCode';

/** Decisions of X12 306 that end a request: not certified, canceled, no action required. */
const closedDecisions: readonly string[] = ['A3', 'C', 'NA'];

/**
 * The time until which a prior authorization is served: while it is active, and for a year after its last change (42 CFR
 * 422.119(b)(1)(iv)).
 *
 * It is active if its status is `active`, at least one decision is not negative, and its authorized period has not ended. A pending
 * authorization, or a period without an end, has no end. The year ends with the day after the anniversary (UTC), so that it is complete in
 * every time zone of the United States.
 *
 * @returns milliseconds since 1970; undefined if there is no end, and for any other resource.
 */
export function priorAuthorizationServedUntil(resource: unknown): number | undefined {
  if (!isPriorAuthorization(resource)) return undefined;
  const changed = dateRange(jsonMember(jsonMember(resource, 'meta'), 'lastUpdated'));
  const kept = changed === undefined ? 0 : yearAfter(changed[0] ?? 0);
  if (!isOpen(resource)) return kept;
  const ends = periodsOf(resource).map((period) => periodRange(period)?.[1]);
  // A period that has no end, or can't be read, counts as not ended.
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

/** Whether all decisions of a prior authorization are "not certified". */
export function isDeniedAuthorization(resource: unknown): boolean {
  const decisions = decisionsIn(resource);
  return decisions.length > 0 && decisions.every((code) => code === 'A3');
}

/** Codes of the decisions on the whole authorization and on its lines. */
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

/** The extensions of all adjudications, of the whole authorization and of its lines, with nested extensions. */
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
