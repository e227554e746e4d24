/** Request parameters as sent: every value of every name. A body's and a query's are never mixed. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

export const noParameters: Parameters = new Map();

/**
 * The value of a parameter that was sent once. A parameter without a value counts as not sent (RFC 6749 section 3.1), and so does a
 * repeated one: the check on repetition refuses the request, and until then neither value is used.
 */
export function parameterOf(parameters: Parameters, name: string): string | undefined {
  const values = parameters.get(name) ?? [];
  const [value] = values;
  return values.length === 1 && value !== '' ? value : undefined;
}

/** The values of a parameter that may be sent more than once; those sent without one count as not sent (section 3.2). */
export function valuesOf(parameters: Parameters, name: string): readonly string[] {
  return (parameters.get(name) ?? []).filter((value) => value !== '');
}

/** Parameters that may be sent more than once (RFC 8707 section 2). */
const mayRepeat: readonly string[] = ['resource'];

/**
 * Finds a parameter that was sent more than once. RFC 6749 sections 3.1 and 3.2 forbid it for every parameter, known here or not.
 *
 * @returns its name, or `a parameter` where the name can't stand in an error description (section 5.2).
 */
export function repeatedParameter(parameters: Parameters): string | undefined {
  const [name] = [...parameters].find(([each, { length }]) => length > 1 && !mayRepeat.includes(each)) ?? [];
  if (name === undefined) return undefined;
  return /^[a-z_]{1,40}$/.test(name) ? name : 'a parameter';
}
