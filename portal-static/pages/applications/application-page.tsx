/** A developer's page of one application: its state, the next step, values, timeline and acts. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { interfaceFamilies } from '../../../lambdas/catalog/interface-families.ts';
import { screenNames } from '../../../lambdas/portal/api/application-screens.ts';
import type { ApplicationView } from '../../../lambdas/portal/api/views.ts';
import { decisionCriteria } from '../../../lambdas/portal/catalog/application-states.ts';
import { isCallAskedFor } from '../../../lambdas/portal/catalog/asked-for-calls.ts';
import { call } from '../../api/portal-client.ts';
import { Alert } from '../../components/alert.tsx';
import { Day, Steps, Tag, Time, Timeline } from '../../components/display.tsx';
import { Acts } from './acts.tsx';
import { ApplicationFrame } from './application-frame.tsx';
import { ConfigurationFacts } from './configuration-facts.tsx';
import { differencesBetween } from './difference-model.ts';
import { labelOf, screenTitles } from './fields-model.ts';
import {
  currentStep,
  editTarget,
  nextActor,
  nextStep,
  untested,
  wayToProduction,
} from './next-step-model.ts';
import { Pending } from './pending.tsx';
import type { Remote } from './remote.tsx';
import { newestFirst, withoutRepeats } from './state-model.ts';
import { screenSummary } from './summary-model.ts';
import { entryOf } from './timeline-entry.tsx';
import { DifferenceTable } from './value-lines.tsx';

/** One application: where it stands, what comes next, and all that is known of it. */
export default function ApplicationPage() {
  return (
    <ApplicationFrame>
      {(view, remote) => (
        <>
          <Pending view={view} remote={remote} repeat={withdrawnAgain(view)} />
          <Way view={view} />
          <NextStep view={view} remote={remote} />
          <Decision view={view} />
          <Comparisons view={view} />
          <div class="columns">
            <Attested view={view} />
            <Tested view={view} />
          </div>
          <Configurations view={view} />
          <section aria-labelledby="timeline">
            <h2 id="timeline">Timeline</h2>
            <Timeline entries={withoutRepeats(newestFirst(view.timeline)).map(entryOf)} />
          </section>
        </>
      )}
    </ApplicationFrame>
  );
}

/** The one act of a developer that completes only when the environments have confirmed it. */
function withdrawnAgain({ state, applicationId, version }: ApplicationView) {
  if (state !== 'withdrawn') return undefined;
  return () =>
    call('POST /api/applications/{applicationId}/withdraw', { path: { applicationId }, body: { version } });
}

interface ApplicationProps {
  readonly view: ApplicationView;
  readonly remote: Remote<ApplicationView>;
}

/** The way of the application to production, with the present step marked. */
function Way({ view }: { readonly view: ApplicationView }) {
  const current = currentStep(view);
  if (current === undefined) return null;
  return (
    <Steps
      label="Way to production"
      steps={wayToProduction.map(({ step }) => step)}
      who={wayToProduction.map(({ who }) => who)}
      current={current}
    />
  );
}

function NextStep({ view, remote }: ApplicationProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const actor = nextActor(view);
  return (
    <section class="next-step" aria-labelledby="next">
      <h2 id="next" ref={heading} tabIndex={-1}>
        Next step
      </h2>
      <p>
        {actor !== undefined && <strong>{actor}</strong>} {nextStep(view)}
        {view.decisionExpectedBy !== undefined && (
          <>
            {' '}
            We expect to decide by <Day at={view.decisionExpectedBy} />.
          </>
        )}
      </p>
      {view.state === 'registered_in_sandbox' && untested(view).length > 0 && (
        <>
          <p>
            Client ID, secret and subscription key of the sandbox are under{' '}
            <a href={`/applications/${view.applicationId}/credentials`}>Credentials</a>.
          </p>
          <Awaited view={view} remote={remote} />
        </>
      )}
      <Acts view={view} remote={remote} next={heading} />
    </section>
  );
}

/** Reads the application again when its window gets the focus, with the calls seen since. */
function Awaited({ view, remote }: ApplicationProps) {
  const [lookedAt, setLookedAt] = useState<string>();
  const first = useRef(view);
  const look = useRef(remote.reload);
  look.current = remote.reload;
  useEffect(() => {
    if (view !== first.current) setLookedAt(new Date().toLocaleTimeString('en-US', { timeStyle: 'long' }));
  }, [view]);
  useEffect(() => {
    const again = () => {
      if (document.visibilityState === 'visible') look.current();
    };
    document.addEventListener('visibilitychange', again);
    return () => document.removeEventListener('visibilitychange', again);
  }, []);
  return (
    <p class="quiet">
      Calls appear here about a minute after you make them.{' '}
      <button type="button" class="usa-button usa-button--unstyled" onClick={() => look.current()}>
        Refresh
      </button>{' '}
      <span role="status">{lookedAt !== undefined && `Refreshed at ${lookedAt}. There is no call yet.`}</span>
    </p>
  );
}

