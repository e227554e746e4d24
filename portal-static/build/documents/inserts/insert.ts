/** The interface of inserts: parts of documentation pages that are generated from tables. */

import type { PublishedService } from '../../../../lambdas/catalog/published-service.ts';

/** Generates a part of a page. `argument`: the text after the insert's name, `refresh` in `{{token-parameters refresh}}`. */
export type Insert = (service: PublishedService, argument: string) => string;

export type Inserts = Readonly<Record<string, Insert>>;

/**
 * Looks up the argument in a table.
 *
 * @throws Error with the known names if the table has no such name.
 */
export function pick<Value>(table: Readonly<Record<string, Value>>, argument: string): Value {
  const found = table[argument];
  if (found === undefined) {
    throw new Error(`“${argument}” is not one of ${Object.keys(table).join(', ')}`);
  }
  return found;
}
