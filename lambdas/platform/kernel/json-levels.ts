/**
 * Whether a JSON value is nested deeper than a number of levels: a string is level 0, a list of strings level 1. It does not recurse, so it
 * can judge values that are too deep for `JSON.stringify`.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: readonly object[] = isContainer(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= levels) return true;
    level = level.flatMap((each) => Object.values(each).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
