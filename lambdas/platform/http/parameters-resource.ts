import { parseFaultlessJson } from '../kernel/json-faults.ts';
import * as s from '../kernel/shapes.ts';

const parametersResource = s.object({
  resourceType: s.oneOf(['Parameters']),
  parameter: s.maybe(s.arrayOf(s.looseObject({ name: s.text }))),
});

/**
 * Reads the Parameters resource in the body of an operation by POST (R4, operations.html#request): names and values of primitive types, as
 * they would be in the query of a GET. A Coding is read as `system|code`, a Reference as its literal reference.
 *
 * @returns undefined for any other JSON, and if a parameter is a resource, has parts, or is of another complex type.
 */
export function parametersOfResource(
  text: string,
): readonly (readonly [name: string, value: string])[] | undefined {
  const parsed = s.safeParse(parametersResource, parseFaultlessJson(text));
  if (parsed === undefined) return undefined;
  const pairs = (parsed.parameter ?? []).map(({ name, ...rest }) => [name, primitiveOf(rest)] as const);
  return pairs.every((pair): pair is [string, string] => pair[1] !== undefined) ? pairs : undefined;
}

/** The value of a parameter's only member `value[x]`: `valueDate`, `valueInteger`. */
function primitiveOf(members: Readonly<Record<string, unknown>>): string | undefined {
  const [first, ...more] = Object.entries(members);
  if (first === undefined || more.length > 0 || !/^value[A-Z]/.test(first[0])) return undefined;
  if (first[0] === 'valueCoding') return codingText(first[1]);
  if (first[0] === 'valueReference') return referenceText(first[1]);
  return ['string', 'number', 'boolean'].includes(typeof first[1]) ? String(first[1]) : undefined;
}

const coding = s.object({ system: s.maybe(s.text), code: s.text });

function codingText(value: unknown): string | undefined {
  const read = s.safeParse(coding, value);
  if (read === undefined) return undefined;
  const { system, code } = read;
  const escaped = (text: string) => text.replace(/[\\,|]/g, '\\$&');
  return system === undefined ? escaped(code) : `${escaped(system)}|${escaped(code)}`;
}

const reference = s.object({ reference: s.text });

function referenceText(value: unknown): string | undefined {
  return s.safeParse(reference, value)?.reference;
}
