import * as z from 'zod/mini';
import { jsonFault } from '../catalog/json-faults.ts';

const parametersResource = z.object({
  resourceType: z.literal('Parameters'),
  parameter: z.optional(z.array(z.looseObject({ name: z.string() }))),
});

/**
 * Reads the Parameters resource an operation is invoked with by POST (R4, operations.html#request): names with values of
 * primitive types, as the query of a GET has them.
 *
 * A Coding is read as `system|code`, a Reference as its literal reference.
 *
 * @returns undefined for any other JSON, and for a parameter that is a resource, another complex type or has parts.
 */
export function parametersOfResource(
  text: string,
): readonly (readonly [name: string, value: string])[] | undefined {
  const parsed = parametersResource.safeParse(parsedJson(text));
  if (!parsed.success) return undefined;
  const pairs = (parsed.data.parameter ?? []).map(({ name, ...rest }) => [name, primitiveOf(rest)] as const);
  return pairs.every((pair): pair is [string, string] => pair[1] !== undefined) ? pairs : undefined;
}

/** The value of the one member `value[x]`: `valueDate`, `valueInteger`. */
function primitiveOf(members: Readonly<Record<string, unknown>>): string | undefined {
  const [first, ...more] = Object.entries(members);
  if (first === undefined || more.length > 0 || !/^value[A-Z]/.test(first[0])) return undefined;
  if (first[0] === 'valueCoding') return codingText(first[1]);
  if (first[0] === 'valueReference') return referenceText(first[1]);
  return ['string', 'number', 'boolean'].includes(typeof first[1]) ? String(first[1]) : undefined;
}

const coding = z.looseObject({ system: z.optional(z.string()), code: z.string() });

function codingText(value: unknown): string | undefined {
  const read = coding.safeParse(value);
  if (!read.success) return undefined;
  const { system, code } = read.data;
  const escaped = (text: string) => text.replace(/[\\,|]/g, '\\$&');
  return system === undefined ? escaped(code) : `${escaped(system)}|${escaped(code)}`;
}

const reference = z.looseObject({ reference: z.string() });

function referenceText(value: unknown): string | undefined {
  const read = reference.safeParse(value);
  return read.success ? read.data.reference : undefined;
}

function parsedJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return jsonFault(text) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}
