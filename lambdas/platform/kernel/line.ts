/** Queue for work of which only a limited number may run at once. Each owner's work is in order of arrival, and owners take turns. */

/** An item in the queue. */
export interface Waiting {
  readonly id: string;
  /** The owner among whom turns are divided, such as a payer's application. */
  readonly owner: string;
  /** Order among the owner's own items, such as the time of acceptance. */
  readonly since: string;
}

export interface WaitingLine {
  readonly waiting: readonly Waiting[];
  /** Owners of the running items, one element for each item. */
  readonly running: readonly string[];
  /** Owners in the order of their last turns, the latest at the end. */
  readonly recent: readonly string[];
  /** Maximum number that may run at once. */
  readonly atOnce: number;
}

/**
 * Counts the items that must end before a waiting one may start: 0 if it may start now, 1 if it is the next.
 *
 * An owner's next item goes before another owner's second. Among owners with equally many running items, the one whose last turn is longest
 * ago goes first. So an owner with a thousand items delays another by at most one.
 */
export function aheadInLine(line: WaitingLine, id: string): number {
  const place = orderOf(line).findIndex((each) => each.id === id);
  return Math.max(0, place + line.running.length + 1 - line.atOnce);
}

function orderOf({ waiting, running, recent }: WaitingLine): readonly Waiting[] {
  const ranked = [...Map.groupBy(waiting, ({ owner }) => owner)].flatMap(([owner, own]) => {
    const before = running.filter((each) => each === owner).length;
    const lastTurn = recent.lastIndexOf(owner);
    return own.toSorted(byArrival).map((each, at) => ({ each, rank: before + at, lastTurn }));
  });
  return ranked
    .sort((a, b) => a.rank - b.rank || a.lastTurn - b.lastTurn || byArrival(a.each, b.each))
    .map(({ each }) => each);
}

function byArrival(a: Waiting, b: Waiting): number {
  if (a.since !== b.since) return a.since < b.since ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

const fewestSeconds = 5;
const mostSeconds = 90;

/**
 * Seconds until a waiting item asks for its turn again: a twentieth of the time it has waited. Two days of waiting take 2,000 questions,
 * each of which is nine of the 25,000 events that an execution of Step Functions may have.
 */
export function secondsUntilAsked(waitedMs: number): number {
  return Math.min(mostSeconds, Math.max(fewestSeconds, Math.ceil(waitedMs / 20_000)));
}

/** Share of one running job in the total concurrency; at least one. */
export function shareOf(mostAtOnce: number, running: number): number {
  return Math.max(1, Math.floor(mostAtOnce / Math.max(1, running)));
}
