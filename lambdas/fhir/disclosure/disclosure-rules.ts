/** Rules beside scopes that decide whether a resource is served: the end of a prior authorization's time, and sensitive categories. */

import { nameOf } from '../../catalog/fhir/resource-name.ts';
import { sharedCategories } from '../../catalog/fhir/sensitive-categories.ts';
import { namesNotShared, type RecordLabels } from '../values/label.ts';
import type { SearchEntry } from '../values/patient-compartment.ts';
import { priorAuthorizationServedUntil } from '../values/prior-authorization-period.ts';
import { servedName } from '../values/served-until.ts';

/**
 * Whether the resource of a search entry is served at a time.
 *
 * @param now milliseconds since 1970
 */
export function isEntryServed({ values }: SearchEntry, now: number): boolean {
  const [range] = values.dates[servedName] ?? [];
  return range === undefined || (range[1] ?? Number.POSITIVE_INFINITY) > now;
}

/** Whether a resource is served at a time. @param now milliseconds since 1970 */
export function isResourceServed(resourceType: string, json: string, now: number): boolean {
  // Only prior authorizations are served for a limited time.
  if (resourceType !== 'ExplanationOfBenefit') return true;
  return (priorAuthorizationServedUntil(JSON.parse(json)) ?? Number.POSITIVE_INFINITY) > now;
}

/**
 * The names (`Type/id`) of the resources that are withheld: those in a sensitive category that the granted scopes don't share
 * (docs/decisions/0053-label-resources-when-they-are-loaded.md), and those that 42 CFR Part 2 protects, because a member's consent to an
 * application is not the written consent of 42 CFR 2.31.
 *
 * @param scope space-separated
 */
export function withheldByScope(labels: RecordLabels, scope: string): ReadonlySet<string> {
  // Most records have no label.
  return labels.size === 0 ? nothing : namesNotShared(labels, sharedCategories(scope));
}

const nothing: ReadonlySet<string> = new Set();

/** Leaves out the entries of withheld resources. */
export function sharedEntries(
  entries: readonly SearchEntry[],
  withheld: ReadonlySet<string>,
): readonly SearchEntry[] {
  return withheld.size === 0 ? entries : entries.filter((entry) => !withheld.has(nameOf(entry)));
}
