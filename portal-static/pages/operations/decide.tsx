/** Form of an operator's decision about an application or account. */

import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { applicationDecision } from '../../../lambdas/portal/api/operations.ts';
import type { OperatorApplicationView } from '../../../lambdas/portal/api/operator-views.ts';
import { decisionCriteria } from '../../../lambdas/portal/catalog/application-states.ts';
import { call } from '../../api/portal-client.ts';
import type { Problem } from '../../api/problem.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { Alert } from '../../components/alert.tsx';
import { RadioGroup, Select } from '../../components/choices.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Form } from '../../components/form.tsx';
import { TextArea } from '../../components/text-area.tsx';
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
} from './decision-model.ts';

/** The decisions open from here; one is chosen, filled in, confirmed. */
export function Decide(props: {
  readonly view: OperatorApplicationView;
  readonly remote: Remote<OperatorApplicationView>;
}) {
  const { view, remote } = props;
  const id = useId();
  const open = openDecisions(view.allowed);
  const [chosen, setChosen] = useState<DecisionAct>();
  const [problem, setProblem] = useState<Problem>();
  const heading = useRef<HTMLHeadingElement>(null);
  const decided = useRef(false);
  useEffect(() => {
    // The form has disappeared with the button that had the focus.
    if (decided.current) heading.current?.focus();
    decided.current = false;
  }, [view]);
  const act = open.find((one) => one === chosen);
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
          <legend class="usa-label">Choose a decision</legend>
          {open.map((one) => (
            <div class="usa-radio" key={one}>
              <input
                class="usa-radio__input"
                type="radio"
                name={`${id}-act`}
                id={`${id}-${one}`}
                checked={act === one}
                onChange={() => setChosen(one)}
              />
              <label class="usa-radio__label" for={`${id}-${one}`}>
                {decisions[one].label}
                <span class="choice__hint">{decisions[one].consequence}</span>
              </label>
            </div>
          ))}
        </fieldset>
      )}
      {act !== undefined && (
        <DecisionForm
          key={`${act} ${view.version}`}
          act={act}
          view={view}
          onProblem={(what) => {
            setProblem(what);
            setChosen(undefined);
            remote.reload();
          }}
          onDecided={(next) => {
            setProblem(undefined);
            setChosen(undefined);
            remote.replace(next);
            decided.current = true;
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
  readonly onProblem: (problem: Problem) => void;
  readonly onDecided: (view: OperatorApplicationView) => void;
}) {
  const { act, view } = props;
  const { words, criterion, label, consequence, tone } = decisions[act];
  const [confirming, setConfirming] = useState<unknown>();
  const { run, busy } = useAct();
  const announce = useAnnounce();
  const form = useForm({
    schema: () => Promise.resolve(applicationDecision),
    request: (values: FieldValues) => decisionRequest(act, values, view.version),
    // Sent after the confirmation.
    send: async (decision) => ({ ok: true, value: decision }) as const,
    done: setConfirming,
  });
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
    announce('Decided.');
    props.onDecided(outcome.value);
  };
  return (
    <Form form={form} action={`${label}…`}>
      {criterion && (
        <RadioGroup
          form={form}
          name="criterion"
          label="Criterion"
          choices={criteriaFor(act).map((value) => ({
            value,
            label: decisionCriteria[value].name,
            hint: decisionCriteria[value].meaning,
          }))}
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
  );
}
