/** Checks the references between resources of one member's load. */

import { isFhirId } from '../../catalog/fhir/fhir-id.ts';
import {
  isPatientAccessType,
  patientAccessTypes,
  servedResource,
} from '../../catalog/fhir/fhir-resources.ts';
import { nameOf, type ResourceName } from '../../catalog/fhir/resource-name.ts';
import { jsonMember } from '../../platform/kernel/json-members.ts';
import type { IngestIssue, MemberLoad } from './ingest-contract.ts';

/** A literal reference from a resource of a load to another resource on this server. */
export interface Reference extends ResourceName {
  /** Path of the reference in the load: `resources.3.json.provider.reference`. */
  readonly path: string;
}

/**
 * The references of a resource that must lead to a resource on this server. Contained resources (`#…`) and other servers (`https://…`) are
 * left out.
 *
 * @param content a parsed rendition of the resource; `path` is its path in the load.
 */
export function referencesOf(
  content: unknown,
  path: string,
): { readonly references: readonly Reference[]; readonly issues: readonly IngestIssue[] } {
  const references: Reference[] = [];
  const issues: IngestIssue[] = [];
  for (const found of literalReferences(content, path)) {
    if (/^(#|https?:\/\/)/.test(found.text)) continue;
    const [resourceType = '', id = '', ...more] = found.text.split('/');
    const isServed = more.length === 0 && isPatientAccessType(resourceType) && isFhirId(id);
    if (isServed) references.push({ path: found.path, resourceType, id });
    else issues.push({ path: found.path, message: expectedReference });
  }
  return { references, issues };
}

const expectedReference = `type and ID of a served resource (${patientAccessTypes.join(', ')}); contain other resources, or name them by identifier or URL`;

/** The issues of resources that don't name this patient: a feed's mistake must not put a claim into another member's record. */
export function subjectIssues(
  content: unknown,
  { resourceType }: ResourceName,
  patientId: string,
  path: string,
): readonly IngestIssue[] {
  const element = isPatientAccessType(resourceType) ? servedResource(resourceType).patientElement : undefined;
  if (element === undefined) return [];
  const named = jsonMember(content, element);
  const subjects = (Array.isArray(named) ? named : [named]).map((each) => jsonMember(each, 'reference'));
  if (subjects.includes(`Patient/${patientId}`)) return [];
  return [
    { path: `${path}.${element}.reference`, message: 'Patient/ followed by the patientId of the load' },
  ];
}

/** References to resources outside the load, which must be stored. */
export function outsideReferences(load: MemberLoad): readonly Reference[] {
  const inside = new Set(load.resources.map(nameOf));
  return load.resources
    .flatMap((resource, index) =>
      (['json', 'fhirJson'] as const).flatMap((rendition) => {
        const text = resource[rendition];
        return text === undefined
          ? []
          : referencesOf(JSON.parse(text), `resources.${index}.${rendition}`).references;
      }),
    )
    .filter((reference) => !inside.has(nameOf(reference)));
}

/**
 * Every `reference` element with a text, in document order. Not recursive, because a resource may be nested deeper than the call stack
 * allows.
 */
function* literalReferences(content: unknown, path: string): Generator<{ path: string; text: string }> {
  const waiting = [{ value: content, path }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path: at } = next;
    if (typeof value === 'string' && at.endsWith('.reference')) yield { path: at, text: value };
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, each] of Object.entries(value).reverse()) {
      waiting.push({ value: each, path: `${at}.${name}` });
    }
  }
}
