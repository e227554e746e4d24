const minute = 60_000;
const units = [
  [24 * 60 * minute, 'day'],
  [60 * minute, 'hour'],
  [minute, 'minute'],
] as const;

/** Formats the age of a time in the largest whole unit: `3 minutes ago`. Less than a minute is `Just now`. */
export function agoText(at: string, now: number): string {
  const age = now - Date.parse(at);
  const [size, unit] = units.find(([size]) => age >= size) ?? [];
  if (size === undefined) return 'Just now';
  const count = Math.floor(age / size);
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}
