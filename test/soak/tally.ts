/** Counts the calls of a soak by kind, and collects the promises that were broken. */

export interface KindCounts {
  readonly kind: string;
  readonly calls: number;
  /** Answers that say to come back later: 429, or 503 with Retry-After. */
  readonly later: number;
  /** Calls without an answer because the system was killed. */
  readonly unanswered: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Kind {
  later: number;
  unanswered: number;
  readonly ms: number[];
}

export class Tally {
  private readonly kinds = new Map<string, Kind>();
  private readonly brokenPromises = new Map<string, number>();

  private of(kind: string): Kind {
    const known = this.kinds.get(kind) ?? { later: 0, unanswered: 0, ms: [] };
    this.kinds.set(kind, known);
    return known;
  }

  answered(kind: string, ms: number): void {
    this.of(kind).ms.push(ms);
  }

  later(kind: string): void {
    this.of(kind).later += 1;
  }

  unanswered(kind: string): void {
    this.of(kind).unanswered += 1;
  }

  /** Returns the counts of a phase and starts the next phase at zero. */
  take(): readonly KindCounts[] {
    const { counts } = this;
    this.kinds.clear();
    return counts;
  }

  /** Records a broken promise. The same text is counted, not repeated. */
  broken(what: string): void {
    this.brokenPromises.set(what, (this.brokenPromises.get(what) ?? 0) + 1);
  }

  get breaches(): readonly string[] {
    return [...this.brokenPromises].map(([what, count]) => (count === 1 ? what : `${what} (${count} times)`));
  }

  get counts(): readonly KindCounts[] {
    return [...this.kinds]
      .map(([kind, { later, unanswered, ms }]) => ({
        kind,
        calls: ms.length,
        later,
        unanswered,
        p50Ms: percentile(ms, 50),
        p99Ms: percentile(ms, 99),
      }))
      .sort((a, b) => (a.kind < b.kind ? -1 : 1));
  }
}

/** Nearest-rank percentile; 0 for an empty list. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0;
}

/** Highest ratio of a call's 99th percentile under load to that of the idle system. */
export const timesOfIdle = 3;

/**
 * Describes the kinds of calls whose 99th percentile is more than three times that of the idle system, and the kinds that were not called.
 */
export function slowed(
  kinds: readonly string[],
  idle: readonly KindCounts[],
  meanwhile: readonly KindCounts[],
): readonly string[] {
  return kinds.flatMap((kind) => {
    const [before, during] = [idle, meanwhile].map((counts) => counts.find((each) => each.kind === kind));
    if (before === undefined || during === undefined) return [`${kind}: was not measured`];
    if (during.p99Ms <= timesOfIdle * before.p99Ms) return [];
    const [was, is] = [before.p99Ms, during.p99Ms].map(Math.round);
    return [`${kind}: p99 ${is} ms, more than ${timesOfIdle} times the ${was} ms of the idle system`];
  });
}

/** Server errors except 503 in the request log of `npm start`, such as `GET /Patient/{id} 500 …`, each with its count. */
export function serverErrors(requestLog: string): readonly string[] {
  const found = new Map<string, number>();
  for (const line of requestLog.split('\n')) {
    const [, method, host = '', route, status, because = ''] =
      /^\d\d:\d\d:\d\d\.\d{3} (\S+) (\S+) (\S+|\(no route\)) (5\d\d) \d+ ms \S+ ?(.*)$/.exec(line) ?? [];
    if (status === undefined || status === '503') continue;
    const what =
      `${method} ${host.replace(/^[a-z]+\.api\./, '<lob>.api.')} ${route} ${status} ${because}`.trim();
    found.set(what, (found.get(what) ?? 0) + 1);
  }
  return [...found].map(([what, count]) => (count === 1 ? what : `${what} (${count} times)`));
}

/** Defects in the logs of functions, such as `audit-verify: ThrottlingException`, each with its count. */
export function defects(functionLogs: string): readonly string[] {
  const found = new Map<string, number>();
  for (const line of functionLogs.split('\n')) {
    if (!line.includes('"code":"defect"')) continue;
    const [, route = '(no route)'] = /"route":"([^"]*)"/.exec(line) ?? [];
    const [, errorName = 'Error'] = /"errorName":"([^"]*)"/.exec(line) ?? [];
    const what = `${route}: ${errorName}`;
    found.set(what, (found.get(what) ?? 0) + 1);
  }
  return [...found].map(([what, count]) => (count === 1 ? what : `${what} (${count} times)`));
}
