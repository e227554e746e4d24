/** Form of an operator's decision about an application or account. */

import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { OperatorApplicationView } from '../../../lambdas/portal/api/operator-views.ts';
import { decisionCriteria } from '../../../lambdas/portal/catalog/application-states.ts';
import { call } from '../../api/portal-client.ts';
import type { Problem } from '../../api/problem.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { Alert } from '../../components/alert.tsx';
import { Select } from '../../components/choices.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Form } from '../../components/form.tsx';
import { TextArea } from '../../components/text-area.tsx';
import { dropDraft, keepDraft, readDraft } from '../../forms/draft.ts';
import { operationsSchemas } from '../../forms/schemas.ts';
import { useForm } from '../../forms/use-form.ts';
import type { FieldValues } from '../../forms/values.ts';
import { ActProblem } from '../applications/act-problem.tsx';
import { applicationFields } from '../applications/fields-model.ts';
import { type Remote, useAct } from '../applications/remote.tsx';
import {
  criteriaFor,
  type DecisionAct,
  decisionRequest,
  decisions,
  openDecisions,
  textsFor,
  withCriterion,
} from './decision-model.ts';

/** Name of the draft of a decision: its act and its texts, until it is taken. */
const draftOf = ({ applicationId }: OperatorApplicationView) => `decision ${applicationId}`;

/** The chosen decision. Choosing makes a new object each time, so that choosing the same again has an effect. */
export interface ChosenDecision {
  readonly act: DecisionAct;
  /** Whether a key chose it, so that its form takes the focus. */
  readonly byKey: boolean;
}

/** The decision that was chosen before the page was left or reloaded. */
export function chosenBefore(view: OperatorApplicationView): ChosenDecision | undefined {
  const act = openDecisions(view.allowed).find((one) => one === readDraft(draftOf(view)).act);
  return act && { act, byKey: false };
}

/** The decisions open from here; one is chosen, filled in, confirmed. */
export function Decide(props: {
  readonly view: OperatorApplicationView;
  readonly remote: Remote<OperatorApplicationView>;
  readonly chosen: ChosenDecision | undefined;
  readonly onChoose: (chosen: ChosenDecision | undefined) => void;
  /** Called when a decision is saved, with what is said of it on the page that follows. */
  readonly onTaken: (words: string) => void;
}) {
  const { view, remote, chosen, onChoose } = props;
  const id = useId();
  const open = openDecisions(view.allowed);
  const [problem, setProblem] = useState<Problem>();
  const heading = useRef<HTMLHeadingElement>(null);
  const decided = useRef(false);
  useEffect(() => {
    // The form has disappeared with the button that had the focus.
    if (decided.current) heading.current?.focus();
    decided.current = false;
  }, [view]);
  const act = open.find((one) => one === chosen?.act);
  const end = () => {
    dropDraft(draftOf(view));
    onChoose(undefined);
  };
  return (
    <section class="panel" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} ref={heading} tabIndex={-1}>
        Decision
      </h2>
      {problem !== undefined && <DecisionProblem problem={problem} />}
      {open.length === 0 ? (
        <p class="quiet">There is no decision to make.</p>
      ) : (
        <fieldset class="usa-fieldset">
          <legend class="usa-sr-only">Choose a decision</legend>
          {open.map((one) => (
            <div class="usa-radio" key={one}>
              <input
                class="usa-radio__input"
                type="radio"
                name={`${id}-act`}
                id={`${id}-${one}`}
                checked={act === one}
                onChange={() => onChoose({ act: one, byKey: false })}
              />
              <label class="usa-radio__label" for={`${id}-${one}`}>
                {decisions[one].label}
                {act === one && <span class="choice__hint">{decisions[one].consequence}</span>}
              </label>
            </div>
          ))}
        </fieldset>
      )}
      {act !== undefined && chosen !== undefined && (
        <DecisionForm
          key={`${act} ${view.version}`}
          act={act}
          view={view}
          chosen={chosen}
          onProblem={(what) => {
            setProblem(what);
            remote.reload();
            if (what.code !== 'four_eyes') return;
            end();
            props.onTaken('Your approval is saved, another operator must agree');
          }}
          onDecided={(next) => {
            setProblem(undefined);
            end();
            remote.replace(next);
            decided.current = true;
            props.onTaken(decisions[act].done);
          }}
        />
      )}
    </section>
  );
}

