/** SQL conditions on the table `value`, which has each distinct token or text of an element once. */

import type { Criterion, TokenQuery } from '../../fhir/query/criteria.ts';
import { fold } from '../../fhir/values/fold.ts';
import { every, type Sql, some, sql } from '../publication/sql.ts';

export function tokenCondition({ system, code }: TokenQuery): Sql {
  const conditions: Sql[] = [];
  if (code !== undefined) conditions.push(sql`folded = ${code.toLowerCase()}`);
  if (system !== undefined) conditions.push(sql`sid IN (SELECT sid FROM system WHERE system = ${system})`);
  return sql`(${every(conditions)})`;
}

/** Upper bound of a range of texts with a common beginning: the beginning, followed by this character. */
const last = '\u{10FFFF}';

export function textCondition(
  comparison: Extract<Criterion, { readonly kind: 'string' }>['comparison'],
  texts: readonly string[],
): Sql {
  const alternatives = texts.flatMap((text): readonly Sql[] => {
    const folded = fold(text);
    // A text that consists only of accents is empty after folding.
    if (folded === '') return [];
    if (comparison === 'exact') return [sql`(folded = ${folded} AND coalesce(exact, folded) = ${text})`];
    if (comparison === 'starts-with') return [sql`(folded >= ${folded} AND folded < ${folded + last})`];
    const contains = sql`instr(folded, ${folded}) > 0`;
    const trigrams = trigramsOf(folded);
    if (trigrams === undefined) return [contains];
    return [sql`(vid IN (SELECT rowid FROM value_text WHERE value_text MATCH ${trigrams}) AND ${contains})`];
  });
  return some(alternatives);
}

/** Makes the full-text query of a text: all its trigrams, each as a quoted phrase; undefined for fewer than three characters. */
function trigramsOf(folded: string): string | undefined {
  const letters = Array.from(folded);
  if (letters.length < 3) return undefined;
  const trigrams = letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(''));
  return [...new Set(trigrams)].map((each) => `"${each.replaceAll('"', '""')}"`).join(' AND ');
}
