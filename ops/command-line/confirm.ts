/** Asks the person at a terminal before an act that can't be undone. */

import type { CommandContext } from './operation.ts';

/**
 * Whether to carry out an act: yes with `--yes`, without a terminal (a script has decided), or if the person confirms.
 *
 * @param question ends with a question mark, and names what will be lost.
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
