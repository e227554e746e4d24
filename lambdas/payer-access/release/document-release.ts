/** Release of documents with what they document. */

import { isCopiedToRecords } from '../../catalog/fhir/fhir-resources.ts';
import { nameOf } from '../../catalog/fhir/resource-name.ts';
import { localName } from '../../fhir/labels/local-names.ts';
import type { SearchEntry } from '../../fhir/values/patient-compartment.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';
import { type LabeledResource, type ReleaseCircumstances, withholdingRule } from './withholding-rule.ts';

/** A resource of a member, read. */
export interface ReadRecord extends LabeledResource {
  readonly entry: SearchEntry;
  /** Valid FHIR, serialized. */
  readonly json: string;
}

/** A resource that is withheld: whether for a label, such as sensitive data. */
type Withheld = Map<string, { readonly isLabeled: boolean }>;

/** Records with the names in each. */
type NamedRecords = ReadonlyMap<ReadRecord, readonly string[]>;

/** Types that follow others, in this order: a Binary follows the DocumentReference, and Provenance both. */
const followers = ['DocumentReference', 'Binary', 'Provenance'] as const;

/**
 * The names of the resources that the rules withhold. A document whose subjects are in the record follows them: it is released if
 * one of them is, whatever its own date, and withheld if one is withheld for its label.
 *
 * @param until milliseconds since 1970: what changed later names nothing that members share.
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
      // A Provenance loses the targets that are withheld.
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
 * Resources that members share, such as a practitioner or a medication, which no released resource names, not even through another: the
 * record has its copy for a resource that is withheld.
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

/** Names of what each document is about: the resources that refer to it, and the encounter and others that a DocumentReference names. */
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

/** Names (`Type/id`) of the references and addresses in a value. */
function namesIn(value: unknown, names: string[] = []): readonly string[] {
  if (typeof value !== 'object' || value === null) return names;
  for (const [member, child] of Object.entries(value)) {
    if (typeof child !== 'string') namesIn(child, names);
    else if (member === 'reference' || member === 'url') names.push(localName(child));
  }
  return names;
}

/**
 * A resource with the documents that its attachments point to as `data`, in place of the address: another payer reads no Binary by itself, and an
 * address in an export has to lead to the document (Bulk Data Access 2.0.0, "Attachments").
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
