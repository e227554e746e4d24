/** Page where a developer edits an application's values, or a change to an approved application. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import type { Environment } from '../../../lambdas/catalog/environments.ts';
import { screenNames } from '../../../lambdas/portal/api/application-screens.ts';
import type { ApplicationView } from '../../../lambdas/portal/api/views.ts';
import { call, type Outcome } from '../../api/portal-client.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { Alert } from '../../components/alert.tsx';
import { Form, Section } from '../../components/form.tsx';
import { ApplicationFrame } from './application-frame.tsx';
import { ConfigurationFields } from './configuration-fields.tsx';
import { type Reconciled, reconcile } from './difference-model.ts';
import { screenTitles } from './fields-model.ts';
import { configurationOf, type FormValues, formValues } from './form-values-model.ts';
import { useAct } from './remote.tsx';
import { keepUnsaved, takeUnsaved, type Unsaved } from './unsaved.ts';
import { type ConfigurationForm, useConfigurationForm } from './use-configuration-form.ts';
import { DifferenceTable } from './value-lines.tsx';

type Target = 'sandbox' | 'production' | 'change';

const titles: Readonly<
  Record<Target, { readonly title: string; readonly lead: string; readonly save: string }>
> = {
  sandbox: {
    title: 'Edit sandbox values',
    lead: 'Saved values take effect in the sandbox immediately.',
    save: 'Save sandbox values',
  },
  production: {
    title: 'Production values',
    lead: 'The values are copied from the sandbox. Every address must be reachable over HTTPS on the internet.',
    save: 'Save production values',
  },
  change: {
    title: 'Propose a change',
    lead: 'The approved configuration keeps running until an operator approves the change.',
    save: 'Save change',
  },
};

/** The configuration that an edit starts from. */
function configurationFor(view: ApplicationView, target: Target) {
  if (target === 'sandbox') return view.sandbox.configuration;
  if (target === 'change') {
    return view.change?.configuration ?? view.production?.approved ?? view.production?.configuration;
  }
  return view.production?.configuration;
}

function save(
  view: Pick<ApplicationView, 'applicationId' | 'version'>,
  target: Target,
  configuration: unknown,
) {
  const options = {
    path: { applicationId: view.applicationId },
    body: { version: view.version, configuration },
  };
  if (target === 'sandbox') return call('PUT /api/applications/{applicationId}/sandbox', options);
  if (target === 'change') return call('PUT /api/applications/{applicationId}/change', options);
  return call('PUT /api/applications/{applicationId}/production', options);
}

export default function EditPage() {
  const { params } = useRoute();
  const target = (params.target ?? '') as Target;
  const words = titles[target] ?? titles.sandbox;
  return (
    <ApplicationFrame title={words.title} lead={words.lead}>
      {(view) =>
        configurationFor(view, target) === undefined ? (
          <Alert kind="info">
            <p>The application is not in production yet. There are no production values to edit.</p>
          </Alert>
        ) : (
          <Editor key={`${view.applicationId}/${target}`} opened={view} target={target} />
        )
      }
    </ApplicationFrame>
  );
}

/** Focuses the field that the URL's fragment names; the link "Edit Privacy URI" uses it. */
function useNamedField() {
  useEffect(() => {
    const name = decodeURIComponent(location.hash.slice(1));
    const place = name === '' ? null : document.getElementById(name);
    place?.scrollIntoView({ block: 'center' });
    place?.querySelector<HTMLElement>('input, textarea, select')?.focus();
  }, []);
}

/** Initial values of the form: the saved values, merged with unsaved values that were kept when the page was left. */
function beginning(name: string, now: Readonly<Record<string, unknown>>) {
  const unsaved = takeUnsaved(name);
  if (unsaved === undefined) return { initial: formValues(now), kept: undefined };
  const kept = reconcile(unsaved.base, unsaved.typed, now);
  return { initial: kept.values, kept };
}

/**
 * Keeps unsaved values whenever the page is left: for another page, by a reload, or because the session ended.
 *
 * @returns a function that stops keeping values, to be called after saving.
 */
function useKeptOnLeaving(name: string, typed: FormValues, base: Readonly<Record<string, unknown>>) {
  const latest = useRef<Unsaved | undefined>(undefined);
  const isDone = useRef(false);
  latest.current = { typed, base };
  useEffect(() => {
    const keep = () => {
      const unsaved = latest.current;
      const same = JSON.stringify(unsaved?.typed) === JSON.stringify(formValues(unsaved?.base ?? {}));
      if (unsaved !== undefined && !isDone.current && !same) keepUnsaved(name, unsaved);
    };
    addEventListener('pagehide', keep);
    return () => {
      removeEventListener('pagehide', keep);
      keep();
    };
  }, []);
  return () => {
    isDone.current = true;
  };
}

