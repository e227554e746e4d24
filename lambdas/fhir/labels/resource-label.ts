/** Determines the sensitive categories of a resource from its codes and security labels, when the resource is loaded. */

import {
  mayBeSensitive,
  type SensitiveCategory,
  sensitiveCategories,
} from '../../catalog/fhir/sensitive-categories.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';
import type { Label, LabelCategory } from '../values/label.ts';
import { aboutName, type SearchValues, searchValues } from '../values/values.ts';
import { codeSystemOf, plainCode } from './code-systems.ts';
import { displayWords } from './display-words.ts';
import { localName } from './local-names.ts';
import { isPart2Record, part2Label } from './part-2-records.ts';
import { securityLabels } from './security-labels.ts';
import { sensitiveCodes } from './sensitive-codes.ts';

/** The search values of a resource with its label: everything that a load stores beside the resource. */
export function labeledValues(resource: unknown): SearchValues & { readonly label: Label } {
  const values = searchValues(resource);
  const about = aboutNames(resource);
  const references = about.length === 0 ? values.references : { ...values.references, [aboutName]: about };
  return { ...values, references, label: ownLabel(resource) };
}

/**
 * The label of a resource by its own content: every code in it and in its contained resources, and its security labels. A security label of
 * ActCode that is in no value set makes the resource `restricted`. Categories of the resources it is about are added later
 * (`label-growth.ts`).
 */
export function ownLabel(resource: unknown): Label {
  const found = new Set<LabelCategory>(isPart2Record(resource) ? ['part-2'] : []);
  const type = jsonMember(resource, 'resourceType');
  const contents = new Set<string>();
  const judged = typeof type === 'string' && mayBeSensitive(type);
  if (judged)
    for (const label of securityLabels(resource)) for (const each of ofLabel(label)) found.add(each);
  // A list instead of recursion: a resource may be nested deeper than the call stack allows.
  const waiting: unknown[] = judged ? [resource] : [];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const { system, code, display, url, reference } = value as Readonly<Record<string, unknown>>;
    if (typeof code === 'string') for (const each of ofCoding(system, code, display)) found.add(each);
    for (const address of [url, reference]) {
      const name = typeof address === 'string' ? localName(address) : '';
      if (name.startsWith('Binary/')) contents.add(name);
    }
    for (const child of Object.values(value)) waiting.push(child);
  }
  const categories = labelCategories.filter((category) => found.has(category));
  const held = categories.length > 0 && contents.size > 0;
  return { categories, ...(held && { contents: [...contents].sort() }) };
}

/** All categories, in the order in which a label lists them. */
const labelCategories: readonly LabelCategory[] = [...sensitiveCategories, 'part-2'];

/** Names of the resources that a resource is about, and whose categories it inherits. */
export function aboutNames(resource: unknown): readonly string[] {
  const type = jsonMember(resource, 'resourceType');
  const paths = [...aboutAny, ...((typeof type === 'string' && aboutOfType[type]) || [])];
  const names = paths.flatMap((path) =>
    elementsAt(resource, path.split('.')).flatMap((element) => {
      const reference = jsonMember(element, 'reference');
      return typeof reference === 'string' ? [localName(reference)] : [];
    }),
  );
  return [...new Set(names)].filter((name) => /^[A-Z][A-Za-z]+\//.test(name) && !name.startsWith('Patient/'));
}

/** Elements of any resource type that refer to the reason for it or to its parts. */
const aboutAny: readonly string[] = [
  'reasonReference',
  'addresses',
  'medicationReference',
  'diagnosis.condition',
  'diagnosis.diagnosisReference',
  'procedure.procedureReference',
];

/** Further elements that refer to what a resource is about, by resource type. */
const aboutOfType: Readonly<Record<string, readonly string[]>> = {
  MedicationDispense: ['authorizingPrescription'],
  DiagnosticReport: ['result'],
  DocumentReference: ['context.encounter', 'context.related'],
  Provenance: ['target'],
};

function elementsAt(value: unknown, [name, ...rest]: readonly string[]): readonly unknown[] {
  if (name === undefined) return [value];
  const child = jsonMember(value, name);
  const children = Array.isArray(child) ? jsonEntries(child) : [child];
  return children.flatMap((each) => elementsAt(each, rest));
}

interface JudgedSet {
  readonly category: SensitiveCategory;
  readonly holds: (code: string) => boolean;
}

/** The value sets, by code system. */
const bySystem = new Map<string, JudgedSet[]>();
for (const category of sensitiveCategories) {
  for (const { system, holds } of sensitiveCodes[category]) {
    bySystem.set(system, [...(bySystem.get(system) ?? []), { category, holds }]);
  }
}

function ofCoding(system: unknown, code: string, display: unknown): readonly SensitiveCategory[] {
  if (typeof system === 'string' && system.trim() !== '') {
    const meant = codeSystemOf(system);
    // ActCode is ignored here: other elements than security labels use it too, such as `Encounter.class`.
    if (meant === undefined || meant === 'act-code') return [];
    const found = ofCode(meant, code);
    return meant === 'snomed-ct' && found.length === 0 ? ofWords(display) : found;
  }
  // Without a system, only codes of an unmistakable form are compared: ICD-10-CM, LOINC and SNOMED CT.
  const plain = plainCode(code);
  if (/^[A-Z]\d[0-9A-Z](?:\.?[0-9A-Z]{1,4})?$/.test(plain)) return ofCode('icd-10-cm', code);
  if (/^\d{1,5}-\d$/.test(plain)) return ofCode('loinc', code);
  return /^\d{6,18}$/.test(plain) ? ofCode('snomed-ct', code) : [];
}

function ofCode(system: string, code: string): readonly SensitiveCategory[] {
  const plain = plainCode(code);
  return (bySystem.get(system) ?? []).flatMap(({ category, holds }) => (holds(plain) ? [category] : []));
}

function ofWords(display: unknown): readonly SensitiveCategory[] {
  if (typeof display !== 'string') return [];
  return displayWords.flatMap(([category, words]) => (words.test(display) ? [category] : []));
}

function ofLabel(label: unknown): readonly SensitiveCategory[] {
  const [system, code] = [jsonMember(label, 'system'), jsonMember(label, 'code')];
  if (typeof code !== 'string') return [];
  const meant = typeof system === 'string' ? codeSystemOf(system) : 'act-code';
  if (meant === undefined) return [];
  const found = ofCode(meant, code);
  const isUnknown =
    meant === 'act-code' && found.length === 0 && plainCode(code) !== part2Label.toUpperCase();
  return isUnknown ? ['restricted'] : found;
}
