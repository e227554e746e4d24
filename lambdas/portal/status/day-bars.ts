/** The last 90 days of some components: a bar for each day, and the same in words. */

import { html } from 'hono/html';
import { componentKinds, statusComponents } from '../catalog/status.ts';
import { checksOn, type Status } from './read-status.ts';
import type { CheckCounts, MeasuredDay } from './status-ports.ts';
import { counted, dateWords, shareWords } from './status-words.ts';

type Markup = ReturnType<typeof html>;

/** Level of a day: its bar differs by height as well as by color. */
const levels = {
  all: { height: 24, holds: ({ failed }: CheckCounts) => failed === 0 },
  most: { height: 16, holds: ({ answered, failed }: CheckCounts) => failed * 10 < answered + failed },
  fewer: { height: 8, holds: () => true },
} as const;
type Level = keyof typeof levels | 'unknown';

/** Height of the drawing, and of the line that stands for a day without measurements; width of a day and of its bar. */
const [whole, unknownHeight, dayWidth, barWidth] = [24, 2, 5, 4];

function levelOf(checks: CheckCounts | undefined): Level {
  if (checks === undefined) return 'unknown';
  return levels.all.holds(checks) ? 'all' : levels.most.holds(checks) ? 'most' : 'fewer';
}

/**
 * Renders the days of some components.
 *
 * @param ids of the components, which count together.
 */
export function dayBars({ days }: Status, ids: readonly string[]): Markup {
  const checks = days.map((day) => checksOn(day, ids));
  const measured = checks.flatMap((each) => each ?? []);
  if (measured.length === 0) return html`<p class="quiet">Not measured in the last ${days.length} days.</p>`;
  const all = measured.reduce((sum, { answered, failed }) => ({
    answered: sum.answered + answered,
    failed: sum.failed + failed,
  }));
  const words = `${shareWords(all)} of ${counted(all.answered + all.failed, 'check')} answered on ${counted(measured.length, 'measured day')} of the last ${days.length}`;
  return html`<svg class="day-bars" viewBox="0 0 ${days.length * dayWidth} ${whole}" preserveAspectRatio="none" aria-hidden="true">${bars(checks)}</svg>
<p class="day-bars__axis" aria-hidden="true"><span>${days.length} days ago</span><span>Today</span></p>
<p class="day-bars__words">${words}.</p>
${failedDays(days, ids)}`;
}

/** One path for each level, so that 90 bars are four elements. */
function bars(checks: readonly (CheckCounts | undefined)[]): readonly Markup[] {
  const paths = new Map<Level, string>();
  checks.forEach((each, at) => {
    const level = levelOf(each);
    const height = level === 'unknown' ? unknownHeight : levels[level].height;
    const bar = `M${at * dayWidth} ${whole}v-${height}h${barWidth}v${height}z`;
    paths.set(level, `${paths.get(level) ?? ''}${bar}`);
  });
  return [...paths].map(([level, path]) => html`<path class="day-bars__${level}" d="${path}"/>`);
}

/** The text alternative of the bars that are not whole: each day with failed checks, newest first. */
function failedDays(days: readonly MeasuredDay[], ids: readonly string[]): Markup | '' {
  const found = days.toReversed().filter((day) => (checksOn(day, ids)?.failed ?? 0) > 0);
  if (found.length === 0) return '';
  return html`<details><summary>${counted(found.length, 'day')} with failed checks</summary>
<ul>${found.map((day) => html`<li>${dateWords(day.date)}: ${failedComponents(day, ids)}</li>`)}</ul></details>`;
}

function failedComponents(day: MeasuredDay, ids: readonly string[]): string {
  return statusComponents
    .filter(({ id }) => ids.includes(id) && (day.components[id]?.failed ?? 0) > 0)
    .map(({ id, kind }) => {
      const { answered = 0, failed = 0 } = day.components[id] ?? {};
      return `${componentKinds[kind].name}, ${failed} of ${counted(answered + failed, 'check')} failed`;
    })
    .join('; ');
}
