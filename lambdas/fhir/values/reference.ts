/** Parses literal FHIR references. */

import { isFhirId } from '../../catalog/fhir/fhir-id.ts';

export interface NamedReference {
  /** The URL before the type; empty for a relative reference. */
  readonly base: string;
  /** `Type/id`. */
  readonly name: string;
}

const type = /^[A-Z][A-Za-z]{1,63}$/;
const address = /^https?:\/\/[^\s?#]+$/;
/** Most characters of a reference. */
const longest = 2048;

/**
 * Parses a literal reference to a resource, relative or absolute (R4, references.html#literal); a version is dropped.
 *
 * @returns undefined for a contained resource (`#x`), a `urn:`, or any other text.
 */
export function namedReference(text: unknown): NamedReference | undefined {
  if (typeof text !== 'string' || text.length > longest) return undefined;
  const parts = text.split('/');
  const named = parts.at(-2) === '_history' ? parts.slice(0, -2) : parts;
  const [resourceType = '', id = ''] = named.slice(-2);
  const base = named.slice(0, -2).join('/');
  const whole = named.length === 2 || address.test(base);
  return whole && type.test(resourceType) && isFhirId(id)
    ? { base, name: `${resourceType}/${id}` }
    : undefined;
}
