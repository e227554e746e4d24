import uPlot from 'uplot';
import type { UsageView } from '../../../lambdas/portal/api/views.ts';

const halfDay = 43_200;

const wholeSteps = [0, 1, 2, 3, 4, 5, 6].flatMap((power) => [1, 2, 5].map((step) => step * 10 ** power));

/**
 * Draws the calls of each day as bars, in the page's colors.
 *
 * @returns a function that removes the chart.
 */
export function drawUsage(place: HTMLElement, usage: UsageView): () => void {
  const days = [...usage.days].sort((one, other) => one.date.localeCompare(other.date));
  const style = getComputedStyle(place);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--quiet'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: '13px sans-serif',
  };
  const height = 220;
  const chart = new uPlot(
    {
      width: Math.max(240, place.clientWidth),
      height,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        // Extends the axis by half a day on both sides, so that the first and the last bar are complete.
        x: { time: true, range: (_, from, to) => [from - halfDay, to + halfDay] },
        y: { range: (_, __, most) => [0, Math.max(1, most * 1.15)] },
      },
      // Days are in UTC, whatever the reader's time zone.
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      axes: [
        { ...axis, space: 70 },
        // Ticks at whole numbers of calls only.
        { ...axis, size: 56, incrs: wholeSteps },
      ],
      series: [
        {},
        {
          stroke: colour('--accent'),
          fill: colour('--accent'),
          points: { show: false },
          ...bars(),
        },
      ],
    },
    [days.map(({ date }) => Date.parse(date) / 1000), days.map(({ used }) => used)],
    place,
  );
  const observer = new ResizeObserver(() =>
    chart.setSize({ width: Math.max(240, place.clientWidth), height }),
  );
  observer.observe(place);
  return () => {
    observer.disconnect();
    chart.destroy();
  };
}

function bars(): { paths?: uPlot.Series.PathBuilder } {
  const paths = uPlot.paths.bars?.({ size: [0.6, 48] });
  return paths === undefined ? {} : { paths };
}
