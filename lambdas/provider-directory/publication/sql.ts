/** SQL with its bound values. Texts of a request are bound, never written into a statement. */
export interface Sql {
  readonly text: string;
  readonly values: readonly BoundValue[];
}

export type BoundValue = string | number | null;
/** A value of a row. */
export type SqlValue = BoundValue | Uint8Array;

/** A statement of literal parts and values; a part that is itself SQL is put in with its values. */
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

/** Text that the code itself wrote: names and numbers. */
export function literal(text: string | number): Sql {
  return { text: String(text), values: [] };
}

/** @param empty what stands for no parts. */
export function joined(parts: readonly Sql[], separator: string, empty: string): Sql {
  const [first, ...rest] = parts;
  if (first === undefined) return literal(empty);
  return rest.reduce((all, part) => sql`${all}${literal(separator)}${part}`, first);
}

export const every = (conditions: readonly Sql[]) => joined(conditions, ' AND ', '1');
export const some = (conditions: readonly Sql[]) => sql`(${joined(conditions, ' OR ', '0')})`;
