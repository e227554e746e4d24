/** Reads and translates references in a resource of another payer. */

import { isPatientAccessType } from '../../catalog/fhir/fhir-resources.ts';
import { namedReference } from '../../fhir/values/reference.ts';
import { jsonMember } from '../../platform/kernel/json-members.ts';
import { type TranslationContext, translatedId } from './translation-context.ts';

type Json = Readonly<Record<string, unknown>>;

/** System of an identifier that is a URI (R4, datatypes.html#Identifier). */
const uriSystem = 'urn:ietf:rfc:3986';

/** A resource at the payer. */
interface PayerName {
  readonly type: string;
  readonly id: string;
}

/** The resource of the payer that a reference names: relative, or absolute below the payer's base, with or without a version. */
function payerName(text: unknown, base: string): PayerName | undefined {
  const named = namedReference(text);
  if (named === undefined || (named.base !== '' && named.base !== base)) return undefined;
  const [type = '', id = ''] = named.name.split('/');
  return { type, id };
}

/**
 * The Patients that a resource names, by their IDs at the payer; undefined for one that can't be told, such as a contained Patient or one of
 * another server.
 */
export function patientsNamed(value: unknown, base: string): ReadonlySet<string | undefined> {
  const found = new Set<string | undefined>();
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const reference = jsonMember(next, 'reference');
    if (typeof reference === 'string' && namesPatient(reference, jsonMember(next, 'type'))) {
      const name = payerName(reference, base);
      found.add(name?.type === 'Patient' ? name.id : undefined);
    }
    if (jsonMember(next, 'resourceType') === 'Patient') found.add(undefined);
    for (const child of Object.values(Object(next))) {
      if (typeof child === 'object' && child !== null) waiting.push(child);
    }
  }
  return found;
}

function namesPatient(reference: string, type: unknown): boolean {
  if (reference.startsWith('#')) return false;
  return type === 'Patient' || /(?:^|\/)Patient(?:[/?|#]|$)/.test(reference);
}

/**
 * Translates an element if it is a Reference.
 *
 * - The Patient becomes the member, a resource of a served type the received resource.
 * - Anything else (another server, a type that is not served, a search) becomes a logical reference: the address is its identifier, unless
 *   it has one. As a literal reference it could be taken for one of this server's own resources.
 * - A contained resource (`#x`) stays.
 *
 * @param patientId the member's Patient ID here.
 */
export function translatedReference(
  element: Json,
  context: TranslationContext,
  patientId: string | undefined,
): Json {
  const { reference: text, ...others } = element;
  if (typeof text !== 'string' || text.startsWith('#')) return element;
  const { fhirBase } = context.payer;
  const name = payerName(text, fhirBase);
  if (name?.type === 'Patient') return { ...others, reference: `Patient/${patientId}` };
  if (name !== undefined && isPatientAccessType(name.type)) {
    return { ...others, reference: `${name.type}/${translatedId(context, name.type, name.id)}` };
  }
  const value = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `${fhirBase}/${text}`;
  return { identifier: { system: uriSystem, value }, ...others };
}

/** Translates the address of an attachment that is a resource of the payer, such as a Binary; undefined for any other address. */
export function translatedAddress(url: unknown, context: TranslationContext): string | undefined {
  const name = payerName(url, context.payer.fhirBase);
  if (name === undefined || name.type === 'Patient' || !isPatientAccessType(name.type)) return undefined;
  return `${name.type}/${translatedId(context, name.type, name.id)}`;
}
