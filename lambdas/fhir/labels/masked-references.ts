/** Masks the names of withheld resources in the resources that refer to them. */

import { jsonMember } from '../../platform/kernel/json-members.ts';
import { localName, mayNameOneOf } from './local-names.ts';
import { masked } from './masked.ts';

/**
 * Masks the names of withheld resources in a resource's JSON.
 *
 * @returns the same text if it contains none of the names.
 */
export function maskedJson(json: string, withheld: ReadonlySet<string>): string {
  return mayNameOneOf(json, withheld) ? JSON.stringify(maskReferences(JSON.parse(json), withheld)) : json;
}

/**
 * Masks a resource's references to withheld resources: ID, display and identifier are removed. URLs of withheld documents are masked too,
 * and so is every text in the resource that repeats the display of a masked reference. The narrative is removed, because it may repeat
 * anything. A Provenance loses its withheld targets.
 */
export function maskReferences(resource: unknown, withheld: ReadonlySet<string>): unknown {
  if (withheld.size === 0) return resource;
  const displays = new Set<string>();
  if (!collectDisplays(resource, withheld, displays)) return resource;
  return copy(resource, withheld, [...displays]);
}

/** Fewest characters of a display that is searched for in texts. Shorter ones occur in too many words. */
const shortestDisplay = 4;

/**
 * Collects the displays of references to withheld resources, in lower case.
 *
 * @returns whether the value contains such a reference or URL.
 */
function collectDisplays(value: unknown, withheld: ReadonlySet<string>, displays: Set<string>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  let isNaming = false;
  if (isNamed(jsonMember(value, 'reference'), withheld)) {
    isNaming = true;
    const display = jsonMember(value, 'display');
    if (typeof display === 'string' && display.trim().length >= shortestDisplay) {
      displays.add(display.trim().toLowerCase());
    }
  }
  if (isNamed(jsonMember(value, 'url'), withheld)) isNaming = true;
  for (const child of Object.values(value)) {
    if (collectDisplays(child, withheld, displays)) isNaming = true;
  }
  return isNaming;
}

function copy(value: unknown, withheld: ReadonlySet<string>, displays: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => copy(each, withheld, displays));
  if (typeof value !== 'object' || value === null) return value;
  if (isNamed(jsonMember(value, 'reference'), withheld)) return masked;
  const members: Record<string, unknown> = {};
  for (const [name, child] of Object.entries(value)) {
    if (name === 'text' && jsonMember(child, 'div') !== undefined) continue;
    const isHidden =
      (name === 'url' && isNamed(child, withheld)) ||
      (textElements.includes(name) && typeof child === 'string' && repeats(child, displays));
    if (isHidden) members[`_${name}`] = masked;
    else members[name] = copy(child, withheld, displays);
  }
  if (members.resourceType === 'Provenance' && Array.isArray(members.target)) {
    const kept = members.target.filter((target) => target !== masked);
    members.target = kept.length > 0 ? kept : [masked];
  }
  return members;
}

/** Elements with text for people, which may repeat a masked display. */
const textElements: readonly string[] = [
  ...['comment', 'conclusion', 'description', 'display', 'name', 'patientInstruction', 'text', 'title'],
  ...['valueMarkdown', 'valueString'],
];

function isNamed(address: unknown, withheld: ReadonlySet<string>): boolean {
  return typeof address === 'string' && withheld.has(localName(address));
}

function repeats(text: string, displays: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return displays.some((display) => lower.includes(display));
}
