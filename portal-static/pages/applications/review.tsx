/** Last step of an application's registration: a summary of all fields before it is submitted. */

import { useLocation } from 'preact-iso/router';
import { type ScreenName, screenNames } from '../../../lambdas/portal/api/application-screens.ts';
import { call } from '../../api/portal-client.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { Page } from '../../app/page.tsx';
import { ProblemAlert } from '../../components/alert.tsx';
import { Steps } from '../../components/display.tsx';
import { ConfigurationFacts } from './configuration-facts.tsx';
import { screenTitles } from './fields-model.ts';
import { configurationOf } from './form-values-model.ts';
import { ActButton } from './parts.tsx';
import { useAct } from './remote.tsx';
import type { ConfigurationForm } from './use-configuration-form.ts';

/** Everything once more before it is registered; each part leads back to its screen. */
export function Review(props: {
  readonly form: ConfigurationForm;
  readonly draftId: string;
  /** Called when the draft has ended with the registration. */
  readonly onLeave: () => void;
  readonly go: (screen: ScreenName) => void;
}) {
  const { form, draftId, go } = props;
  const { route } = useLocation();
  const { run, busy, problem, setProblem } = useAct();
  const announce = useAnnounce();
  const configuration = configurationOf(form.typed);
  const register = async () => {
    const broken = await form.firstBroken();
    if (broken !== undefined) return go(broken);
    const outcome = await run(() => call('POST /api/applications', { body: { configuration, draftId } }));
    if (outcome === undefined) return;
    if (outcome.ok) {
      props.onLeave();
      announce('The application is registered in the sandbox.');
      route(`/applications/${outcome.value.applicationId}`, true);
      return;
    }
    const screen = form.refused(outcome.problem);
    if (screen === undefined) return;
    setProblem(undefined);
    go(screen);
  };
  return (
    <Page
      title="Review"
      over="Register application: step 4 of 4"
      lead="Check your answers. You can change them later."
    >
      <Steps steps={[...screenNames.map((name) => screenTitles[name].title), 'Review']} current={3} />
      {problem !== undefined && <ProblemAlert problem={problem} focus />}
      {screenNames.map((screen) => (
        <section key={screen} class="review">
          <div class="review__head">
            <h2>{screenTitles[screen].title}</h2>
            <button type="button" class="usa-button usa-button--unstyled" onClick={() => go(screen)}>
              Change<span class="usa-sr-only"> {screenTitles[screen].title}</span>
            </button>
          </div>
          <ConfigurationFacts screen={screen} configuration={configuration} />
        </section>
      ))}
      <div class="form__actions">
        <ActButton pending={busy} onAct={() => void register()}>
          Register in sandbox
        </ActButton>
        <button type="button" class="usa-button usa-button--outline" onClick={() => go('contact')}>
          Back
        </button>
      </div>
    </Page>
  );
}
