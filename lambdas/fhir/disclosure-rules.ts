/** Rules beside scopes that decide whether a resource is served. */

import { nameOf } from '../catalog/fhir/resource-name.ts';
import { mayBeSensitive, sharedCategories } from '../catalog/fhir/sensitive-categories.ts';
import type { MemberContext } from '../catalog/oauth/authorizer-context.ts';
import { mayBePart2Record } from './part-2-records.ts';
import type { PatientCompartment, SearchEntry } from './patient-compartment.ts';
import { isSharedMark, sensitiveMark } from './sensitive-data.ts';
import { servedName, servedUntil } from './served-until.ts';

/** Whether the resource of an entry is served at a time. @param now milliseconds since 1970 */
export function isEntryServed({ values }: SearchEntry, now: number): boolean {
  const [range] = values.dates[servedName] ?? [];
  return range === undefined || (range[1] ?? Number.POSITIVE_INFINITY) > now;
}

/** Whether a resource is served at a time. @param now milliseconds since 1970 */
export function isResourceServed(resourceType: string, json: string, now: number): boolean {
  // No other type has an end.
  if (resourceType !== 'ExplanationOfBenefit' && !mayBePart2Record(json)) return true;
  return (servedUntil(JSON.parse(json)) ?? Number.POSITIVE_INFINITY) > now;
}

/**
 * The entries of resources that a member shares by the sensitive categories of granted scopes (docs/decisions/0037-share-sensitive-categories-apart.md):
 * without those of another category, and without the Binaries that they hold.
 *
 * @param scope space-separated
 */
export function sharedEntries(entries: readonly SearchEntry[], scope: string): readonly SearchEntry[] {
  const shared = sharedCategories(scope);
  const withheld = entries.filter(({ values }) => !isSharedMark(values.sensitive, shared));
  if (withheld.length === 0) return entries;
  const names = new Set(
    withheld.flatMap((entry) => [nameOf(entry), ...(entry.values.sensitive?.contents ?? [])]),
  );
  return entries.filter((entry) => !names.has(nameOf(entry)));
}

/**
 * Whether a member shares a resource by the sensitive categories of granted scopes.
 *
 * @param json the resource, serialized. @param scope space-separated
 */
export function isResourceShared(resourceType: string, json: string, scope: string): boolean {
  return (
    !mayBeSensitive(resourceType) || isSharedMark(sensitiveMark(JSON.parse(json)), sharedCategories(scope))
  );
}

/** Types that hold documents as Binaries. */
const documentTypes = ['DocumentReference', 'DiagnosticReport'] as const;

/**
 * Whether a Binary is held by a resource that the member doesn't share: a Binary has no codes of its own.
 *
 * @throws where the store is unavailable.
 */
export async function isWithheldContent(
  compartment: Pick<PatientCompartment, 'entries'>,
  { patientId, grantId, scope }: Pick<MemberContext, 'patientId' | 'grantId' | 'scope'>,
  id: string,
): Promise<boolean> {
  const shared = sharedCategories(scope);
  const read = await Promise.all(
    documentTypes.map((resourceType) =>
      compartment.entries(patientId, grantId, { resourceType, references: false }),
    ),
  );
  return read
    .flatMap(({ entries }) => entries.map(({ values }) => values.sensitive))
    .some((mark) => mark?.contents?.includes(`Binary/${id}`) && !isSharedMark(mark, shared));
}
