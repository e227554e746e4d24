/** Operators' list of the asynchronous jobs of Payer Access. */

import { useId, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { type Environment, environments } from '../../../lambdas/catalog/environments.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import type { JobListView, JobView } from '../../../lambdas/portal/api/job-views.ts';
import { call } from '../../api/portal-client.ts';
import { ProblemAlert } from '../../components/alert.tsx';
import { DataTable, Tag, Time } from '../../components/display.tsx';
import { ListActions } from '../applications/parts.tsx';
import { Loaded, type Remote, useAct, useRemote } from '../applications/remote.tsx';
import { Console } from './console.tsx';
import { jobKindWords, jobPlace, jobStateWords, membersDone } from './job-model.ts';

interface Place {
  readonly environment: Environment;
  readonly lob: LineOfBusiness;
}

/** Jobs of one line of business in one environment; the choice is in the address. */
export default function JobsPage() {
  const { query, path, route } = useLocation();
  const place = jobPlace(query);
  const { environment, lob } = place;
  const key = `${environment} ${lob}`;
  const jobs = useRemote(
    () => call('GET /api/operations/jobs/{environment}/{lob}', { path: { environment, lob } }),
    key,
  );
  return (
    <Console
      title="Jobs"
      path={path}
      lead="Matches of many members and exports, requested by applications of other payers."
    >
      <PlaceChoice
        place={place}
        onChoose={(chosen) => route(`${path}?environment=${chosen.environment}&lob=${chosen.lob}`, true)}
      />
      <Loaded remote={jobs} words="Loading jobs…">
        {(value) => <List key={key} first={value} place={place} remote={jobs} />}
      </Loaded>
    </Console>
  );
}

function PlaceChoice(props: { readonly place: Place; readonly onChoose: (place: Place) => void }) {
  const { place, onChoose } = props;
  const id = useId();
  return (
    <div class="filter">
      <div>
        <label class="usa-label" for={`${id}-environment`}>
          Environment
        </label>
        <select
          class="usa-select"
          id={`${id}-environment`}
          value={place.environment}
          onChange={({ currentTarget: { value } }) => onChoose(jobPlace({ ...place, environment: value }))}
        >
          {environments.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </div>
      <div>
        <label class="usa-label" for={`${id}-lob`}>
          Line of business
        </label>
        <select
          class="usa-select"
          id={`${id}-lob`}
          value={place.lob}
          onChange={({ currentTarget: { value } }) => onChoose(jobPlace({ ...place, lob: value }))}
        >
          {lineOfBusinessCodes.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </div>
    </div>
  );
}

function List(props: {
  readonly first: JobListView;
  readonly place: Place;
  readonly remote: Remote<JobListView>;
}) {
  const { first, place, remote } = props;
  const [more, setMore] = useState<JobListView>();
  const { run, busy, problem = remote.problem } = useAct();
  const { next } = more ?? first;
  const older = async () => {
    const outcome = await run(() =>
      call('GET /api/operations/jobs/{environment}/{lob}', { path: { ...place }, query: { after: next } }),
    );
    if (outcome?.ok !== true) return;
    const { jobs, ...rest } = outcome.value;
    setMore({ jobs: [...(more?.jobs ?? []), ...jobs], ...rest });
  };
  const jobs = [...first.jobs, ...(more?.jobs ?? [])];
  return (
    <>
      <p role="status" class="quiet">
        {jobs.length > 0 &&
          `Showing ${jobs.length} ${jobs.length === 1 ? 'job' : 'jobs'}${next === undefined ? '' : '. There are older ones.'}`}
      </p>
      <DataTable
        caption={`Jobs of ${place.lob} in ${place.environment}, newest first`}
        columns={[
          'Job',
          'State',
          'Members done',
          'Accepted',
          'Ended',
          'Expires',
          'Application',
          'Organization',
        ]}
        rows={jobs.map((job) => rowOf(job, place))}
        empty={`There are no jobs of ${place.lob} in ${place.environment}. A job stays here for nine days after it was accepted.`}
      />
      {problem !== undefined && <ProblemAlert problem={problem} />}
      <ListActions
        onRefresh={() => {
          setMore(undefined);
          remote.reload();
        }}
        older={next === undefined ? undefined : { label: 'Older jobs', busy, onLoad: () => void older() }}
      />
    </>
  );
}

function rowOf(job: JobView, { environment, lob }: Place) {
  const { jobId, kind, state, acceptedAt, endedAt, expiresAt, application } = job;
  const { name, tag } = jobStateWords[state];
  return {
    key: jobId,
    cells: [
      <a key="job" href={`/operations/jobs/${environment}/${lob}/${jobId}`}>
        {jobKindWords[kind]}
        <span class="usa-sr-only"> {jobId}</span>
      </a>,
      <Tag key="state" kind={tag}>
        {name}
      </Tag>,
      membersDone(job),
      <Time key="accepted" at={acceptedAt} />,
      endedAt === undefined ? '–' : <Time key="ended" at={endedAt} />,
      <Time key="expires" at={expiresAt} />,
      <ApplicationOf key="application" job={job} />,
      application?.company ?? '–',
    ],
  };
}

/** Link to the application of a job; its client ID where it was not registered in the portal. */
export function ApplicationOf({ job: { application, clientId } }: { readonly job: JobView }) {
  if (application === undefined) return <code>{clientId}</code>;
  return <a href={`/operations/applications/${application.applicationId}`}>{application.name}</a>;
}