/** The last decision against it: the criterion, the reason, and the way to the field. */
function Decision({ view }: { readonly view: ApplicationView }) {
  const { decision } = view;
  if (decision === undefined) return null;
  const target = editTarget(view, 'production');
  const criterion = decision.criterion === undefined ? undefined : decisionCriteria[decision.criterion];
  return (
    <Alert kind="warning" title={criterion?.name ?? 'Message from the operator'}>
      {criterion !== undefined && <p>{criterion.meaning}</p>}
      <p class="keep-lines">
        {criterion !== undefined && <strong>Message from the operator:</strong>} {decision.words}
      </p>
      <p>
        <Time at={decision.at} />
        {decision.field !== undefined && target !== undefined && (
          <>
            {' '}
            <a href={`/applications/${view.applicationId}/edit/${target}#${decision.field}`}>
              Edit {labelOf(decision.field)}
            </a>
          </>
        )}
      </p>
    </Alert>
  );
}

function Comparisons({ view }: { readonly view: ApplicationView }) {
  return (
    <>
      {view.change !== undefined && (
        <DifferenceTable
          caption="Your change to the approved configuration"
          before="Approved"
          after="Change"
          differences={view.change.difference}
        />
      )}
      {view.resubmission !== undefined && (
        <DifferenceTable
          caption="Changed since the last submission"
          before="Last submission"
          after="Now"
          differences={view.resubmission}
        />
      )}
    </>
  );
}

function Attested({ view }: { readonly view: ApplicationView }) {
  const path = `/applications/${view.applicationId}/attestation`;
  return (
    <section class="panel" aria-labelledby="attested">
      <h2 id="attested">Attestation</h2>
      {view.attestation === undefined ? (
        <p>
          Not attested.{' '}
          {view.sandbox.configuration.grantType !== 'client_credentials' &&
            'Members see a warning when they sign in. '}
          <a href={path}>Attest the application</a>
        </p>
      ) : (
        <p>
          {view.attestation.by} attested on <Time at={view.attestation.at} />, version{' '}
          {view.attestation.textVersion}.
        </p>
      )}
    </section>
  );
}

function Tested({ view }: { readonly view: ApplicationView }) {
  return (
    <section class="panel" aria-labelledby="tested">
      <h2 id="tested">Tested in the sandbox</h2>
      <ul class="plain-list">
        {view.sandbox.configuration.products.map((product) => {
          const seen = view.evidence.find((one) => one.product === product);
          if (seen === undefined && !isCallAskedFor(product, view.sandbox.configuration.grantType)) {
            return (
              <li key={product}>
                <strong>{interfaceFamilies[product].name}</strong> <Tag>No call needed</Tag>
                <p class="quiet">Only back-end services can call this interface.</p>
              </li>
            );
          }
          return (
            <li key={product}>
              <strong>{interfaceFamilies[product].name}</strong>{' '}
              <Tag kind={seen === undefined ? 'waiting' : 'good'}>
                {seen === undefined ? 'No successful call yet' : 'Successful call'}
              </Tag>
              {seen === undefined ? (
                <>
                  {' '}
                  <a href={`/applications/${view.applicationId}/try`}>
                    Make a call<span class="usa-sr-only"> to {interfaceFamilies[product].name}</span>
                  </a>
                </>
              ) : (
                <p class="quiet">
                  {seen.lob}, <Time at={seen.at} />, <code>{seen.route}</code>
                </p>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function editLabel({ changeState }: ApplicationView, target: 'sandbox' | 'production' | 'change'): string {
  if (target !== 'change') return `Edit ${target} values`;
  return changeState === 'none' ? 'Propose a change' : 'Edit change';
}

const environments = { sandbox: 'Sandbox', production: 'Production' } as const;

function Configurations({ view }: { readonly view: ApplicationView }) {
  const [shown, setShown] = useState<keyof typeof environments>(
    view.production === undefined ? 'sandbox' : 'production',
  );
  const configuration =
    shown === 'sandbox' || view.production === undefined
      ? view.sandbox.configuration
      : view.production.configuration;
  const target = editTarget(view, shown);
  return (
    <section aria-labelledby="configuration">
      <h2 id="configuration">Configuration</h2>
      {view.production !== undefined && (
        <fieldset class="usa-fieldset choose-environment">
          <legend class="usa-sr-only">Environment</legend>
          {(['sandbox', 'production'] as const).map((name) => (
            <div class="usa-radio" key={name}>
              <input
                class="usa-radio__input"
                type="radio"
                name="environment"
                id={`environment-${name}`}
                checked={shown === name}
                onChange={() => setShown(name)}
              />
              <label class="usa-radio__label" for={`environment-${name}`}>
                {environments[name]}
              </label>
            </div>
          ))}
        </fieldset>
      )}
      {target !== undefined && (
        <p>
          <a
            class="usa-button usa-button--outline"
            href={`/applications/${view.applicationId}/edit/${target}`}
          >
            {editLabel(view, target)}
          </a>
        </p>
      )}
      {shown === 'production' && (
        <DifferenceTable
          caption="Production compared with sandbox"
          before="Sandbox"
          after="Production"
          differences={differencesBetween(view.sandbox.configuration, configuration)}
        />
      )}
      {screenNames.map((screen) => (
        <details key={screen} class="configuration">
          <summary>
            {screenTitles[screen].title}
            <span class="configuration__state">{screenSummary(screen, configuration)}</span>
          </summary>
          <ConfigurationFacts screen={screen} configuration={configuration} />
        </details>
      ))}
    </section>
  );
}
