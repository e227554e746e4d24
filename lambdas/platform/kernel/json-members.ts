/**
 * Parses a JSON text.
 *
 * @returns undefined for any other text.
 */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON object's member; undefined if the value is no object or has no such member. */
export function jsonMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** The elements of a JSON array; empty for any other value. */
export function jsonEntries(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
