/** Finds the resources that a search includes with its matches (R4, search.html#include). */
import { type DirectoryType, isDirectoryType } from '../../catalog/fhir/directory-types.ts';
import { type Include, mostRounds } from '../../fhir/query/include.ts';
import { eachLink, type IndexedRow, type PublicationIndex } from '../publication/publication-index.ts';
import { elementNumber } from '../publication/publication-schema.ts';

/** Most resources included on one page; further ones are left out with a warning. */
export const mostIncluded = 1_000;

/** Follows the includes of a page's matches, in several rounds for includes that iterate. Each resource appears once on a page. */
export function readIncluded(
  index: PublicationIndex,
  includes: readonly Include[],
  matches: readonly IndexedRow[],
  type: DirectoryType,
): { readonly resources: readonly IndexedRow[]; readonly isCut: boolean } {
  const seen = new Set(matches.map(({ rid }) => rid));
  const included: number[] = [];
  let from: readonly number[] = [...seen];
  for (let round = 0; round <= mostRounds && from.length > 0; round += 1) {
    const followed = includes.filter((include) => round === 0 || include.iterate);
    const found = followed.flatMap((include) => {
      // In the first round only includes from the matches' type apply, even if an include that iterates names another type.
      if (round === 0 && include.direction === 'forward' && include.source !== type) return [];
      return follow(index, include, from);
    });
    const fresh = [...new Set(found)].filter((rid) => !seen.has(rid));
    const room = mostIncluded - included.length;
    for (const rid of fresh.slice(0, room)) {
      seen.add(rid);
      included.push(rid);
    }
    if (fresh.length > room) return { resources: index.rows(included), isCut: true };
    from = fresh;
  }
  return { resources: index.rows(included), isCut: false };
}

/** Numbers of the resources that one include adds, ascending; at most one more than a page may include. */
function follow(
  index: PublicationIndex,
  { direction, source, parameter, target }: Include,
  from: readonly number[],
): readonly number[] {
  if (!isDirectoryType(source)) return [];
  const element = elementNumber(source, parameter);
  const links = direction === 'forward' ? index.links(source, element) : index.backlinks(source, element);
  const found = new Set<number>();
  for (const rid of from) {
    eachLink(links, rid, (each) => {
      const isOfTarget = direction === 'reverse' || target === undefined || index.typeOf(each) === target;
      if (found.size <= mostIncluded && isOfTarget) found.add(each);
    });
  }
  return [...found].sort((a, b) => a - b);
}
