/** Reads references from parsed FHIR JSON. */

import { isFhirId } from '../../catalog/fhir/fhir-id.ts';
import type { ResourceName } from '../../catalog/fhir/resource-name.ts';
import { jsonMember } from '../../platform/kernel/json-members.ts';
import { loadTypes } from '../ledger/load-types.ts';

/** A parsed FHIR resource or element, whose members have not been validated. */
export type FhirJson = Readonly<Record<string, unknown>>;

/** Parses a literal reference `<type>/<id>`; undefined for a type that can't be loaded. By default types of members' records can. */
export function readReference(
  text: unknown,
  isLoadedType = (type: string) => Object.hasOwn(loadTypes, type),
): ResourceName | undefined {
  if (typeof text !== 'string') return undefined;
  const [resourceType = '', id = '', ...more] = text.split('/');
  const isLoaded = more.length === 0 && isLoadedType(resourceType) && isFhirId(id);
  return isLoaded ? { resourceType, id } : undefined;
}

/** The ID of the Patient that an element, or the first such item of a list, refers to. */
export function patientReferred(element: unknown): string | undefined {
  return (Array.isArray(element) ? element : [element])
    .map((each) => readReference(jsonMember(each, 'reference')))
    .find((name) => name?.resourceType === 'Patient')?.id;
}

export interface FoundReference {
  /** Path of the `reference`: `item.0.provider.reference`. */
  readonly element: string;
  /** Undefined if the text is not a reference to a type that can be loaded. */
  readonly target: ResourceName | undefined;
}

/**
 * Lists the literal references of a resource that must lead to a resource on this server. Contained resources (`#…`) and other addresses
 * (`https://…`, `urn:…`) are left out. Not recursive, because a resource may be nested deeper than the call stack allows.
 */
export function referencesIn(
  resource: FhirJson,
  isLoadedType?: (type: string) => boolean,
): readonly FoundReference[] {
  const found: FoundReference[] = [];
  const waiting: { readonly value: object; readonly path: string }[] = [{ value: resource, path: '' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [name, value] of Object.entries(next.value)) {
      if (typeof value === 'object' && value !== null) waiting.push({ value, path: `${next.path}${name}.` });
      else if (name === 'reference' && typeof value === 'string' && !/^(#|https?:\/\/|urn:)/.test(value)) {
        found.push({ element: `${next.path}reference`, target: readReference(value, isLoadedType) });
      }
    }
  }
  return found;
}
