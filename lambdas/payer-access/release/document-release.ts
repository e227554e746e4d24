/** Decides which documents are released: those that document a released resource. */

import { isCopiedToRecords } from '../../catalog/fhir/fhir-resources.ts';
import { nameOf } from '../../catalog/fhir/resource-name.ts';
import { localName } from '../../fhir/labels/local-names.ts';
import type { SearchEntry } from '../../fhir/values/patient-compartment.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';
import { type LabeledResource, type ReleaseCircumstances, withholdingRule } from './withholding-rule.ts';

/** A resource of a member's record. */
export interface ReadRecord extends LabeledResource {
  readonly entry: SearchEntry;
  /** Valid FHIR, serialized. */
  readonly json: string;
}

/** Withheld resources by name; `isLabeled` if the reason is a label, such as sensitive data. */
type Withheld = Map<string, { readonly isLabeled: boolean }>;

/** Records, each with the names of the resources it refers to. */
type NamedRecords = ReadonlyMap<ReadRecord, readonly string[]>;

/**
 * Types whose release depends on that of other resources, in the order in which they are decided: a Binary depends on DocumentReferences, a
 * Provenance on both.
 */
const followers = ['DocumentReference', 'Binary', 'Provenance'] as const;

/**
 * The names of the resources that the rules withhold. If the record has the resources that a document is about, the document depends on
 * them: it is released if one of them is, whatever the document's own date, and withheld if one of them is withheld for its label.
 *
 * @param until milliseconds since 1970; shared resources that only later versions refer to are withheld.
 */
export function withheldNames(
  records: readonly ReadRecord[],
  circumstances: ReleaseCircumstances,
  until = Number.POSITIVE_INFINITY,
): ReadonlySet<string> {
  const withheld: Withheld = new Map();
  const onlyByDate = new Set<string>();
  for (const { entry, ...labeled } of records) {
    const rule = withholdingRule(labeled, circumstances);
    if (rule === undefined) continue;
    withheld.set(nameOf(entry), { isLabeled: rule.isLabel ?? false });
    if (rule.isLabel) {
      for (const content of labeled.label?.contents ?? []) withheld.set(content, { isLabeled: true });
    }
    if (rule.name === 'service-date') onlyByDate.add(nameOf(entry));
  }
  const named = new Map(records.map((record) => [record, namesIn(record.resource)]));
  const subjects = subjectsOf(named);
  for (const type of followers) {
    for (const { entry } of records) {
      if (entry.resourceType !== type) continue;
      const name = nameOf(entry);
      const own = [...(subjects.get(name) ?? [])];
      // A Provenance of a labeled resource may be released; its withheld targets are masked.
      const labeled = type !== 'Provenance' && own.some((subject) => withheld.get(subject)?.isLabeled);
      if (labeled || (own.length > 0 && own.every((subject) => withheld.has(subject)))) {
        withheld.set(name, { isLabeled: labeled });
      } else if (own.length > 0 && onlyByDate.has(name)) {
        withheld.delete(name);
      }
    }
  }
  return new Set([...withheld.keys(), ...unnamedShared(named, withheld, until)]);
}

/**
 * Copies of shared resources, such as a practitioner or a medication, that no released resource refers to, directly or through another: the
 * record has them for a withheld resource.
 */
function unnamedShared(named: NamedRecords, withheld: Withheld, until: number): readonly string[] {
  const records = [...named.keys()];
  const unnamed = new Map(
    records
      .filter(({ entry }) => isCopiedToRecords(entry.resourceType))
      .map((each) => [nameOf(each.entry), each]),
  );
  const naming = records
    .filter(({ entry }) => !(isCopiedToRecords(entry.resourceType) || withheld.has(nameOf(entry))))
    .filter(({ entry }) => Date.parse(entry.lastUpdated) <= until);
  for (let each = naming.pop(); each !== undefined; each = naming.pop()) {
    for (const name of named.get(each) ?? []) {
      const shared = unnamed.get(name);
      if (shared === undefined || withheld.has(name)) continue;
      unnamed.delete(name);
      naming.push(shared);
    }
  }
  return [...unnamed.keys()];
}

/**
 * For each document, the names of the resources that it is about: those that refer to it, and the encounter and related resources that a
 * DocumentReference names.
 */
function subjectsOf(named: NamedRecords): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Set([...named.keys()].map(({ entry }) => nameOf(entry)));
  const subjects = new Map<string, Set<string>>();
  const add = (document: string, subject: string) => {
    if (!known.has(document) || !known.has(subject)) return;
    subjects.set(document, (subjects.get(document) ?? new Set()).add(subject));
  };
  for (const [{ entry, resource }, names] of named) {
    const name = nameOf(entry);
    if (entry.resourceType === 'Provenance') {
      for (const target of namesIn(jsonMember(resource, 'target'))) add(name, target);
      continue;
    }
    for (const referred of names) {
      if (/^(?:DocumentReference|Binary)\//.test(referred)) add(referred, name);
    }
    if (entry.resourceType !== 'DocumentReference') continue;
    const context = jsonMember(resource, 'context');
    const about = [
      ...jsonEntries(jsonMember(context, 'encounter')),
      ...jsonEntries(jsonMember(context, 'related')),
    ];
    for (const subject of namesIn(about)) add(name, subject);
  }
  return subjects;
}

/** The names (`Type/id`) in the references and URLs of a value. */
function namesIn(value: unknown, names: string[] = []): readonly string[] {
  if (typeof value !== 'object' || value === null) return names;
  for (const [member, child] of Object.entries(value)) {
    if (typeof child !== 'string') namesIn(child, names);
    else if (member === 'reference' || member === 'url') names.push(localName(child));
  }
  return names;
}

/**
 * Replaces the URLs of a resource's attachments by the documents themselves, as `data`: a payer can't read a Binary by itself, and a URL in
 * an export must lead to the document (Bulk Data Access 2.0.0, "Attachments").
 *
 * @param documents released Binaries by name
 */
export function withDocuments(value: unknown, documents: ReadonlyMap<string, unknown>): unknown {
  if (documents.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => withDocuments(entry, documents));
  const address = jsonMember(value, 'url');
  const data =
    typeof address === 'string' ? jsonMember(documents.get(localName(address)), 'data') : undefined;
  if (data !== undefined) {
    const { url: _url, ...attachment } = value as Record<string, unknown>;
    return { ...attachment, data };
  }
  return Object.fromEntries(
    Object.entries(value).map(([member, child]) => [member, withDocuments(child, documents)]),
  );
}