const isContested = ({ taken, contested }: Reconciled) => taken.length + contested.length > 0;

function Editor(props: { readonly opened: ApplicationView; readonly target: Target }) {
  const { opened, target } = props;
  const environment: Environment = target === 'sandbox' ? 'sandbox' : 'production';
  const [base, setBase] = useState(opened);
  const name = `edit-${opened.applicationId}-${target}`;
  const { initial, kept } = useMemo(() => beginning(name, configurationFor(opened, target) ?? {}), []);
  const form = useConfigurationForm(initial, environment);
  const [joined, setJoined] = useState<Reconciled | undefined>(kept);
  const { run, busy } = useAct();
  const { route } = useLocation();
  const announce = useAnnounce();
  const done = useKeptOnLeaving(name, form.typed, configurationFor(base, target) ?? {});
  useNamedField();
  const submit = async () => {
    if (!(await form.holds())) return;
    const outcome: Outcome<ApplicationView> | undefined = await run(() =>
      save(base, target, configurationOf(form.typed)),
    );
    if (outcome === undefined) return;
    if (outcome.ok) {
      done();
      announce('Saved.');
      route(`/applications/${base.applicationId}`);
    } else if (outcome.problem.code === 'stale_version') {
      await meet();
    } else if (outcome.problem.code !== 'signed_out') {
      form.refused(outcome.problem);
    }
  };
  /** Handles a conflict: another person has saved meanwhile. Reads the application again and merges its values with those entered here. */
  const meet = async () => {
    const path = { applicationId: base.applicationId };
    const outcome = await call('GET /api/applications/{applicationId}', { path });
    if (!outcome.ok) return void form.refused(outcome.problem);
    const now = configurationFor(outcome.value, target) ?? {};
    const next = reconcile(configurationFor(base, target) ?? {}, form.typed, now);
    form.replace(next.values);
    setJoined(next);
    setBase(outcome.value);
  };
  return (
    <>
      {joined !== undefined && joined === kept && !isContested(joined) && (
        <Alert kind="info" title="Unsaved changes restored" focus>
          <p>
            You left this page, or your session ended, before you saved. Review your changes, then save them.
          </p>
          <button
            type="button"
            class="usa-button usa-button--outline"
            onClick={() => {
              form.replace(formValues(configurationFor(base, target) ?? {}));
              setJoined(undefined);
            }}
          >
            Discard changes and show saved values
          </button>
        </Alert>
      )}
      {joined !== undefined && (joined !== kept || isContested(joined)) && (
        <Meeting key={base.version} joined={joined} form={form} />
      )}
      <Form
        form={{ ...form, pending: busy }}
        action={titles[target].save}
        pending="Saving…"
        beside={
          <a href={`/applications/${base.applicationId}`} onClick={done}>
            Cancel
          </a>
        }
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {screenNames.map((screen) => (
          <Section key={screen} title={screenTitles[screen].title}>
            <ConfigurationFields form={form} screen={screen} />
          </Section>
        ))}
      </Form>
    </>
  );
}

/** Lists the fields that another person changed during the edit, and how the values were merged. */
function Meeting(props: { readonly joined: Reconciled; readonly form: ConfigurationForm }) {
  const { taken, contested } = props.joined;
  const useTheirs = () => {
    const theirs = Object.fromEntries(contested.map(({ field, before }) => [field, before]));
    const values = formValues({ ...configurationOf(props.form.typed), ...theirs });
    props.form.replace(values);
  };
  return (
    <Alert kind="warning" title="This was changed after you opened it" focus>
      <p>Your changes are not saved yet. Review both versions, then save again.</p>
      {taken.length > 0 && (
        <DifferenceTable
          caption="Changes from the other edit"
          before="Before"
          after="Now"
          differences={taken}
        />
      )}
      {contested.length > 0 && (
        <>
          <DifferenceTable
            caption="Fields changed in both edits"
            before="Other edit"
            after="Your edit (in the form)"
            differences={contested}
          />
          <button type="button" class="usa-button usa-button--outline" onClick={useTheirs}>
            Use the other edit’s values
          </button>
        </>
      )}
    </Alert>
  );
}
