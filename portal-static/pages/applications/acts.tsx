/** Buttons of the acts that a developer can take on an application, and the result of the last act. */

import { useState } from 'preact/hooks';
import type { ApplicationView, PreflightCheck } from '../../../lambdas/portal/api/views.ts';
import { call, type Outcome } from '../../api/portal-client.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { ActProblem, Checks } from './act-problem.tsx';
import { Appeal } from './appeal.tsx';
import { untested } from './next-step-model.ts';
import { ActButton, ConfirmButton } from './parts.tsx';
import { type Remote, useAct } from './remote.tsx';

/** Buttons of the acts that are allowed now, and the result of the last act. */
export function Acts(props: {
  readonly view: ApplicationView;
  readonly remote: Remote<ApplicationView>;
  /** Ref to the heading that gets the focus after an act. */
  readonly next: { readonly current: HTMLElement | null };
}) {
  const { view, remote, next } = props;
  const { run, busy, problem } = useAct();
  const announce = useAnnounce();
  const [checks, setChecks] = useState<readonly PreflightCheck[]>();
  const path = { applicationId: view.applicationId };
  const body = { version: view.version };
  const base = `/applications/${view.applicationId}`;
  const can = (act: ApplicationView['allowed'][number]) => view.allowed.includes(act);
  const act = async (said: string, send: () => Promise<Outcome<ApplicationView>>) => {
    const outcome = await run(send);
    if (outcome === undefined) return;
    if (outcome.ok) {
      setChecks(undefined);
      remote.replace(outcome.value);
      announce(said);
      // The focused button may have been removed, so the focus moves to the heading.
      next.current?.focus();
    } else if (outcome.problem.code === 'stale_version' || outcome.problem.code === 'state_conflict') {
      remote.reload();
    }
  };
  const preflight = async () => {
    const outcome = await run(() => call('POST /api/applications/{applicationId}/preflight', { path }));
    if (outcome?.ok !== true) return;
    setChecks(outcome.value.checks);
    const failed = outcome.value.checks.filter(({ result }) => result === 'fail').length;
    announce(failed === 0 ? 'All pre-flight checks passed.' : `Pre-flight checks failed: ${failed}.`);
  };
  // Submitting the values that were rejected asks for confirmation: it is allowed, because something outside the application may have
  // changed.
  const unchanged = view.state === 'rejected' && view.resubmission?.length === 0;
  const submit = can('submit') ? 'submit' : can('submit_change') ? 'submit_change' : undefined;
  return (
    <>
      {problem !== undefined && <ActProblem problem={problem} />}
      {checks !== undefined && <Checks checks={checks} fieldPath={`${base}/edit/${editPath(view)}`} />}
      <div class="form__actions">
        {view.state === 'registered_in_sandbox' && untested(view).length > 0 && (
          <a class="usa-button" href={`${base}/try`}>
            Make first call
          </a>
        )}
        {can('promote') && (
          <ActButton
            pending={busy}
            quiet={untested(view).length > 0}
            onAct={() =>
              void act('Promoted to production.', () =>
                call('POST /api/applications/{applicationId}/promote', { path, body }),
              )
            }
          >
            Promote to Prod
          </ActButton>
        )}
        {submit !== undefined && !unchanged && (
          <ActButton
            pending={busy}
            onAct={() =>
              void act('Submitted for approval.', () =>
                submit === 'submit'
                  ? call('POST /api/applications/{applicationId}/submit', { path, body })
                  : call('POST /api/applications/{applicationId}/change/submit', { path, body }),
              )
            }
          >
            {submit === 'submit' ? 'Submit for approval' : 'Submit change for approval'}
          </ActButton>
        )}
        {unchanged && submit === 'submit' && (
          <ConfirmButton
            label="Submit again without changes"
            title="Submit the same values again?"
            action="Submit again"
            pending={busy}
            harmless
            onConfirm={() =>
              void act('Submitted for approval.', () =>
                call('POST /api/applications/{applicationId}/submit', { path, body }),
              )
            }
          >
            <p>
              No value has changed since the rejection. Submit again only if you corrected the problem outside
              the application, for example on a page that an address leads to.
            </p>
          </ConfirmButton>
        )}
        {submit !== undefined && (
          <ActButton pending={busy} quiet onAct={() => void preflight()}>
            Run pre-flight checks
          </ActButton>
        )}
        {submit !== undefined && (
          <a class={unchanged ? 'usa-button' : undefined} href={`${base}/edit/${editPath(view)}`}>
            Edit values
          </a>
        )}
        {submit === undefined && view.changeState !== 'none' && can('propose_change') && (
          <a class="usa-button" href={`${base}/edit/change`}>
            Edit change
          </a>
        )}
        {can('recall') && (
          <ActButton
            pending={busy}
            quiet
            onAct={() =>
              void act('Submission recalled.', () =>
                call('POST /api/applications/{applicationId}/recall', { path, body }),
              )
            }
          >
            Recall submission
          </ActButton>
        )}
        {view.state === 'approved' && (
          <a href={`${base}/credentials?environment=production`}>View credentials</a>
        )}
        <Endings view={view} busy={busy} act={act} />
      </div>
      {can('appeal') && !view.appealed && (
        <Appeal
          view={view}
          onAppealed={(next) => {
            remote.replace(next);
            announce('Your appeal was sent.');
          }}
        />
      )}
    </>
  );
}

function editPath(view: ApplicationView): 'change' | 'production' {
  return view.state === 'approved' ? 'change' : 'production';
}

function Endings(props: {
  readonly view: ApplicationView;
  readonly busy: boolean;
  readonly act: (said: string, send: () => Promise<Outcome<ApplicationView>>) => Promise<void>;
}) {
  const { view, busy, act } = props;
  const path = { applicationId: view.applicationId };
  const body = { version: view.version };
  return (
    <>
      {view.allowed.includes('discard_change') && (
        <ConfirmButton
          label="Discard change"
          title="Discard the change?"
          action="Discard change"
          pending={busy}
          onConfirm={() =>
            void act('The change was discarded.', () =>
              call('DELETE /api/applications/{applicationId}/change', { path }),
            )
          }
        >
          <p>The approved configuration keeps running. Your edits in the change are deleted.</p>
        </ConfirmButton>
      )}
      {view.allowed.includes('withdraw') && (
        <ConfirmButton
          label="Withdraw"
          title={`Withdraw ${view.name}?`}
          action="Withdraw permanently"
          pending={busy}
          onConfirm={() =>
            void act('The application was withdrawn.', () =>
              call('POST /api/applications/{applicationId}/withdraw', { path, body }),
            )
          }
        >
          <p>
            The credentials stop working in the sandbox and in production, and members’ grants end. You cannot
            undo this.
          </p>
        </ConfirmButton>
      )}
    </>
  );
}