/** The first of two approvals is stored, so this is not an error. */
function DecisionProblem({ problem }: { readonly problem: Problem }) {
  if (problem.code !== 'four_eyes') return <ActProblem problem={problem} />;
  return (
    <Alert kind="info" title={problem.title} focus>
      <p>{problem.detail}</p>
    </Alert>
  );
}

function DecisionForm(props: {
  readonly act: DecisionAct;
  readonly view: OperatorApplicationView;
  readonly chosen: ChosenDecision;
  readonly onProblem: (problem: Problem) => void;
  readonly onDecided: (view: OperatorApplicationView) => void;
}) {
  const { act, view, chosen } = props;
  const { words, criterion, label, consequence, tone, done } = decisions[act];
  const fields = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // Moves the focus at once, for the next key: to the criterion if the decision needs one, otherwise to the button.
    if (chosen.byKey) fields.current?.querySelector<HTMLElement>('select, [type="submit"]')?.focus();
  }, [chosen]);
  const [confirming, setConfirming] = useState<unknown>();
  const { run, busy } = useAct();
  const announce = useAnnounce();
  const form = useForm({
    schema: async () => (await operationsSchemas()).applicationDecision,
    initial: textsFor(act, readDraft(draftOf(view))),
    request: (values: FieldValues) => decisionRequest(act, values, view.version),
    // Sent after the confirmation.
    send: async (decision) => ({ ok: true, value: decision }) as const,
    done: setConfirming,
  });
  // The decision's own draft, because the form's draft is deleted before the confirmation.
  useLayoutEffect(() => keepDraft(draftOf(view), { ...form.values, act }, new Set()), [act, form.values]);
  const send = async () => {
    const outcome = await run(() =>
      call('POST /api/operations/applications/{applicationId}/decisions', {
        path: { applicationId: view.applicationId },
        body: confirming,
      }),
    );
    setConfirming(undefined);
    if (outcome === undefined) return;
    if (!outcome.ok) return props.onProblem(outcome.problem);
    announce(`${done}: ${view.name}.`);
    props.onDecided(outcome.value);
  };
  const named = criteriaFor(act).find((name) => name === form.values.criterion);
  const byCriterion: typeof form = {
    ...form,
    set: (_, value) => {
      const values = withCriterion(form.values, String(value), view.preflight);
      for (const name of ['criterion', 'field', 'reason'] as const) {
        if (values[name] !== undefined) form.set(name, values[name]);
      }
    },
  };
  return (
    <div ref={fields}>
      <Form form={form} action={`${label}…`}>
        {criterion && (
          <Select
            form={byCriterion}
            name="criterion"
            label="Criterion"
            hint={
              named === undefined ? 'Fills in a reason, which you can edit.' : decisionCriteria[named].meaning
            }
            choices={criteriaFor(act).map((value) => ({ value, label: decisionCriteria[value].name }))}
          />
        )}
        {criterion && (
          <Select
            form={form}
            name="field"
            label="Field"
            optional
            hint="The developer gets a link to this field."
            choices={applicationFields.map((field) => ({ value: field.name, label: field.label }))}
          />
        )}
        <TextArea
          form={form}
          name={words}
          label={words === 'reason' ? 'Reason' : 'Note'}
          optional={words === 'note'}
          hint="The developer sees this text."
        />
        {confirming !== undefined && (
          <Confirm
            title={`${label}: ${view.name}?`}
            action={label}
            pending={busy}
            harmless={tone === 'plain'}
            onConfirm={() => void send()}
            onCancel={() => setConfirming(undefined)}
          >
            <p>{consequence}</p>
          </Confirm>
        )}
      </Form>
    </div>
  );
}
