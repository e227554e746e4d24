/** Operators' page of one application: its data, the pre-flight, and decisions about it. */

import { useRoute } from 'preact-iso/router';
import { interfaces } from '../../../lambdas/catalog/fhir/interfaces.ts';
import { screenNames } from '../../../lambdas/portal/api/applications.ts';
import type { ApplicationDecision } from '../../../lambdas/portal/api/operations.ts';
import type { OperatorApplicationView } from '../../../lambdas/portal/api/operator-views.ts';
import type { CallView } from '../../../lambdas/portal/api/views.ts';
import { isCallAskedFor } from '../../../lambdas/portal/catalog/sandbox-evidence.ts';
import { call } from '../../api/portal-client.ts';
import { Page } from '../../app/page.tsx';
import { Alert } from '../../components/alert.tsx';
import { DataTable, Tag, Time, Timeline } from '../../components/display.tsx';
import { Checks } from '../applications/act-problem.tsx';
import { StateTags } from '../applications/application-frame.tsx';
import { entryOf } from '../applications/application-page.tsx';
import { differencesBetween } from '../applications/difference-model.ts';
import { screenTitles } from '../applications/fields-model.ts';
import { DifferenceTable } from '../applications/parts.tsx';
import { Pending } from '../applications/pending.tsx';
import { Loaded, useRemote } from '../applications/remote.tsx';
import { ConfigurationFacts } from '../applications/review.tsx';
import { newestFirst, withoutRepeats } from '../applications/state-model.ts';
import { SignedUp } from './account-page.tsx';
import { Decide } from './decide.tsx';
import { Organization } from './organization.tsx';

/** Everything a decision needs, and the decision, on one screen. */
export default function OperatorApplicationPage() {
  const applicationId = useRoute().params.applicationId ?? '';
  const remote = useRemote(
    () => call('GET /api/operations/applications/{applicationId}', { path: { applicationId } }),
    applicationId,
  );
  return (
    <Loaded remote={remote} words="Loading the application…">
      {(view) => (
        <Page
          title={view.name}
          over={
            <>
              <a href="/operations">Operations</a> <StateTags view={view} />
            </>
          }
          lead={`${view.developer.company}, version ${view.version}`}
          width="wide"
        >
          <Pending view={view} remote={remote} repeat={decidedAgain(view)} />
          <div class="decision-screen">
            <Facts view={view} />
            <div class="decision-screen__decide">
              <Decide view={view} remote={remote} />
            </div>
          </div>
        </Page>
      )}
    </Loaded>
  );
}

/** The decision that led to where the application is, once more: it changes nothing but what the environment has. */
function decidedAgain({ state, applicationId, version, decision }: OperatorApplicationView) {
  const reason = decision?.words ?? 'Repeated.';
  const again: Partial<Record<typeof state, ApplicationDecision>> = {
    suspended: { act: 'suspend', version, reason },
    revoked: { act: 'revoke', version, reason },
    approved: { act: 'resume', version },
  };
  const body = again[state];
  if (body === undefined) return undefined;
  return () =>
    call('POST /api/operations/applications/{applicationId}/decisions', { path: { applicationId }, body });
}

/** The words of an appeal that is to be decided: what came last says whether it is one. */
function Appealed({ view }: { readonly view: OperatorApplicationView }) {
  const submitted = newestFirst(view.timeline).find(({ act }) => act === 'submit' || act === 'appeal');
  if (view.state !== 'awaiting_operator_approval' || submitted?.act !== 'appeal') return null;
  return (
    <Alert kind="info" title="This is an appeal">
      <p class="keep-lines">{submitted.words}</p>
      {view.decision !== undefined && (
        <p class="keep-lines">Reason for the rejection: {view.decision.words}</p>
      )}
    </Alert>
  );
}

