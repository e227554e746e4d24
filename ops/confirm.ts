/** Asks the person at a terminal before an act that can't be undone. */

import type { CommandContext } from './operation.ts';

/**
 * Whether an act is to be carried out: with `--yes`, where no person sits at a terminal (a script means what it says), or if the
 * person says so.
 *
 * @param question ends in a question mark, and names what is lost.
 */
export async function isConfirmed(
  { values, ask, note }: Pick<CommandContext, 'values' | 'ask' | 'note'>,
  question: string,
): Promise<boolean> {
  if (values.yes === true || ask === undefined) return true;
  if (/^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim())) return true;
  note('Nothing was done.');
  return false;
}
