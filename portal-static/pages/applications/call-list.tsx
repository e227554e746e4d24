/** The log of calls: its filter, its list, and the switch that follows new calls. */

import { useId, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { CallView } from '../../../lambdas/portal/api/views.ts';
import { ProblemAlert } from '../../components/alert.tsx';
import { DataTable, Tag, Time } from '../../components/display.tsx';
import { Progress } from '../../components/progress.tsx';
import { CallFilterForm } from './call-filter.tsx';
import {
  type CallFilterFields,
  callsAddress,
  filterErrors,
  filterOf,
  isFiltered,
} from './call-filter-model.ts';
import { errorsAddress, explain, isRefused } from './calls-model.ts';
import { ListActions, Marked } from './parts.tsx';
import { type Calls, type CallsPath, useCalls } from './use-calls.ts';

/** The log of an application's calls in an environment. The filter is in the page's address, so that a reload keeps it. */
export function CallList({ path }: { readonly path: CallsPath }) {
  const location = useLocation();
  const [filter, setFilter] = useState(() => filterOf(location.query));
  const [live, setLive] = useState(false);
  const calls = useCalls(path, filter, live);
  const apply = (wanted: CallFilterFields) => {
    history.replaceState(history.state, '', callsAddress(location.path, path.environment, wanted));
    setFilter(wanted);
    // The same filter again reads the log again.
    if (JSON.stringify(wanted) === JSON.stringify(filter)) void calls.reload();
  };
  const { listed, problem, reading, reload, earlier } = calls;
  return (
    <>
      <CallFilterForm filter={filter} onFilter={apply} errors={filterErrors(problem)} />
      <LiveSwitch live={live} onLive={setLive} />
      <p role="status" class="quiet">
        {statusOf(calls, live)}
      </p>
      {listed === undefined && problem === undefined && <Progress words="Loading calls…" />}
      {listed !== undefined && (
        <DataTable
          caption="Calls, newest first"
          columns={['Time', 'LOB', 'Call', 'Status', 'Reason', 'Latency']}
          rows={listed.calls.map(rowOf)}
          empty={
            isFiltered(filter)
              ? 'No calls match the filter. Change or clear the filter.'
              : 'There are no calls yet. Calls appear here some seconds after you make them.'
          }
        />
      )}
      {problem !== undefined && <ProblemAlert problem={problem} retry={() => void reload()} />}
      <ListActions
        onRefresh={() => void reload()}
        older={
          listed?.next === undefined
            ? undefined
            : {
                label: 'Show earlier calls',
                busy: reading === 'earlier',
                onLoad: () => void earlier(),
              }
        }
      />
    </>
  );
}

function statusOf({ listed, reading, found }: Calls, live: boolean): string {
  if (listed === undefined) return '';
  const { length } = listed.calls;
  const count = `${length} ${length === 1 ? 'call' : 'calls'}`;
  const more = listed.next === undefined ? '' : ' There may be earlier ones.';
  if (reading === 'first') return 'Reading the log…';
  if (!live) return `${count}.${more}`;
  if (found === undefined || found === 0) return `${count}.${more} Waiting for new calls.`;
  return `${count}.${more} ${found} new.`;
}

function LiveSwitch(props: { readonly live: boolean; readonly onLive: (live: boolean) => void }) {
  const id = useId();
  return (
    <div class="usa-checkbox live-switch">
      <input
        class="usa-checkbox__input"
        type="checkbox"
        role="switch"
        id={id}
        checked={props.live}
        aria-checked={props.live}
        aria-describedby={`${id}-hint`}
        onChange={(event) => props.onLive(event.currentTarget.checked)}
      />
      <label class="usa-checkbox__label" for={id}>
        Follow new calls
      </label>
      <p class="quiet" id={`${id}-hint`}>
        Looks for new calls every 10 to 40 seconds while this page is visible.
      </p>
    </div>
  );
}

function rowOf(one: CallView) {
  const why = explain(one);
  return {
    key: `${one.requestId} ${one.at}`,
    cells: [
      <Time key="at" at={one.at} seconds />,
      one.lob ?? '–',
      <span key="call">
        <code>
          {one.method} {one.route}
        </code>
        <span class="call-id">
          Request ID <code class="request-id">{one.requestId}</code>
        </span>
        {why !== undefined && (
          <details class="why">
            <summary>Why it was refused</summary>
            <p>
              <strong>Expected</strong> <Marked text={why.expected} />.<br />
              <strong>Received</strong> <Marked text={why.received} />.
            </p>
            <p>
              <Marked text={why.fix} />
            </p>
          </details>
        )}
      </span>,
      <Tag key="status" kind={isRefused(one) ? 'bad' : 'good'}>
        {one.status}
      </Tag>,
      why === undefined ? (
        '–'
      ) : (
        <a key="reason" href={errorsAddress(one)}>
          <code class="code">{one.reason ?? one.responseType ?? `HTTP ${one.status}`}</code>
        </a>
      ),
      <span key="latency" class="latency">
        {one.latencyMs === undefined ? '–' : `${one.latencyMs.toLocaleString('en-US')} ms`}
      </span>,
    ],
  };
}
