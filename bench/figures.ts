/** One figure of a run of the benchmark, with its goal. */
export interface Row {
  readonly section: string;
  readonly what: string;
  readonly value: number;
  /** Unit of the figure: `ms CPU`, `KB`, `ratio`, `per second`, `round trips`, `read units` and others. */
  readonly unit: string;
  /** The limit of the figure: the highest value allowed, for rates the lowest. Absent if the figure has no limit. */
  readonly goal?: string;
  readonly reached?: boolean;
}

/** Returns a figure with an upper limit. */
export function atMost(row: Omit<Row, 'goal' | 'reached'>, limit: number): Row {
  return { ...row, goal: `≤ ${limit}`, reached: row.value <= limit };
}

/** Returns a figure with a lower limit. */
export function atLeast(row: Omit<Row, 'goal' | 'reached'>, limit: number): Row {
  return { ...row, goal: `≥ ${limit}`, reached: row.value >= limit };
}

/** Prints the rows as a text table for each section. */
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
