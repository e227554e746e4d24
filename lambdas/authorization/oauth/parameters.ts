/** Request parameters as sent: every value of every name, of the body or of the query, never of both. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

export const noParameters: Parameters = new Map();

/**
 * The value of a parameter that was sent once. An empty parameter counts as not sent (RFC 6749 section 3.1). A repeated one does too: the
 * request is refused by `repeatedParameter`, and no value is used before.
 */
export function parameterOf(parameters: Parameters, name: string): string | undefined {
  const values = parameters.get(name) ?? [];
  const [value] = values;
  return values.length === 1 && value !== '' ? value : undefined;
}

/** The values of a parameter that may be repeated, without empty ones (RFC 6749 section 3.2). */
export function valuesOf(parameters: Parameters, name: string): readonly string[] {
  return (parameters.get(name) ?? []).filter((value) => value !== '');
}

/** Parameters that may be repeated (RFC 8707 section 2). */
const mayRepeat: readonly string[] = ['resource'];

/**
 * Finds a repeated parameter. RFC 6749 sections 3.1 and 3.2 forbid repetition even of unknown parameters.
 *
 * @returns its name, or `a parameter` if the name has characters that an error description must not have (section 5.2).
 */
export function repeatedParameter(parameters: Parameters): string | undefined {
  const [name] = [...parameters].find(([each, { length }]) => length > 1 && !mayRepeat.includes(each)) ?? [];
  if (name === undefined) return undefined;
  return /^[a-z_]{1,40}$/.test(name) ? name : 'a parameter';
}
