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
 * @returns undefined for any other JSON, and for a parameter that is a resource, a complex type or has parts.
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
  return ['string', 'number', 'boolean'].includes(typeof first[1]) ? String(first[1]) : undefined;
}

function parsedJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return jsonFault(text) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}
