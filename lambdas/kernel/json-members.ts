/** Member of a JSON object; undefined where the value is no object or has no such member. */
export function jsonMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** Entries of a JSON list; none of any other value. */
export function jsonEntries(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
