/** Streams the resources of a matched member that another payer may have. */

import { nameOf } from '../../catalog/fhir/resource-name.ts';
import { isEntryServed } from '../../fhir/disclosure/disclosure-rules.ts';
import { maskReferences } from '../../fhir/labels/masked-references.ts';
import { scopeFilter } from '../../fhir/search/scope-filter.ts';
import type { RecordLabels } from '../../fhir/values/label.ts';
import type { PatientCompartment, SearchEntry } from '../../fhir/values/patient-compartment.ts';
import { jsonMember } from '../../platform/kernel/json-members.ts';
import type { ConsentPolicy } from '../permission/judge-consent.ts';
import type { MatchedMember } from '../permission/payer-group-port.ts';
import { claimWithoutAmounts } from './claim-without-amounts.ts';
import { type ReadRecord, withDocuments, withheldNames } from './document-release.ts';

/** Selects resources of a member's record. */
export interface ReleaseSelection {
  /** Resource types; undefined for all. */
  readonly types?: readonly string[] | undefined;
  /** Earliest and latest `lastUpdated`, milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly policy: ConsentPolicy;
  /** SMART scopes of the grant, `patient/…`. */
  readonly scope: string;
}

export interface ReleasedResource {
  readonly resourceType: string;
  readonly id: string;
  readonly versionId: string;
  /** ISO 8601. */
  readonly lastUpdated: string;
  /** Valid FHIR, serialized. */
  readonly json: string;
}

/** Number of resources read at once. */
const batch = 100;

/**
 * Streams the resources of a member that the scopes, the rules of disclosure and the release rules allow, by type and ID. The caller judges
 * the grant before, and records the disclosure before it sends a resource.
 *
 * @throws StoreUnavailable
 */
export async function* releasedResources(
  compartment: Pick<PatientCompartment, 'entries' | 'resources'>,
  { patientId, grantId }: MatchedMember,
  selection: ReleaseSelection,
  now: number,
): AsyncIterable<ReleasedResource> {
  const asked = { resourceType: undefined, references: false };
  const { entries, labels } = await compartment.entries(patientId, grantId, asked);
  // The partition may have several Patients; only the matched one is released.
  const own = entries.filter(({ resourceType, id }) => resourceType !== 'Patient' || id === patientId);
  const records = await readRecords(compartment, patientId, own, labels);
  const { policy, until } = selection;
  const withheld = withheldNames(records, { policy, now }, until);
  const isInScope = scopeFilter(selection.scope, 'r');
  const released = records
    .filter(({ entry }) => !withheld.has(nameOf(entry)) && isEntryServed(entry, now))
    .filter(({ entry }) => isInScope(entry));
  const documents = new Map(
    released
      .filter(({ entry }) => entry.resourceType === 'Binary')
      .map(({ entry, resource }) => [nameOf(entry), resource]),
  );
  const chosen = released
    .filter(({ entry }) => isSelected(entry, selection))
    .sort(({ entry: a }, { entry: b }) => compare(a.resourceType, b.resourceType) || compare(a.id, b.id));
  for (const { entry, resource } of chosen) {
    const { resourceType, id, versionId, lastUpdated } = entry;
    const json = JSON.stringify(releasedForm(withDocuments(maskReferences(resource, withheld), documents)));
    yield { resourceType, id, versionId, lastUpdated, json };
  }
}

async function readRecords(
  compartment: Pick<PatientCompartment, 'resources'>,
  patientId: string,
  entries: readonly SearchEntry[],
  labels: RecordLabels,
): Promise<readonly ReadRecord[]> {
  const records: ReadRecord[] = [];
  for (let from = 0; from < entries.length; from += batch) {
    const page = entries.slice(from, from + batch);
    const found = await compartment.resources(patientId, page);
    for (const [at, entry] of page.entries()) {
      const stored = found[at];
      if (stored === undefined) continue;
      const json = stored.fhirJson ?? stored.json;
      const resource: unknown = JSON.parse(json);
      records.push({ entry, json, resource, label: labels.get(nameOf(entry)) });
    }
  }
  return records;
}

/** The form in which a resource is released: a claim without amounts, any other resource unchanged. */
function releasedForm(resource: unknown): unknown {
  return jsonMember(resource, 'resourceType') === 'ExplanationOfBenefit'
    ? claimWithoutAmounts(resource as Readonly<Record<string, unknown>>)
    : resource;
}

function isSelected(entry: SearchEntry, { types, since, until }: ReleaseSelection): boolean {
  const changed = Date.parse(entry.lastUpdated);
  return (
    (types === undefined || types.includes(entry.resourceType)) &&
    (since === undefined || changed >= since) &&
    (until === undefined || changed <= until)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
