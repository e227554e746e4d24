import type { ComponentChildren } from 'preact';
import { useLocation, useRoute } from 'preact-iso/router';
import type { ApplicationView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { Page } from '../../app/page.tsx';
import { ProblemAlert } from '../../components/alert.tsx';
import { Tabs } from '../../components/display.tsx';
import { Progress } from '../../components/progress.tsx';
import { IncidentBanner } from './incident-banner.tsx';
import { type Remote, useRemote } from './remote.tsx';
import { StateTags } from './state-tags.tsx';

/** Layout of an application's pages: its name, its state, and links to its other pages. */
export function ApplicationFrame(props: {
  /** Title of the page; undefined on the first page, whose title is the application's name. */
  readonly title?: string;
  readonly lead?: ComponentChildren;
  readonly children: (view: ApplicationView, remote: Remote<ApplicationView>) => ComponentChildren;
}) {
  const { params } = useRoute();
  const { path } = useLocation();
  const applicationId = params.applicationId ?? '';
  const remote = useRemote(
    () => call('GET /api/applications/{applicationId}', { path: { applicationId } }),
    applicationId,
  );
  const { value: view, problem, reload } = remote;
  if (view === undefined) {
    if (problem === undefined) return <Progress words="Loading the application…" />;
    return (
      <Page title={problem.code === 'not_found' ? 'Application not found' : 'We could not open this page'}>
        {problem.code === 'not_found' ? (
          <p>
            The application does not exist, or you do not have access to it. Check the address, or sign in
            with the account that owns the application.
          </p>
        ) : (
          <ProblemAlert problem={problem} retry={reload} />
        )}
        <p>
          <a href="/applications">Your applications</a>
        </p>
      </Page>
    );
  }
  const base = `/applications/${view.applicationId}`;
  return (
    <Page
      title={props.title ?? view.name}
      over={<Over view={view} named={props.title !== undefined} />}
      lead={props.lead}
      width="wide"
    >
      <Tabs
        label={`Pages of ${view.name}`}
        path={path}
        tabs={[
          { href: base, text: 'Overview' },
          { href: `${base}/credentials`, text: 'Credentials' },
          { href: `${base}/calls`, text: 'Calls' },
          { href: `${base}/try`, text: 'First call' },
          { href: `${base}/attestation`, text: 'Attestation' },
        ]}
      />
      <IncidentBanner view={view} />
      {props.children(view, remote)}
    </Page>
  );
}

function Over({ view, named }: { readonly view: ApplicationView; readonly named: boolean }) {
  return (
    <>
      <a href="/applications">Applications</a> <span aria-hidden="true">/</span>{' '}
      {named && (
        <>
          <a href={`/applications/${view.applicationId}`}>{view.name}</a>{' '}
        </>
      )}
      <StateTags view={view} />
    </>
  );
}
