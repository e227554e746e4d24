/** Finds elements of a Consent that this service can't honor. */

import { honoredConsentElements } from '../../catalog/payer/payer-consent-rules.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';

/** Elements that any element may contain. */
const everywhere = ['id', 'extension'];
/** Elements that may change the meaning of others (R4, extensibility.html#modifierExtension, resource.html#implicitRules). */
const modifiers = ['modifierExtension', 'implicitRules'];

/**
 * The path of the first element that is not in the table of honored elements, or that changes the meaning of others; undefined if there is
 * none.
 */
export function unhonoredElement(consent: unknown): string | undefined {
  for (const [path, names] of Object.entries(honoredConsentElements)) {
    for (const each of objectsAt(consent, path.split('.').slice(1))) {
      const other = membersOf(each).find(([name]) => !names.includes(name) && !everywhere.includes(name));
      if (other !== undefined) return `${path}.${other[0]}`;
    }
  }
  return modifierIn(consent, 'Consent');
}

/** The values at a path; the items of a list are separate values. */
function objectsAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const each = Array.isArray(value) ? value : [value];
  const [name, ...rest] = path;
  return name === undefined ? each : each.flatMap((one) => objectsAt(jsonMember(one, name), rest));
}

function modifierIn(value: unknown, path: string): string | undefined {
  for (const [name, member] of membersOf(value)) {
    const at = Array.isArray(value) ? path : `${path}.${name}`;
    const found = modifiers.includes(name) ? at : modifierIn(member, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function membersOf(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return entries.filter(([, member]) => member !== undefined);
}

/** The contained resource that a reference such as `#org` names. */
export function containedResource(resource: unknown, reference: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
  return jsonEntries(jsonMember(resource, 'contained')).find(
    (each) => jsonMember(each, 'id') === reference.slice(1),
  );
}
