/** Page of a team's applications and drafts, in the sandbox or production. */

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { ApplicationSummary, DraftView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { focusHeading, Page } from '../../app/page.tsx';
import { ProblemAlert } from '../../components/alert.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Tabs, Tag, Time } from '../../components/display.tsx';

import { PromoteSection } from './promote.tsx';
import { Loaded, useAct, useRemote } from './remote.tsx';
import { changeWords, isListedIn, stateWords } from './state-model.ts';

type EnvironmentName = 'sandbox' | 'production';

/** Page with the team's applications in sandbox or production. */
export default function ApplicationsPage() {
  const { query } = useLocation();
  const environment: EnvironmentName = query.environment === 'production' ? 'production' : 'sandbox';
  const applications = useRemote(() => call('GET /api/applications'), 'applications');
  return (
    <Page title="Applications" width="wide" lead={leads[environment]}>
      <Tabs
        label="Environment"
        path={paths[environment]}
        tabs={[
          { href: paths.sandbox, text: 'Sandbox' },
          { href: paths.production, text: 'Production' },
        ]}
      />
      {environment === 'sandbox' && (
        <p>
          <a class="usa-button" href="/applications/register">
            Register application
          </a>
        </p>
      )}
      {environment === 'sandbox' && <Drafts />}
      <Loaded remote={applications} words="Loading your applications…">
        {(value) => <Listed environment={environment} applications={value.applications} />}
      </Loaded>
    </Page>
  );
}

const paths: Readonly<Record<EnvironmentName, string>> = {
  sandbox: '/applications',
  production: '/applications?environment=production',
};

const leads: Readonly<Record<EnvironmentName, string>> = {
  sandbox: 'Register an application and test it with fictional members.',
  production: 'Applications you promoted. They can call production after an operator approves them.',
};

function Listed(props: {
  readonly environment: EnvironmentName;
  readonly applications: readonly ApplicationSummary[];
}) {
  const { environment, applications } = props;
  const listed = applications.filter((one) => isListedIn(environment, one));
  const promotable = applications.filter(({ state }) => state === 'registered_in_sandbox');
  return (
    <>
      {listed.length === 0 ? <Nothing environment={environment} /> : <Cards applications={listed} />}
      {environment === 'production' && <PromoteSection applications={promotable} />}
    </>
  );
}

function Cards(props: { readonly applications: readonly ApplicationSummary[] }) {
  return (
    <ul class="cards">
      {props.applications.map((one) => (
        <li key={one.applicationId} class="card">
          <h2>
            <a href={`/applications/${one.applicationId}`}>{one.name}</a>
          </h2>
          <p class="card__tags">
            <Tag kind={stateWords[one.state].tone}>{stateWords[one.state].name}</Tag>
            {one.changeState !== 'none' && (
              <Tag kind={changeWords[one.changeState].tone}>{changeWords[one.changeState].name}</Tag>
            )}
          </p>
          <p class="card__foot">
            {one.attested ? 'Attested' : 'Not attested (members see a warning)'}
            <br />
            Changed <Time at={one.updatedAt} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function Nothing(props: { readonly environment: EnvironmentName }) {
  if (props.environment === 'production') {
    return (
      <p class="empty">
        There are no production applications yet. You can promote an application from the sandbox after each
        of its products has answered there.
      </p>
    );
  }
  return (
    <div class="empty">
      <p>You have no applications yet. Register an application to get:</p>
      <ul>
        <li>a client ID and secret, and a subscription key for the sandbox</li>
        <li>test members to sign in as</li>
        <li>a guided first call that shows each request and response</li>
      </ul>
    </div>
  );
}

function Drafts() {
  const drafts = useRemote(() => call('GET /api/drafts'), 'drafts');
  const { run, problem, busy } = useAct();
  const [leaving, setLeaving] = useState<DraftView>();
  const announce = useAnnounce();
  const drop = async ({ draftId }: DraftView) => {
    const outcome = await run(() => call('DELETE /api/drafts/{draftId}', { path: { draftId } }));
    setLeaving(undefined);
    if (outcome?.ok !== true) return;
    announce('Draft deleted.');
    // The row with the focused button will be removed, so the focus moves to the heading.
    focusHeading();
    drafts.reload();
  };
  const kept = drafts.value?.drafts ?? [];
  if (kept.length === 0) return null;
  return (
    <section class="drafts" aria-labelledby="drafts">
      <h2 id="drafts">Drafts</h2>
      {problem !== undefined && <ProblemAlert problem={problem} />}
      {leaving !== undefined && (
        <Confirm
          title={`Delete the draft ${nameOf(leaving)}?`}
          action="Delete draft"
          pending={busy}
          onConfirm={() => void drop(leaving)}
          onCancel={() => setLeaving(undefined)}
        >
          <p>What you typed in it is deleted. You cannot undo this.</p>
        </Confirm>
      )}
      <ul class="plain-list">
        {kept.map((draft) => (
          <li key={draft.draftId} class="draft">
            <span>
              <strong>{nameOf(draft)}</strong>, saved <Time at={draft.savedAt} />
            </span>
            <span class="draft__actions">
              <a href={`/applications/register?draft=${draft.draftId}&screen=${draft.screen}`}>
                Continue draft<span class="usa-sr-only"> {nameOf(draft)}</span>
              </a>
              <button type="button" class="usa-button usa-button--unstyled" onClick={() => setLeaving(draft)}>
                Delete<span class="usa-sr-only"> the draft {nameOf(draft)}</span>
              </button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function nameOf({ values }: DraftView): string {
  const name = values.applicationName;
  return typeof name === 'string' && name.trim() !== '' ? name : 'Unnamed application';
}