function Facts({ view }: { readonly view: OperatorApplicationView }) {
  const configuration =
    view.change?.configuration ?? view.production?.configuration ?? view.sandbox.configuration;
  return (
    <div>
      {view.approvedBy !== undefined && (
        <Alert kind="info" title="Two operators must approve">
          <p>{view.approvedBy} has approved it. Another operator must agree before it runs.</p>
        </Alert>
      )}
      <Appealed view={view} />
      <section aria-labelledby="preflight">
        <h2 id="preflight">Pre-flight</h2>
        <Checks checks={view.preflight} />
      </section>
      <Attested view={view} />
      <Differences view={view} />
      <section aria-labelledby="configuration">
        <h2 id="configuration">
          {view.change === undefined ? 'Submitted configuration' : 'Proposed configuration'}
        </h2>
        {screenNames.map((screen) => (
          <section key={screen} aria-label={screenTitles[screen].title}>
            <h3>{screenTitles[screen].title}</h3>
            <ConfigurationFacts screen={screen} configuration={configuration} />
          </section>
        ))}
      </section>
      <SandboxUse view={view} />
      <section aria-labelledby="developer">
        <h2 id="developer">Developer</h2>
        <SignedUp account={view.developer} />
        <p>
          <a href={`/operations/accounts/${view.developer.accountId}`}>
            Account of {view.developer.firstName} {view.developer.lastName}
          </a>
        </p>
      </section>
      {configuration.products.includes('payer-access') && <Organization applicationId={view.applicationId} />}
      <section aria-labelledby="timeline">
        <h2 id="timeline">Timeline</h2>
        <Timeline entries={withoutRepeats(newestFirst(view.timeline)).map(entryOf)} />
      </section>
    </div>
  );
}

function Attested({ view }: { readonly view: OperatorApplicationView }) {
  return (
    <section aria-labelledby="attested">
      <h2 id="attested">Attestation</h2>
      {view.attestation === undefined ? (
        <p>
          <Tag kind="waiting">Not attested</Tag> Members see a warning at sign-in. You cannot reject an
          application only because it is not attested (42 CFR 422.119).
        </p>
      ) : (
        <p>
          <Tag kind="good">Attested</Tag> {view.attestation.by}, <Time at={view.attestation.at} />, version{' '}
          {view.attestation.textVersion}
        </p>
      )}
    </section>
  );
}

function Differences({ view }: { readonly view: OperatorApplicationView }) {
  const approved = view.production?.approved;
  const proposed = view.change?.configuration ?? view.production?.configuration;
  const toApproved =
    view.change?.difference ??
    (approved === undefined || proposed === undefined ? undefined : differencesBetween(approved, proposed));
  return (
    <section aria-labelledby="differences">
      <h2 id="differences">Differences</h2>
      {toApproved !== undefined && (
        <DifferenceTable
          caption="Changes to the approved configuration"
          before="Approved"
          after="Proposed"
          differences={toApproved}
        />
      )}
      {view.resubmission !== undefined && (
        <DifferenceTable
          caption="Changes since the last submission"
          before="Last submission"
          after="Now"
          differences={view.resubmission}
        />
      )}
      <DifferenceTable
        caption="Production compared with sandbox"
        before="Sandbox"
        after="Production"
        differences={view.sandboxDifference}
      />
    </section>
  );
}

function SandboxUse({ view }: { readonly view: OperatorApplicationView }) {
  return (
    <section aria-labelledby="sandbox">
      <h2 id="sandbox">Tested in the sandbox</h2>
      <ul class="plain-list">
        {view.sandbox.configuration.products.map((product) => {
          const seen = view.evidence.find((one) => one.product === product);
          return (
            <li key={product}>
              {interfaces[product].name}:{' '}
              {seen === undefined ? (
                isCallAskedFor(product, view.sandbox.configuration.grantType) ? (
                  'no successful call'
                ) : (
                  'only back-end services can call it, no call needed'
                )
              ) : (
                <>
                  {seen.lob}, <Time at={seen.at} />, <code>{seen.route}</code>
                </>
              )}
            </li>
          );
        })}
      </ul>
      <DataTable
        caption="Latest sandbox calls"
        columns={['Time', 'LOB', 'Route', 'Status', 'Request ID']}
        rows={view.sandboxCalls.map(callRow)}
        empty="There are no sandbox calls."
      />
    </section>
  );
}

function callRow(one: CallView) {
  return {
    key: `${one.requestId} ${one.at}`,
    cells: [
      <Time key="at" at={one.at} />,
      one.lob ?? '–',
      <code key="route">
        {one.method} {one.route}
      </code>,
      <Tag key="status" kind={one.status < 400 ? 'good' : 'bad'}>
        {one.status}
      </Tag>,
      <code key="id">{one.requestId}</code>,
    ],
  };
}
