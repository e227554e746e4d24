/** SQL with bound values. A text from a request is always bound, never part of the statement. */
export interface Sql {
  readonly text: string;
  readonly values: readonly BoundValue[];
}

export type BoundValue = string | number | null;
/** A value in a result row. */
export type SqlValue = BoundValue | Uint8Array;

/** Makes a statement from a template. Values are bound; a value that is SQL itself is inserted with its own bound values. */
export function sql(parts: TemplateStringsArray, ...values: readonly (Sql | BoundValue)[]): Sql {
  let text = parts[0] ?? '';
  const bound: BoundValue[] = [];
  values.forEach((value, index) => {
    if (typeof value === 'object' && value !== null) {
      text += value.text;
      bound.push(...value.values);
    } else {
      text += '?';
      bound.push(value);
    }
    text += parts[index + 1] ?? '';
  });
  return { text, values: bound };
}

/** SQL text written by this code: names and numbers only. */
export function literal(text: string | number): Sql {
  return { text: String(text), values: [] };
}

/**
 * Joins SQL parts.
 *
 * @param empty SQL text for an empty list.
 */
export function joined(parts: readonly Sql[], separator: string, empty: string): Sql {
  const [first, ...rest] = parts;
  if (first === undefined) return literal(empty);
  return rest.reduce((all, part) => sql`${all}${literal(separator)}${part}`, first);
}

export const every = (conditions: readonly Sql[]) => joined(conditions, ' AND ', '1');
export const some = (conditions: readonly Sql[]) => sql`(${joined(conditions, ' OR ', '0')})`;
