/** Admission to work of which a limited amount runs at once: first come first served for one owner, and owners in turn. */

/** Work that waits. */
export interface Waiting {
  readonly id: string;
  /** Among whom the turns are divided: a payer. */
  readonly owner: string;
  /** Its place among its owner's, such as the time it was accepted. */
  readonly since: string;
}

export interface WaitingLine {
  readonly waiting: readonly Waiting[];
  /** The owner of each that runs. */
  readonly running: readonly string[];
  /** Owners in the order in which they had their last turns, the latest at the end. */
  readonly recent: readonly string[];
  /** Most that may run at once. */
  readonly atOnce: number;
}

/**
 * Counts what has to end before one of the line may start; 0 where it may start now, 1 where it is the first in line.
 *
 * An owner's next goes before another's second. Of two owners with as many running, the one whose last turn is longer ago goes first. An owner
 * with a thousand in line delays another by one at most.
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
 * Seconds until work that has waited so long asks for its turn again: a twentieth of its wait. In two days these are 2,000 questions, of which each is
 * nine of the 25,000 events that an execution of Step Functions holds.
 */
export function secondsUntilAsked(waitedMs: number): number {
  return Math.min(mostSeconds, Math.max(fewestSeconds, Math.ceil(waitedMs / 20_000)));
}

/** Share of one running job in what is carried out at once; at least one. */
export function shareOf(mostAtOnce: number, running: number): number {
  return Math.max(1, Math.floor(mostAtOnce / Math.max(1, running)));
}
