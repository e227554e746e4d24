import type { Selection } from '../query/result-parameters.ts';
import { type JsonMember, jsonMembers, jsonObject } from './json-member-texts.ts';
import { always, choiceElements, elementNames, type SubsettedType } from './summary-elements.ts';

const tag = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue',
  code: 'SUBSETTED',
  display: 'subsetted',
};

/**
 * Reduces a resource to the elements that `_summary` or `_elements` selects, and tags it SUBSETTED (R4, search.html#summary and #elements).
 * Mandatory and modifier elements always stay.
 *
 * @param json the serialized resource.
 * @returns the same text if all elements are selected.
 */
export function subset(json: string, type: SubsettedType, selection: Selection): string {
  const kept = keptNames(type, selection);
  if (kept === undefined) return json;
  const members = jsonMembers(json);
  const chosen = members.filter(({ name }) => kept(elementOf(name)));
  // `contained` stays if a remaining element refers to a contained resource (`#x`).
  const inner = chosen.some(({ text }) => /"reference"\s*:\s*"#/.test(text));
  const contained = members.find(({ name }) => name === 'contained');
  const whole =
    inner && contained !== undefined && !chosen.includes(contained) ? [...chosen, contained] : chosen;
  return jsonObject(marked(whole));
}

function keptNames(type: SubsettedType, selection: Selection): ((name: string) => boolean) | undefined {
  const { summary, mandatory, modifiers } = elementNames[type];
  const oneOf = (names: readonly string[]) => (name: string) => [...always, ...names].includes(name);
  if (selection.elements !== undefined) return oneOf([...selection.elements, ...mandatory, ...modifiers]);
  if (selection.summary === 'true') return oneOf([...summary, ...modifiers]);
  if (selection.summary === 'text') return oneOf(['text', ...mandatory, ...modifiers]);
  if (selection.summary === 'data') return (name) => name !== 'text';
  return undefined;
}

/** The element that a JSON property belongs to: `birthDate` for `_birthDate`, `deceased` for `deceasedBoolean`. */
function elementOf(name: string): string {
  const plain = name.replace(/^_/, '');
  return choiceElements.find((choice) => new RegExp(`^${choice}[A-Z]`).test(plain)) ?? plain;
}

function marked(members: readonly JsonMember[]): readonly JsonMember[] {
  const meta = members.find(({ name }) => name === 'meta');
  if (meta === undefined) return [...members, { name: 'meta', text: JSON.stringify({ tag: [tag] }) }];
  return members.map((member) => (member === meta ? { name: 'meta', text: withTag(meta.text) } : member));
}

function withTag(meta: string): string {
  const members = jsonMembers(meta);
  const tags = members.find(({ name }) => name === 'tag');
  const before: unknown = tags === undefined ? [] : JSON.parse(tags.text);
  const all = [...(Array.isArray(before) ? before : []).filter((each) => each?.code !== tag.code), tag];
  return jsonObject([
    ...members.filter((member) => member !== tags),
    { name: 'tag', text: JSON.stringify(all) },
  ]);
}
