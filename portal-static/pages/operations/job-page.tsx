/** Operators' page of one asynchronous job: its state, its files, and its cancellation. */

import { useEffect, useRef } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { JobDetailView } from '../../../lambdas/portal/api/job-views.ts';
import { call } from '../../api/portal-client.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { Page } from '../../app/page.tsx';
import { ProblemAlert } from '../../components/alert.tsx';
import { DataTable, Facts, Tag, Time } from '../../components/display.tsx';
import { ActProblem } from '../applications/act-problem.tsx';
import { ConfirmButton } from '../applications/parts.tsx';
import { Loaded, type Remote, useAct, useRemote } from '../applications/remote.tsx';
import { jobAct, jobKindWords, jobStateWords, membersDone } from './job-model.ts';
import { ApplicationOf } from './jobs-page.tsx';

interface JobPath extends Record<string, string> {
  readonly environment: string;
  readonly lob: string;
  readonly jobId: string;
}

export default function JobPage() {
  const { environment = '', lob = '', jobId = '' } = useRoute().params;
  const path = { environment, lob, jobId };
  const remote = useRemote(
    () => call('GET /api/operations/jobs/{environment}/{lob}/{jobId}', { path }),
    `${environment} ${lob} ${jobId}`,
  );
  return (
    <Loaded remote={remote} words="Loading the job…">
      {(job) => (
        <Page
          title={jobKindWords[job.kind]}
          over={
            <>
              <a href={`/operations/jobs?environment=${environment}&lob=${lob}`}>
                Jobs of {lob} in {environment}
              </a>{' '}
              <Tag kind={jobStateWords[job.state].tag}>{jobStateWords[job.state].name}</Tag>
            </>
          }
          lead={jobStateWords[job.state].meaning}
          width="wide"
        >
          <Cancel job={job} path={path} remote={remote} />
          <JobFacts job={job} />
          <h2>Files</h2>
          <DataTable
            caption="Files by part"
            columns={['File', 'Part', 'List', 'Lines']}
            rows={(jobStateWords[job.state].hasFiles ? job.parts : []).flatMap(({ part, files }) =>
              files.map(({ name, list, count }) => ({
                key: name,
                cells: [
                  <code key="name">{name}</code>,
                  part === 0 ? 'All members' : String(part),
                  list,
                  count.toLocaleString('en-US'),
                ],
              })),
            )}
            empty="There are no files."
          />
        </Page>
      )}
    </Loaded>
  );
}

function Cancel(props: {
  readonly job: JobDetailView;
  readonly path: JobPath;
  readonly remote: Remote<JobDetailView>;
}) {
  const { job, path, remote } = props;
  const { run, busy, problem } = useAct();
  const announce = useAnnounce();
  const heading = useRef<HTMLHeadingElement>(null);
  const decided = useRef(false);
  const words = jobAct(job.state);
  useEffect(() => {
    // The focused button was removed, so the focus moves to the heading.
    if (decided.current) heading.current?.focus();
    decided.current = false;
  }, [job]);
  const cancel = async (done: string) => {
    const outcome = await run(() =>
      call('DELETE /api/operations/jobs/{environment}/{lob}/{jobId}', { path }),
    );
    if (outcome?.ok !== true) {
      remote.reload();
      return;
    }
    decided.current = true;
    remote.replace(outcome.value);
    announce(done);
  };
  return (
    <section class="next-step" aria-labelledby="act">
      <h2 id="act" ref={heading} tabIndex={-1}>
        Action
      </h2>
      {problem !== undefined && <ActProblem problem={problem} />}
      {problem === undefined && remote.problem !== undefined && <ProblemAlert problem={remote.problem} />}
      <div class="form__actions">
        {words !== undefined && (
          <ConfirmButton
            label={words.label}
            title={`${words.label}?`}
            action={words.label}
            pending={busy}
            onConfirm={() => void cancel(words.done)}
          >
            <p>{words.consequence}</p>
          </ConfirmButton>
        )}
        <button type="button" class="usa-button usa-button--outline" onClick={() => remote.reload()}>
          Refresh
        </button>
      </div>
    </section>
  );
}

function JobFacts({ job }: { readonly job: JobDetailView }) {
  const { jobId, application, acceptedAt, startedAt, endedAt, expiresAt } = job;
  const time = (name: string, at: string | undefined) =>
    at === undefined ? [] : [[name, <Time key={name} at={at} />] as const];
  return (
    <Facts
      facts={[
        ['Job ID', <code key="id">{jobId}</code>],
        ['Application', <ApplicationOf key="application" job={job} />],
        ...(application?.company === undefined ? [] : [['Organization', application.company] as const]),
        ['Members done', membersDone(job)],
        ...time('Accepted', acceptedAt),
        ...time('Started', startedAt),
        ...time('Ended', endedAt),
        ...time('Expires', expiresAt),
      ]}
    />
  );
}
