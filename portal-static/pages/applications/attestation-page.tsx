import type { ApplicationView } from '../../../lambdas/portal/api/views.ts';
import { attestation } from '../../../lambdas/portal/catalog/agreements.ts';
import { call } from '../../api/portal-client.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { AgreementText } from '../../components/agreement-text.tsx';
import { Alert } from '../../components/alert.tsx';
import { Time } from '../../components/display.tsx';
import { ScrollToAccept } from '../../components/scroll-to-accept.tsx';
import { ActProblem } from './act-problem.tsx';
import { ApplicationFrame } from './application-frame.tsx';
import { type Remote, useAct } from './remote.tsx';

/** Page of the attestation: the text to scroll to its end, the box, and the Submit button. */
export default function AttestationPage() {
  return (
    <ApplicationFrame
      title="Attestation"
      lead="Members see a warning when they sign in if your application is not attested. They can still share their data."
    >
      {(view, remote) =>
        view.attestation?.textVersion === attestation.version ? (
          <Made view={view} />
        ) : (
          <Make view={view} remote={remote} />
        )
      }
    </ApplicationFrame>
  );
}

function Made({ view }: { readonly view: ApplicationView }) {
  return (
    <>
      <Alert kind="success" title="This application is attested">
        <p>
          {view.attestation?.by} attested on <Time at={view.attestation?.at ?? ''} />, version{' '}
          {view.attestation?.textVersion}.
        </p>
      </Alert>
      <details class="configuration">
        <summary>Attestation text</summary>
        <AgreementText agreement={attestation} />
      </details>
    </>
  );
}

function Make(props: { readonly view: ApplicationView; readonly remote: Remote<ApplicationView> }) {
  const { view, remote } = props;
  const { run, busy, problem } = useAct();
  const announce = useAnnounce();
  const attest = async () => {
    const outcome = await run(() =>
      call('POST /api/applications/{applicationId}/attestation', {
        path: { applicationId: view.applicationId },
        body: {
          version: view.version,
          textVersion: attestation.version,
          scrolledToEnd: true,
          accepted: true,
        },
      }),
    );
    if (outcome?.ok === true) {
      announce('The application is attested.');
      remote.replace(outcome.value);
    } else if (outcome?.ok === false && outcome.problem.code === 'stale_version') {
      remote.reload();
    }
  };
  return (
    <>
      {view.attestation !== undefined && (
        <Alert kind="info">
          <p>The text has changed since version {view.attestation.textVersion}. Read it and attest again.</p>
        </Alert>
      )}
      {problem !== undefined && <ActProblem problem={problem} />}
      <ScrollToAccept agreement={attestation} action="Submit" pending={busy} onAccept={() => void attest()} />
    </>
  );
}
