/** Operators' list of the asynchronous jobs of Payer Access. */

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { type Environment, environments } from '../../../lambdas/catalog/environments.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import type { JobView } from '../../../lambdas/portal/api/job-views.ts';
import { call, type Outcome } from '../../api/portal-client.ts';
import { ProblemAlert } from '../../components/alert.tsx';
import { DataTable, Tag, Time } from '../../components/display.tsx';
import { ListActions } from '../applications/parts.tsx';
import { Loaded, type Remote, useAct, useRemote } from '../applications/remote.tsx';
import { Console, FilterSelect } from './console.tsx';
import {
  type JobPlace,
  jobKindWords,
  jobPlace,
  jobStateWords,
  type LobJob,
  type LobJobs,
  lobWords,
  membersDone,
  mergedJobs,
} from './job-model.ts';

/** Jobs of an environment; the choice is in the address. */
export default function JobsPage() {
  const { query, path, route } = useLocation();
  const place = jobPlace(query);
  const { environment, lob } = place;
  const key = `${environment} ${lob}`;
  const lobs = lob === undefined ? lineOfBusinessCodes : [lob];
  const jobs = useRemote(
    () =>
      read(
        environment,
        [],
        lobs.map((one) => [one, undefined]),
      ),
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
        onChoose={(chosen) =>
          route(
            `${path}?environment=${chosen.environment}${chosen.lob === undefined ? '' : `&lob=${chosen.lob}`}`,
            true,
          )
        }
      />
      <Loaded remote={jobs} words="Loading jobs…">
        {(value) => <List key={key} first={value} place={place} remote={jobs} />}
      </Loaded>
    </Console>
  );
}

/**
 * Reads jobs of some LOBs and adds them to earlier ones. One LOB after the other: an environment's `job-operations` answers one call
 * at a time.
 */
async function read(
  environment: Environment,
  earlier: readonly LobJob[],
  positions: readonly (readonly [LineOfBusiness, string | undefined])[],
): Promise<Outcome<LobJobs>> {
  const lists = [];
  for (const [lob, after] of positions) {
    const outcome = await call('GET /api/operations/jobs/{environment}/{lob}', {
      path: { environment, lob },
      query: { after },
    });
    if (!outcome.ok) return outcome;
    lists.push({ ...outcome.value, lob });
  }
  return { ok: true, value: mergedJobs(earlier, lists) };
}

function PlaceChoice(props: { readonly place: JobPlace; readonly onChoose: (place: JobPlace) => void }) {
  const { place, onChoose } = props;
  return (
    <div class="filter">
      <FilterSelect
        label="Environment"
        value={place.environment}
        options={environments.map((value) => ({ value, label: value }))}
        onChoose={(environment) => onChoose({ ...place, environment })}
      />
      <FilterSelect
        label="Line of business"
        value={place.lob ?? ''}
        options={[
          { value: '', label: 'All' },
          ...lineOfBusinessCodes.map((value) => ({ value, label: value })),
        ]}
        onChoose={(lob) => onChoose(jobPlace({ ...place, lob }))}
      />
    </div>
  );
}

function List(props: {
  readonly first: LobJobs;
  readonly place: JobPlace;
  readonly remote: Remote<LobJobs>;
}) {
  const { first, place, remote } = props;
  const [more, setMore] = useState<LobJobs>();
  const { run, busy, problem = remote.problem } = useAct();
  const { jobs, next } = more ?? first;
  const positions = Object.entries(next) as [LineOfBusiness, string][];
  const older = async () => {
    const outcome = await run(() => read(place.environment, jobs, positions));
    if (outcome?.ok === true) setMore(outcome.value);
  };
  const where = `${lobWords(place)} in ${place.environment}`;
  return (
    <>
      <p role="status" class="quiet">
        {jobs.length > 0 &&
          `Showing ${jobs.length} ${jobs.length === 1 ? 'job' : 'jobs'}${positions.length === 0 ? '' : '. There are older ones.'}`}
      </p>
      <DataTable
        caption={`Jobs of ${where}, newest first`}
        columns={[
          'Job',
          'LOB',
          'State',
          'Members done',
          'Accepted',
          'Ended',
          'Expires',
          'Application',
          'Organization',
        ]}
        rows={jobs.map((job) => rowOf(job, place.environment))}
        empty={`There are no jobs of ${where}. A job stays here for nine days after it was accepted.`}
      />
      {problem !== undefined && <ProblemAlert problem={problem} />}
      <ListActions
        onRefresh={() => {
          setMore(undefined);
          remote.reload();
        }}
        older={positions.length === 0 ? undefined : { label: 'Older jobs', busy, onLoad: () => void older() }}
      />
    </>
  );
}

function rowOf(job: LobJob, environment: Environment) {
  const { jobId, lob, kind, state, acceptedAt, endedAt, expiresAt, application } = job;
  const { name, tag } = jobStateWords[state];
  return {
    key: `${lob} ${jobId}`,
    cells: [
      <a key="job" href={`/operations/jobs/${environment}/${lob}/${jobId}`}>
        {jobKindWords[kind]}
        <span class="usa-sr-only"> {jobId}</span>
      </a>,
      lob,
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
