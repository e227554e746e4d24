import { allowsRead } from '../../catalog/scopes.ts';
import { isFhirId } from '../fhir-id.ts';
import { negotiate } from '../media-type.ts';
import type { SearchEntry } from '../ports.ts';
import { deadGrant, forbidden, forbiddenReasons } from './admission.ts';
import { searchBundle } from './bundle.ts';
import { dateRange, startOf } from './date-range.ts';
import { disclose, searchEvent } from './disclosure.ts';
import { type EverythingQuery, parseEverything } from './everything-query.ts';
import { candidateOf } from './matching.ts';
import { typeOrder } from './ordering.ts';
import { pageOf } from './page.ts';
import { type AskedPage, askedPage, pageLinks } from './paging.ts';
import { unknown } from './query.ts';
import {
  type CompartmentRequest,
  formatOf,
  isStrict,
  type SearchAnswer,
  type SearchDependencies,
} from './search-request.ts';

/** `Patient/{id}/$everything` (R4, operation-patient-everything.html). */
export interface EverythingRequest extends CompartmentRequest {
  /** The URL's id, as it came. */
  readonly id: string;
}

/**
 * All of the token's patient that the scope allows reading, Patient first. Another patient's id takes the same waits and gets the
 * same answer as one that does not exist.
 *
 * @throws what the ports throw when the store is unavailable; nothing is disclosed then.
 */
export async function readEverything(
  dependencies: SearchDependencies,
  request: EverythingRequest,
): Promise<SearchAnswer> {
  const { context, base, id } = request;
  const now = dependencies.now();
  const valid = isFhirId(id);
  const event = searchEvent(request, 'Patient.everything', valid ? `Patient/${id}` : undefined);
  const refuse = (reason: string) => dependencies.audit.record({ ...event, outcome: 'refused', reason });
  const refused = forbidden(context, allowsRead(context.scope, 'Patient'), now / 1000);
  if (refused !== undefined) {
    await refuse(forbiddenReasons[refused]);
    return { kind: 'refusal', refusal: refused };
  }
  const mediaType = negotiate(request.accept, formatOf(request.parameters)[0]?.[1]);
  if (mediaType === undefined) return { kind: 'refusal', refusal: 'not-acceptable' };
  const place = { request, search: 'Patient/$everything', url: `${base}/Patient/${id}/$everything` };
  const asked = askedPage(dependencies, place, now);
  if (asked.kind === 'invalid') return asked;
  const parsed = parseEverything(asked.page.parameters, isStrict(request.prefer));
  if (parsed.kind === 'invalid') return parsed;

  const { grant, entries } = await dependencies.compartment.entries(context.patientId, context.grantId);
  const dead = deadGrant(grant, context.clientId, now / 1000);
  const own = valid && id === context.patientId && entries.some((entry) => isPatient(entry, id));
  if (dead !== undefined || !own) {
    await refuse(dead ?? 'not_found');
    return { kind: 'refusal', refusal: dead === undefined ? 'not-found' : 'invalid-token' };
  }
  const { query } = parsed;
  const found = find(entries, request, query, asked.page);
  const resources = await disclose(dependencies, event, found.page, {
    mediaType,
    selection: { summary: 'false' },
  });
  const { at, after } = asked.page;
  const links = pageLinks(dependencies, place, {
    at,
    parameters: query.used,
    after: found.page.continuesAfter,
    first: after === undefined,
  });
  const warnings = query.ignored.map((name) => unknown(name, '$everything'));
  const body = searchBundle({ base, ...links, total: found.total, resources, warnings, now });
  return { kind: 'bundle', body, mediaType };
}

function find(
  entries: readonly SearchEntry[],
  { context, id }: EverythingRequest,
  { types, since, count }: EverythingQuery,
  { after }: AskedPage,
) {
  const all = entries
    .filter((entry) => entry.resourceType !== 'Patient' || isPatient(entry, id))
    .filter((entry) => allowsRead(context.scope, entry.resourceType))
    .filter((entry) => types?.some((type) => type === entry.resourceType) ?? true)
    .filter((entry) => since === undefined || changedSince(entry, since))
    .map(candidateOf);
  const page = pageOf(count === 0 ? [] : all, {
    sort: [typeOrder],
    count,
    after,
    includes: [],
    includable: new Map(),
  });
  return { total: all.length, page };
}

function isPatient(entry: SearchEntry, id: string): boolean {
  return entry.resourceType === 'Patient' && entry.id === id;
}

function changedSince({ lastUpdated }: SearchEntry, since: number): boolean {
  const range = dateRange(lastUpdated);
  return range !== undefined && startOf(range) >= since;
}
