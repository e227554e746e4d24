/** Page where a developer registers an application, in three screens. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { type ScreenName, screenNames } from '../../../lambdas/portal/api/application-screens.ts';
import type { DraftView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { Page } from '../../app/page.tsx';
import { useSession } from '../../app/session.tsx';
import { Alert } from '../../components/alert.tsx';
import { Steps } from '../../components/display.tsx';
import { Form } from '../../components/form.tsx';
import { Progress } from '../../components/progress.tsx';
import { AttestationNote, ConfigurationFields } from './configuration-fields.tsx';
import { withExamples } from './examples-model.ts';
import { screenTitles } from './fields-model.ts';
import { blankValues, draftOf, type FormValues, formValues } from './form-values-model.ts';
import { saveOnLeaving } from './leaving.ts';
import { useRemote } from './remote.tsx';
import { Review } from './review.tsx';
import { dropUnsaved, keepUnsaved, takeUnsaved } from './unsaved.ts';
import { type ConfigurationForm, useConfigurationForm } from './use-configuration-form.ts';

type Saved = 'saved' | 'failed' | 'offline' | 'signed_out';
type Step = ScreenName | 'review';
const steps: readonly Step[] = [...screenNames, 'review'];
const stepTitles = [...screenNames.map((name) => screenTitles[name].title), 'Review'];

/** Registration in three screens and a review; a draft named in the address is gone on with. */
export default function RegisterPage() {
  const { query } = useLocation();
  // The first save puts the draft's ID into the address; the registration stays the same.
  const begun = useRef(query.draft).current;
  const drafts = useRemote(
    () =>
      begun === undefined
        ? Promise.resolve({ ok: true, value: { drafts: [] } } as const)
        : call('GET /api/drafts'),
    begun ?? '',
  );
  if (drafts.value === undefined && drafts.problem === undefined) {
    return <Progress words="Loading your draft…" />;
  }
  const draft = drafts.value?.drafts.find(({ draftId }) => draftId === begun);
  return <Registration {...(draft === undefined ? {} : { draft })} />;
}

const addressOf = (draftId: string, step: Step) => `/applications/register?draft=${draftId}&screen=${step}`;

function Registration(props: { readonly draft?: DraftView }) {
  const { query, route } = useLocation();
  const unsaved = useMemo(() => takeUnsaved(`register-${query.draft}`), []);
  // The ID of a draft that has become an application is not used again.
  const isKnown = props.draft !== undefined || unsaved !== undefined;
  const draftId = useMemo(() => (isKnown && query.draft) || crypto.randomUUID(), []);
  const name = `register-${draftId}`;
  useEffect(() => {
    // In the address from the beginning, so that a reload goes on with the same draft.
    if (query.draft !== draftId) route(addressOf(draftId, 'registration'), true);
  }, []);
  const initial = useMemo(
    () => unsaved?.typed ?? (props.draft ? formValues(props.draft.values) : blankValues()),
    [],
  );
  const form = useConfigurationForm(initial, 'sandbox');
  const asked = steps.find((step) => step === query.screen) ?? 'registration';
  // The later screens can't be opened before the first was filled in.
  const untouched = props.draft === undefined && unsaved === undefined && form.typed === initial;
  const step = untouched ? 'registration' : asked;
  const keep = useDraft(draftId, form, unsaved === undefined ? initial : blankValues(), step, name);
  const go = (to: Step) => route(addressOf(draftId, to));
  const { account } = useSession();
  const [offline, setOffline] = useState(false);
  if (step === 'review') return <Review form={form} draftId={draftId} onLeave={keep.forget} go={go} />;
  const next = async () => {
    if (!(await form.holds(step))) return;
    await leaveFor(steps[steps.indexOf(step) + 1] ?? 'review');
  };
  const fillIn = async () => {
    form.replace(withExamples(form.typed, account));
    await leaveFor('review');
  };
  const leaveFor = async (to: Step) => {
    // Somebody whose session has ended comes back to this screen.
    const saved = await keep.save();
    if (saved === 'signed_out') return;
    setOffline(saved === 'offline');
    if (saved === 'offline') return;
    go(to);
  };
  return (
    <Page
      title={screenTitles[step].title}
      lead={screenTitles[step].lead}
      over={`Register application: step ${steps.indexOf(step) + 1} of ${steps.length}`}
    >
      <Steps steps={stepTitles} current={steps.indexOf(step)} />
      <Form
        form={form}
        action="Continue"
        onSubmit={(event) => {
          event.preventDefault();
          void next();
        }}
        beside={<Beside step={step} go={go} save={keep.save} />}
      >
        {offline && (
          <Alert kind="error" title="The draft could not be saved" focus>
            <p>
              Check your connection, then continue again. What you typed stays here while this tab is open.
            </p>
          </Alert>
        )}
        {step === 'registration' && <Examples onFill={() => void fillIn()} />}
        <ConfigurationFields form={form} screen={step} />
        {step === 'contact' && <AttestationNote />}
      </Form>
    </Page>
  );
}

