/** Interface of inserts: parts of documentation pages made from tables. */

import type { PublishedService } from '../../../../lambdas/catalog/published-service.ts';

/** Makes a part of a page from the tables. `argument` is what follows the name: `{{token-parameters refresh}}`. */
export type Insert = (service: PublishedService, argument: string) => string;

export type Inserts = Readonly<Record<string, Insert>>;

/** A value of a table by the argument. @throws Error naming what there is, where the page asks for something else. */
export function pick<Value>(table: Readonly<Record<string, Value>>, argument: string): Value {
  const found = table[argument];
  if (found === undefined) {
    throw new Error(`“${argument}” is not one of ${Object.keys(table).join(', ')}`);
  }
  return found;
}
