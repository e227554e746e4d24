/** One figure of a run. */
export interface Row {
  readonly section: string;
  readonly what: string;
  readonly value: number;
  /** `ms CPU`, `KB`, `ratio`, `per second`, `round trips`, `read units` … */
  readonly unit: string;
  /** The goal: the most (or, for rates, the least) the figure may be; absent if there is none. */
  readonly goal?: string;
  readonly reached?: boolean;
}

/** A figure with an upper limit. */
export function atMost(row: Omit<Row, 'goal' | 'reached'>, limit: number): Row {
  return { ...row, goal: `≤ ${limit}`, reached: row.value <= limit };
}

/** A figure with a lower limit. */
export function atLeast(row: Omit<Row, 'goal' | 'reached'>, limit: number): Row {
  return { ...row, goal: `≥ ${limit}`, reached: row.value >= limit };
}

/** Prints the rows for people, a block a section. */
export function printTable(rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ what }) => what.length));
  let section = '';
  for (const row of rows) {
    if (row.section !== section) {
      section = row.section;
      console.log(`\n${section}`);
    }
    const verdict = row.reached === undefined ? '' : row.reached ? 'reached' : 'MISSED';
    console.log(
      `  ${row.what.padEnd(width)}  ${format(row.value).padStart(10)} ${row.unit.padEnd(12)} ${(row.goal ?? '').padEnd(8)} ${verdict}`.trimEnd(),
    );
  }
}

function format(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
