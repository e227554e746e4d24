/** Makes the truth report of a publication: how many records are verified and complete, and which to correct. */
import type { FindingCode } from '../../catalog/fhir/directory-findings.ts';
import { type DirectoryType, directoryTypes } from '../../catalog/fhir/directory-types.ts';
import { fold } from '../../fhir/values/fold.ts';
import type { DirectoryPublication } from '../publication/publication.ts';
import { eachLink, indexOf, type PublicationIndex, someLink } from '../publication/publication-index.ts';
import { elementNumber } from '../publication/publication-schema.ts';
import { type CheckedResource, checkRecord, npisOf } from './record-checks.ts';
import type { RecordFault, RecordFinding, TruthReport, TypeReport } from './truth-report-contract.ts';

const day = 86_400_000;
/** If this share of a type's records has the same time, it is the time of an export, and no verification. */
const exportShare = 0.05;
/** Fewest records of that share: fewer records may really have been verified at the same time. */
const fewest = 20;

/**
 * Makes the report.
 *
 * @param found called for each finding, in the order of the publication.
 */
export function reportTruth(
  publication: DirectoryPublication,
  found: (finding: RecordFinding) => void,
  knownNpis?: { has(npi: string): boolean },
): TruthReport {
  const index = indexOf(publication);
  const types: Partial<Record<DirectoryType, TypeReport>> = {};
  const linked = checkLinks(index);
  for (const type of directoryTypes) {
    const isExport = exportTimes(index.updated(type));
    const duplicates = new Map<string, string>();
    const sums = { records: 0, verified30: 0, verified90: 0, clean: 0 };
    const findings: Partial<Record<FindingCode, number>> = {};
    for (const { rid, id, json } of index.each(type)) {
      const resource = JSON.parse(json) as CheckedResource;
      const updated = index.updated(type)[rid - index.range(type).first] ?? 0;
      const age = isExport(updated) ? Number.POSITIVE_INFINITY : publication.builtAt - updated;
      const all = [
        ...checkRecord(type, resource, knownNpis),
        ...(linked.get(rid) ?? []),
        ...checkDuplicate(index, type, rid, resource, duplicates, id),
        ...checkAge(age),
      ];
      sums.records += 1;
      if (age <= 30 * day) sums.verified30 += 1;
      if (age <= 90 * day) sums.verified90 += 1;
      if (all.length === 0) sums.clean += 1;
      for (const code of new Set(all.map((each) => each.code))) findings[code] = (findings[code] ?? 0) + 1;
      for (const finding of all) found({ resource: `${type}/${id}`, ...finding });
    }
    types[type] = { ...sums, findings };
  }
  const total = (name: 'records' | 'verified30' | 'verified90' | 'clean') =>
    Object.values(types).reduce((sum, each) => sum + each[name], 0);
  return {
    publication: publication.id,
    builtAt: new Date(publication.builtAt).toISOString(),
    comparedWithNppes: knownNpis !== undefined,
    types,
    records: total('records'),
    verified30: total('verified30'),
    verified90: total('verified90'),
    clean: total('clean'),
  };
}

function checkAge(age: number): readonly RecordFault[] {
  if (age === Number.POSITIVE_INFINITY) {
    return [
      { code: 'date_of_export', message: 'Its date is that of many records: of an export, not of a check.' },
    ];
  }
  if (age <= 90 * day) return [];
  return [
    { code: 'not_verified_90_days', message: `It was last verified ${Math.floor(age / day)} days ago.` },
  ];
}

/** Makes the test whether so many records share a time that it is the time of an export. */
function exportTimes(updated: Float64Array): (time: number) => boolean {
  const counts = new Map<number, number>();
  for (const time of updated) counts.set(time, (counts.get(time) ?? 0) + 1);
  const most = Math.max(fewest, updated.length * exportShare);
  return (time) => (counts.get(time) ?? 0) >= most;
}

/**
 * The finding of a record that repeats an earlier one.
 *
 * @param seen ID of the first record of each key so far.
 */
function checkDuplicate(
  index: PublicationIndex,
  type: DirectoryType,
  rid: number,
  resource: CheckedResource,
  seen: Map<string, string>,
  id: string,
): readonly RecordFault[] {
  const key = sameness(index, type, rid, resource);
  if (key === undefined) return [];
  const first = seen.get(key);
  if (first === undefined) {
    seen.set(key, id);
    return [];
  }
  return [{ code: 'duplicate', message: `It is the same as ${type}/${first}.` }];
}

/** A key that two records of the same person, place or role share; undefined for types that are not compared. */
function sameness(
  index: PublicationIndex,
  type: DirectoryType,
  rid: number,
  resource: CheckedResource,
): string | undefined {
  switch (type) {
    case 'Practitioner':
    case 'Organization':
      return npisOf(resource)[0];
    case 'Location':
      return fold(JSON.stringify([resource.name, resource.address]));
    case 'PractitionerRole': {
      const of = ['practitioner', 'organization', 'location', 'service', 'network'].map((name) => {
        const targets: number[] = [];
        eachLink(index.links(type, elementNumber(type, name)), rid, (target) => targets.push(target));
        return targets;
      });
      const { specialty, code } = resource as { readonly specialty?: unknown; readonly code?: unknown };
      return JSON.stringify([of, specialty, code]);
    }
    default:
      return undefined;
  }
}

/** Findings about missing links between networks, plans and providers, by resource number. */
function checkLinks(index: PublicationIndex): ReadonlyMap<number, readonly RecordFault[]> {
  const found = new Map<number, RecordFault[]>();
  const add = (rid: number, code: FindingCode, message: string) =>
    found.set(rid, [...(found.get(rid) ?? []), { code, message }]);
  const any = () => true;
  const plansOf = index.backlinks('InsurancePlan', elementNumber('InsurancePlan', 'network'));
  const membersOf = (['PractitionerRole', 'OrganizationAffiliation'] as const).map((type) =>
    index.backlinks(type, elementNumber(type, 'network')),
  );
  for (const rid of networks(index)) {
    if (!someLink(plansOf, rid, any)) add(rid, 'network_without_plan', 'No plan names this network.');
    if (!membersOf.some((members) => someLink(members, rid, any))) {
      add(rid, 'network_without_providers', 'No provider is in this network.');
    }
  }
  const without = (type: DirectoryType, code: FindingCode, message: string) => {
    const links = index.links(type, elementNumber(type, 'network'));
    const { first, last } = index.range(type);
    for (let rid = first; rid <= last; rid += 1) if (!someLink(links, rid, any)) add(rid, code, message);
  };
  without('InsurancePlan', 'plan_without_network', 'It names no network.');
  without('PractitionerRole', 'provider_without_network', 'It is in no network.');
  return found;
}

/** Numbers of the Organizations whose type is a network. */
function networks(index: PublicationIndex): readonly number[] {
  const rids: number[] = [];
  for (const { rid, json } of index.each('Organization')) if (json.includes('"ntwk"')) rids.push(rid);
  return rids;
}
