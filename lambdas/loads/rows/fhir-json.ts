/** Reads members of parsed FHIR JSON. */

import { isFhirId } from '../../catalog/fhir/fhir-id.ts';
import type { ResourceName } from '../../catalog/fhir/resource-name.ts';
import { jsonMember } from '../../platform/kernel/json-members.ts';
import { loadTypes } from '../ledger/load-types.ts';

/** A parsed FHIR resource or element, whose members are checked one by one. */
export type FhirJson = Readonly<Record<string, unknown>>;

/** Reads a literal reference `<type>/<id>` to a type that can be loaded: by default, of members' records. */
export function readReference(
  text: unknown,
  isLoadedType = (type: string) => Object.hasOwn(loadTypes, type),
): ResourceName | undefined {
  if (typeof text !== 'string') return undefined;
  const [resourceType = '', id = '', ...more] = text.split('/');
  const isLoaded = more.length === 0 && isLoadedType(resourceType) && isFhirId(id);
  return isLoaded ? { resourceType, id } : undefined;
}

/** The id of the Patient that an element refers to; of a list, the first one's that does. */
export function patientReferred(element: unknown): string | undefined {
  return (Array.isArray(element) ? element : [element])
    .map((each) => readReference(jsonMember(each, 'reference')))
    .find((name) => name?.resourceType === 'Patient')?.id;
}

export interface FoundReference {
  /** Path of the `reference`: `item.0.provider.reference`. */
  readonly element: string;
  /** Undefined where the text is no reference to a type that can be loaded. */
  readonly target: ResourceName | undefined;
}

/**
 * The literal references of a resource that must lead somewhere on this server: not what is contained (`#…`) or lies
 * elsewhere (`https://…`, `urn:…`). Without recursion: nesting may be as deep as text can say.
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
