/** Rules beside scopes that decide whether a resource is served. */

import { nameOf } from '../../catalog/fhir/resource-name.ts';
import { sharedCategories } from '../../catalog/fhir/sensitive-categories.ts';
import { namesNotShared, type RecordLabels } from '../values/label.ts';
import type { SearchEntry } from '../values/patient-compartment.ts';
import { priorAuthorizationServedUntil } from '../values/prior-authorization-period.ts';
import { servedName } from '../values/served-until.ts';

/** Whether the resource of an entry is served at a time. @param now milliseconds since 1970 */
export function isEntryServed({ values }: SearchEntry, now: number): boolean {
  const [range] = values.dates[servedName] ?? [];
  return range === undefined || (range[1] ?? Number.POSITIVE_INFINITY) > now;
}

/** Whether a resource is served at a time. @param now milliseconds since 1970 */
export function isResourceServed(resourceType: string, json: string, now: number): boolean {
  // Only prior authorizations have an end.
  if (resourceType !== 'ExplanationOfBenefit') return true;
  return (priorAuthorizationServedUntil(JSON.parse(json)) ?? Number.POSITIVE_INFINITY) > now;
}

/**
 * The names of what a member doesn't share by the sensitive categories of granted scopes (docs/decisions/0053-label-resources-when-they-are-loaded.md),
 * and of what 42 CFR Part 2 protects: a member's consent to an application is not the written consent of 42 CFR 2.31.
 *
 * @param scope space-separated
 */
export function withheldByScope(labels: RecordLabels, scope: string): ReadonlySet<string> {
  // Most records have no label.
  return labels.size === 0 ? nothing : namesNotShared(labels, sharedCategories(scope));
}

const nothing: ReadonlySet<string> = new Set();

/** The entries of resources that are shared. */
export function sharedEntries(
  entries: readonly SearchEntry[],
  withheld: ReadonlySet<string>,
): readonly SearchEntry[] {
  return withheld.size === 0 ? entries : entries.filter((entry) => !withheld.has(nameOf(entry)));
}
