/** Page of an application's recent calls and quota. */

import { useId, useState } from 'preact/hooks';
import type { Environment } from '../../../lambdas/catalog/environments.ts';
import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import type { ApplicationView, CallView } from '../../../lambdas/portal/api/views.ts';
import { portalLimits } from '../../../lambdas/portal/catalog/limits.ts';
import { call } from '../../api/portal-client.ts';
import { ProblemAlert } from '../../components/alert.tsx';
import { DataTable, Tag, Time } from '../../components/display.tsx';
import { ApplicationFrame } from './application-frame.tsx';
import { type CallFilter, explain, matchesFilter } from './calls-model.ts';
import { EnvironmentTabs } from './environment-tabs.tsx';
import { ListActions, Marked } from './parts.tsx';
import { Loaded, useAct, useRemote } from './remote.tsx';
import { Usage } from './usage.tsx';

/** Page with the log of calls and the usage of the quota. */
export default function CallsPage() {
  return (
    <ApplicationFrame
      title="Calls"
      lead={`Calls in the last ${portalLimits.callLogDays} days. The log does not keep IDs, queries or bodies.`}
    >
      {(view) => (
        <EnvironmentTabs view={view} notYet="The application is not in production yet. There are no calls.">
          {(environment) => <Seen key={environment} view={view} environment={environment} />}
        </EnvironmentTabs>
      )}
    </ApplicationFrame>
  );
}

function Seen(props: { readonly view: ApplicationView; readonly environment: Environment }) {
  const path = { applicationId: props.view.applicationId, environment: props.environment };
  const usage = useRemote(
    () => call('GET /api/applications/{applicationId}/usage/{environment}', { path }),
    'usage',
  );
  const calls = useRemote(
    () => call('GET /api/applications/{applicationId}/calls/{environment}', { path }),
    'calls',
  );
  return (
    <>
      <section aria-labelledby="usage">
        <h2 id="usage">Usage and quota</h2>
        <Loaded remote={usage} words="Loading usage…">
          {(value) => <Usage usage={value} />}
        </Loaded>
      </section>
      <section aria-labelledby="log">
        <h2 id="log">Call log</h2>
        <Loaded remote={calls} words="Loading calls…">
          {(value) => (
            <Log
              first={value.calls}
              {...(value.next === undefined ? {} : { next: value.next })}
              path={path}
              reload={calls.reload}
            />
          )}
        </Loaded>
      </section>
    </>
  );
}

function Log(props: {
  readonly first: readonly CallView[];
  readonly next?: string;
  readonly path: { readonly applicationId: string; readonly environment: Environment };
  readonly reload: () => void;
}) {
  const [filter, setFilter] = useState<CallFilter>({ lob: '', outcome: 'all', text: '' });
  const [more, setMore] = useState<{ readonly calls: readonly CallView[]; readonly next?: string }>();
  const { run, busy, problem } = useAct();
  const next = more === undefined ? props.next : more.next;
  const earlier = async () => {
    const query = { next };
    const outcome = await run(() =>
      call('GET /api/applications/{applicationId}/calls/{environment}', { path: props.path, query }),
    );
    if (outcome?.ok !== true) return;
    const { calls, next: after } = outcome.value;
    setMore({ calls: [...(more?.calls ?? []), ...calls], ...(after === undefined ? {} : { next: after }) });
  };
  const all = [...props.first, ...(more?.calls ?? [])];
  const shown = all.filter((one) => matchesFilter(one, filter));
  return (
    <>
      <Filter filter={filter} onFilter={setFilter} />
      <p role="status" class="quiet">
        Showing {shown.length} of {all.length} calls.
      </p>
      <DataTable
        caption="Calls, newest first"
        columns={['Time', 'LOB', 'Route', 'Status', 'Code', 'Request ID']}
        rows={shown.map(rowOf)}
        empty={
          all.length === 0
            ? 'There are no calls yet. Calls appear here about a minute after you make them.'
            : 'No calls match the filter. Change or clear the filter.'
        }
      />
      {problem !== undefined && <ProblemAlert problem={problem} />}
      <ListActions
        onRefresh={() => {
          setMore(undefined);
          props.reload();
        }}
        older={
          next === undefined ? undefined : { label: 'Show earlier calls', busy, onLoad: () => void earlier() }
        }
      />
    </>
  );
}

function rowOf(one: CallView) {
  const why = explain(one);
  return {
    key: `${one.requestId} ${one.at}`,
    cells: [
      <Time key="at" at={one.at} />,
      one.lob ?? '–',
      <span key="route">
        <code>
          {one.method} {one.route}
        </code>
        {why !== undefined && (
          <details class="why">
            <summary>Why it was refused</summary>
            <p>
              <strong>Expected</strong> {why.expected}.<br />
              <strong>Received</strong> {why.received}.
            </p>
            <p>
              <Marked text={why.fix} />
            </p>
          </details>
        )}
      </span>,
      <Tag key="status" kind={one.status < 400 ? 'good' : 'bad'}>
        {one.status}
      </Tag>,
      one.responseType === undefined ? (
        '–'
      ) : (
        <code key="code" class="code">
          {one.responseType}
        </code>
      ),
      <code key="id" class="request-id">
        {one.requestId}
      </code>,
    ],
  };
}

function Filter(props: { readonly filter: CallFilter; readonly onFilter: (filter: CallFilter) => void }) {
  const { filter, onFilter } = props;
  const id = useId();
  return (
    <form class="filter" aria-label="Filter calls" onSubmit={(event) => event.preventDefault()}>
      <div>
        <label class="usa-label" for={`${id}-lob`}>
          Line of business
        </label>
        <select
          class="usa-select"
          id={`${id}-lob`}
          value={filter.lob}
          onChange={(event) => onFilter({ ...filter, lob: event.currentTarget.value })}
        >
          <option value="">All</option>
          {lineOfBusinessCodes.map((lob) => (
            <option key={lob}>{lob}</option>
          ))}
        </select>
      </div>
      <div>
        <label class="usa-label" for={`${id}-outcome`}>
          Outcome
        </label>
        <select
          class="usa-select"
          id={`${id}-outcome`}
          value={filter.outcome}
          onChange={(event) => onFilter({ ...filter, outcome: event.currentTarget.value })}
        >
          <option value="all">All</option>
          <option value="succeeded">Succeeded</option>
          <option value="refused">Refused</option>
        </select>
      </div>
      <div>
        <label class="usa-label" for={`${id}-text`}>
          Route, status or request ID
        </label>
        <input
          class="usa-input"
          type="search"
          id={`${id}-text`}
          value={filter.text}
          onInput={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
        />
      </div>
    </form>
  );
}
