import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { ApplicationSummary } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { ActProblem } from './act-problem.tsx';
import { useAct } from './remote.tsx';

/**
 * Promotes an application to production. The service contract has two ways, "Register Application" with a choice of the sandbox
 * application, and the older "Promote to Prod" button of each application; both are the same act.
 */
export function PromoteSection(props: { readonly applications: readonly ApplicationSummary[] }) {
  const [open, setOpen] = useState(false);
  const { run, busy, problem } = useAct();
  const { route } = useLocation();
  const announce = useAnnounce();
  const promote = async ({ applicationId, version }: ApplicationSummary) => {
    const body = { version };
    const outcome = await run(() =>
      call('POST /api/applications/{applicationId}/promote', { path: { applicationId }, body }),
    );
    if (outcome?.ok !== true) return;
    announce('Promoted to production.');
    route(`/applications/${applicationId}/edit/production`);
  };
  return (
    <section aria-labelledby="promote" class="promote">
      <h2 id="promote">Promote an application to production</h2>
      {problem !== undefined && <ActProblem problem={problem} />}
      {props.applications.length === 0 ? (
        <p class="quiet">
          There are no sandbox applications to promote.{' '}
          <a href="/applications/register">Register an application</a> in the sandbox first.
        </p>
      ) : (
        <>
          {!open && (
            <button type="button" class="usa-button" onClick={() => setOpen(true)}>
              Register Application
            </button>
          )}
          {open && <Choose applications={props.applications} busy={busy} onChoose={promote} />}
          <h3>In the sandbox</h3>
          <ul class="plain-list">
            {props.applications.map((one) => (
              <li key={one.applicationId} class="draft">
                <a href={`/applications/${one.applicationId}`}>{one.name}</a>
                <button
                  type="button"
                  class="usa-button usa-button--outline"
                  disabled={busy}
                  onClick={() => void promote(one)}
                >
                  Promote to Prod<span class="usa-sr-only">: {one.name}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Choose(props: {
  readonly applications: readonly ApplicationSummary[];
  readonly busy: boolean;
  readonly onChoose: (application: ApplicationSummary) => Promise<void>;
}) {
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  // The form replaces the focused button that opened it, so it takes the focus.
  useEffect(() => select.current?.focus(), []);
  const [chosen, setChosen] = useState(props.applications[0]?.applicationId ?? '');
  const application = props.applications.find(({ applicationId }) => applicationId === chosen);
  return (
    <form
      class="usa-form-group"
      onSubmit={(event) => {
        event.preventDefault();
        if (application !== undefined) void props.onChoose(application);
      }}
    >
      <label class="usa-label" for={id}>
        Sandbox application
      </label>
      <p class="usa-hint" id={`${id}-hint`}>
        We copy its values. You fill in the production values on the next page.
      </p>
      <select
        class="usa-select"
        ref={select}
        id={id}
        aria-describedby={`${id}-hint`}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
      >
        {props.applications.map(({ applicationId, name }) => (
          <option key={applicationId} value={applicationId}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit" class="usa-button" disabled={props.busy}>
        Promote to production
      </button>
    </form>
  );
}