/** One press for a developer who wants to see a call first: every field stays as it would be typed. */
function Examples(props: { readonly onFill: () => void }) {
  return (
    <div class="panel">
      <p>
        Only trying the sandbox? Fill in every empty required field with an example: addresses on your own
        computer, and your account’s contact details. You can change each of them, and production asks for
        your own.
      </p>
      <button type="button" class="usa-button usa-button--outline" onClick={props.onFill}>
        Fill in examples and review
      </button>
    </div>
  );
}

function Beside(props: {
  readonly step: ScreenName;
  readonly go: (to: Step) => void;
  readonly save: () => Promise<Saved>;
}) {
  const announce = useAnnounce();
  const { route } = useLocation();
  const before = screenNames[screenNames.indexOf(props.step) - 1];
  const [failed, setFailed] = useState(false);
  const later = async () => {
    const saved = await props.save();
    setFailed(saved !== 'saved');
    if (saved !== 'saved') return;
    announce('Draft saved.');
    route('/applications');
  };
  return (
    <>
      {before !== undefined && (
        <button type="button" class="usa-button usa-button--outline" onClick={() => props.go(before)}>
          Back
        </button>
      )}
      <button type="button" class="usa-button usa-button--unstyled" onClick={() => void later()}>
        Save draft and leave
      </button>
      {failed && (
        <span role="alert">
          The draft could not be saved. What you typed is still on this page. Try again.
        </span>
      )}
    </>
  );
}

/** The draft on the server: saved with each screen, and when the page is left in whatever way. */
function useDraft(draftId: string, form: ConfigurationForm, initial: FormValues, step: Step, name: string) {
  const saved = useRef(initial);
  const state = useRef({ typed: form.typed, step });
  state.current = { typed: form.typed, step };
  const body = () => ({
    screen: state.current.step === 'review' ? ('contact' as const) : state.current.step,
    values: draftOf(state.current.typed),
  });
  const save = async (): Promise<Saved> => {
    const typed = state.current.typed;
    const outcome = await call('PUT /api/drafts/{draftId}', { path: { draftId }, body: body() });
    if (outcome.ok) {
      saved.current = typed;
      dropUnsaved(name);
      return 'saved';
    }
    if (outcome.problem.code === 'no_answer') return 'offline';
    if (outcome.problem.code !== 'signed_out') return 'failed';
    keepUnsaved(name, { typed, base: {} });
    return 'signed_out';
  };
  const forget = () => {
    saved.current = state.current.typed;
    dropUnsaved(name);
  };
  useEffect(
    () =>
      saveOnLeaving(() => {
        const { typed } = state.current;
        if (saved.current === typed) return undefined;
        keepUnsaved(name, { typed, base: {} });
        return {
          url: `/api/drafts/${draftId}`,
          body: body(),
          saved: () => {
            saved.current = typed;
            dropUnsaved(name);
          },
        };
      }),
    [draftId],
  );
  return { save, forget };
}
