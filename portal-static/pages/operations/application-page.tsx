/** Operators' page of one application: the verdict of its pre-flight, its data, and the decision about it. */

import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { ApplicationDecision } from '../../../lambdas/portal/api/operations.ts';
import type { OperatorApplicationView } from '../../../lambdas/portal/api/operator-views.ts';
import { call } from '../../api/portal-client.ts';
import { Page } from '../../app/page.tsx';
import { Alert } from '../../components/alert.tsx';
import { Day, Timeline } from '../../components/display.tsx';
import { Later } from '../../components/later-part.tsx';
import { Pending } from '../applications/pending.tsx';
import { Loaded, type Remote, useRemote } from '../applications/remote.tsx';
import { newestFirst, withoutRepeats } from '../applications/state-model.ts';
import { StateTags } from '../applications/state-tags.tsx';
import { entryOf } from '../applications/timeline-entry.tsx';
import { Addresses } from './addresses.tsx';
import { chosenBefore, Decide } from './decide.tsx';
import { decisions, openDecisions } from './decision-model.ts';
import { FoldedPart } from './folded-part.tsx';
import { QueueLine } from './queue-line.tsx';
import { type QueuePlace, useQueuePlace } from './queue-place.ts';
import { addressRows } from './review-model.ts';
import { AttestationPart, ConfigurationPart, DifferencesPart, EvidencePart } from './submission.tsx';
import { TakenAlert } from './taken-alert.tsx';
import { VerdictPart } from './verdict.tsx';

/** Everything a decision needs, and the decision, on one screen. */
export default function OperatorApplicationPage() {
  const applicationId = useRoute().params.applicationId ?? '';
  const remote = useRemote(
    () => call('GET /api/operations/applications/{applicationId}', { path: { applicationId } }),
    applicationId,
  );
  const place = useQueuePlace(applicationId);
  return (
    <Loaded remote={remote} words="Loading the application…">
      {(view) => <Review key={view.applicationId} view={view} remote={remote} place={place} />}
    </Loaded>
  );
}

function Review(props: {
  readonly view: OperatorApplicationView;
  readonly remote: Remote<OperatorApplicationView>;
  readonly place: QueuePlace;
}) {
  const { view, remote, place } = props;
  const [chosen, setChosen] = useState(() => chosenBefore(view));
  return (
    <div class="review-page">
      <Page
        title={view.name}
        over={
          <>
            <a href={place.queue}>Operations</a> <StateTags view={view} /> {view.developer.company}, version{' '}
            {view.version}
            {view.decisionExpectedBy !== undefined && (
              <>
                , decision expected by <Day at={view.decisionExpectedBy} />
              </>
            )}
          </>
        }
        width="wide"
      >
        <TakenAlert path={`/operations/applications/${view.applicationId}`} />
        <Pending view={view} remote={remote} repeat={decidedAgain(view)} />
        <div class="decision-screen">
          <Facts view={view} />
          <div class="decision-screen__decide">
            <QueueLine
              place={place}
              own={openDecisions(view.allowed).flatMap((act) => {
                const { key, label } = decisions[act];
                const choose = () => setChosen({ act, byKey: true });
                return key === undefined ? [] : [{ key, words: label, act: choose }];
              })}
            />
            <Decide
              view={view}
              remote={remote}
              chosen={chosen}
              onChoose={setChosen}
              onTaken={(words) => void place.goOn({ name: view.name, words })}
            />
          </div>
        </div>
      </Page>
    </div>
  );
}

/** Makes the request that repeats the last decision: the application stays the same, and the environment's client is brought up to date. */
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

/** Finds the text of an appeal that waits for a decision; undefined if the last event is not an appeal. */
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

/** Tells the operator who rejected an application that another operator decides its appeal. */
function OwnAct({ view }: { readonly view: OperatorApplicationView }) {
  if (view.ownAct !== 'reject') return null;
  return (
    <Alert kind="warning" title="Another operator decides this appeal">
      <p>You rejected the application. Ask another operator to decide the appeal.</p>
    </Alert>
  );
}

function Facts({ view }: { readonly view: OperatorApplicationView }) {
  const { developer, timeline } = view;
  const configuration =
    view.change?.configuration ?? view.production?.configuration ?? view.sandbox.configuration;
  const events = withoutRepeats(newestFirst(timeline)).map(entryOf);
  return (
    <div>
      <OwnAct view={view} />
      {view.approvedBy !== undefined && (
        <Alert kind="info" title="Two operators must approve">
          <p>{view.approvedBy} has approved it. Another operator must agree before it runs.</p>
        </Alert>
      )}
      <Appealed view={view} />
      <VerdictPart checks={view.preflight} />
      <Addresses rows={addressRows(configuration, view.preflight)} />
      <DifferencesPart view={view} />
      <EvidencePart view={view} />
      <AttestationPart view={view} />
      <ConfigurationPart view={view} configuration={configuration} />
      <FoldedPart
        title="Developer"
        state={`${developer.firstName} ${developer.lastName}, ${developer.company}`}
      >
        <p>
          <a href={`/operations/accounts/${developer.accountId}`}>
            Account of {developer.firstName} {developer.lastName}
          </a>
        </p>
        <Later load={() => import('./signed-up.tsx')} words="Loading the sign-up…">
          {({ SignedUp }) => <SignedUp account={developer} />}
        </Later>
      </FoldedPart>
      {configuration.products.includes('payer-access') && (
        <Later load={() => import('./organization.tsx')} words="Loading the organization…">
          {({ Organization }) => <Organization applicationId={view.applicationId} />}
        </Later>
      )}
      <FoldedPart title="Timeline" state={events[0]?.title ?? ''}>
        <Timeline entries={events} />
      </FoldedPart>
    </div>
  );
}
