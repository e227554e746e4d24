/** The usage of one application in one environment, on its page: calls of each day against the daily quota of its plan. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { UsageView } from '../../../lambdas/portal/api/views.ts';
import { DataTable } from '../../components/display.tsx';
import { usageSummary } from './calls-model.ts';

const newestFirst = (one: Day, other: Day) => other.date.localeCompare(one.date);
type Day = UsageView['days'][number];

const count = (value: number) => value.toLocaleString('en-US');

/** Shows the calls of each day against the quota: as a sentence, a chart and a table. */
export function Usage({ usage }: { readonly usage: UsageView }) {
  const { quotaPerDay, requestsPerSecond, burst, days } = usage;
  return (
    <>
      <p>
        Your plan: {count(quotaPerDay)} calls per day, {requestsPerSecond} per second, burst of {burst}.{' '}
        {usageSummary(usage)}
      </p>
      <p class="quiet">
        A call counts when the gateway let it in with a key of the application, whatever it was answered. The
        count does not include calls that the gateway refused.
      </p>
      <div class="usage">
        {days.length > 0 && <Chart usage={usage} />}
        <DataTable
          compact
          numbers
          caption="Calls per day (UTC)"
          columns={['Day', 'Calls', 'Left']}
          rows={[...days].sort(newestFirst).map(({ date, used, remaining }) => ({
            key: date,
            cells: [date, count(used), count(remaining)],
          }))}
          empty="There is no usage data yet."
        />
      </div>
    </>
  );
}

/** The chart shows the same numbers as the table below, so it is hidden from assistive technology. */
function Chart({ usage }: { readonly usage: UsageView }) {
  const place = useRef<HTMLDivElement>(null);
  const dark = useDarkScheme();
  useEffect(() => {
    let gone = false;
    let remove = () => {};
    // The chart's library is loaded only on this page.
    void import('./usage-chart.ts').then(({ drawUsage }) => {
      if (!gone && place.current !== null) remove = drawUsage(place.current, usage);
    });
    return () => {
      gone = true;
      remove();
    };
  }, [usage, dark]);
  return <div ref={place} class="usage__chart" aria-hidden="true" />;
}

/** Whether the color scheme is dark. A canvas must be drawn again when the scheme changes. */
function useDarkScheme(): boolean {
  const [dark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => setDark(scheme.matches);
    scheme.addEventListener('change', follow);
    return () => scheme.removeEventListener('change', follow);
  }, []);
  return dark;
}
