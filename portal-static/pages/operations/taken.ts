/** The decision that was taken last in this tab, for the page that follows it. */

export interface Taken {
  /** The page and the name of what was decided. */
  readonly href: string;
  readonly name: string;
  /** `Approved`, with what else there is to know. */
  readonly words: string;
  /** Path of the page that follows, which says so. */
  readonly followedBy: string;
}

let last: Taken | undefined;

export function keepTaken(taken: Taken): void {
  last = taken;
}

/** The decision that led to a page; undefined of any other page. */
export function takenBefore(path: string): Taken | undefined {
  return last?.followedBy === path ? last : undefined;
}
