/** Keeps the last decision of this tab in memory, so that the page that follows can confirm it. */

export interface Taken {
  /** Path of the page of the application or account. */
  readonly href: string;
  readonly name: string;
  /** Confirmation: `Approved`, with further information. */
  readonly words: string;
  /** Path of the page that follows and shows the confirmation. */
  readonly followedBy: string;
}

let last: Taken | undefined;

export function keepTaken(taken: Taken): void {
  last = taken;
}

/** Returns the decision that led to a page; undefined for any other page. */
export function takenBefore(path: string): Taken | undefined {
  return last?.followedBy === path ? last : undefined;
}
