/** Form of the workbench: an interface, a path with its body, and what is changed about the call. */

import { useEffect, useId, useState } from 'preact/hooks';
import type { Interface } from '../../../lambdas/catalog/interface-families.ts';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { ActButton } from '../applications/parts.tsx';
import { type AskedCall, callMethods, filled, filledCall } from './asked-call.ts';
import { pathFault } from './path-fault.ts';
import {
  type ChangeName,
  changeNames,
  changes,
  type ExampleCall,
  examplesOf,
  productName,
} from './workbench-model.ts';

/** A call that the developer sends, and what is changed about it. */
export interface ChangedCall extends AskedCall {
  readonly change: ChangeName;
}

/** Any operation of the application's products, and changes that make it fail. What is typed stays for the next call. */
export function WorkbenchForm(props: {
  readonly lob: LineOfBusiness;
  readonly products: readonly Interface[];
  /** The call to begin with. @default an example */
  readonly asked?: AskedCall | undefined;
  /** IDs of earlier responses (`idsAtHand`). */
  readonly ids: Readonly<Record<string, string>>;
  readonly busy: boolean;
  readonly onCall: (call: ChangedCall) => void;
  /** Called when another call is chosen or typed. */
  readonly onChange: (call: AskedCall) => void;
}) {
  const { lob, products, ids, busy, onCall, onChange } = props;
  const id = useId();
  const [product, setProduct] = useState<Interface>(props.asked?.product ?? products[0] ?? 'patient-access');
  const examples = examplesOf(product, ids);
  const [call, setCall] = useState<Omit<AskedCall, 'product'>>(
    () => props.asked ?? withoutBody(examples[1] ?? examples[0]),
  );
  const [change, setChange] = useState<ChangeName>('none');
  const [fault, setFault] = useState<string>();
  const path = filled(call.path, ids);
  useEffect(() => onChange({ ...call, product }), [call, product]);
  useEffect(() => {
    // A link has no body where the workbench has one.
    if (call.method === 'POST' && call.body === undefined) {
      void choose(examples.find((one) => one.method === call.method && one.path === path));
    }
  }, []);
  const send = () => {
    const found = pathFault(path);
    setFault(found);
    if (found === undefined) onCall({ ...filledCall({ ...call, product }, ids), change });
    else document.getElementById(`${id}-path`)?.focus();
  };
  const choose = async (example: ExampleCall | undefined) => {
    if (example === undefined) return;
    setCall(withoutBody(example));
    setFault(undefined);
    if (example.body === undefined) return;
    const { payerBody } = await import('./payer-bodies.ts');
    const body = payerBody(example.body, lob);
    // Another call may have been chosen while the body was loaded.
    setCall((now) => (now.path === example.path ? { ...now, body } : now));
  };
  const chosen = examples.findIndex((one) => one.method === call.method && one.path === path);
  return (
    <form
      class="panel workbench"
      aria-labelledby={`${id}-title`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) send();
      }}
    >
      <h2 id={`${id}-title`}>Make more calls</h2>
      <div class="workbench__fields">
        <Choice
          id={`${id}-product`}
          label="Interface"
          value={product}
          choices={products.map((one) => [one, productName(one)])}
          onChoose={(one) => {
            setProduct(one);
            void choose(examplesOf(one, ids)[0]);
          }}
        />
        <Choice
          id={`${id}-example`}
          label="Example"
          value={String(chosen)}
          choices={[
            ...(chosen === -1 ? [['-1', 'Your own'] as const] : []),
            ...examples.map((one, index) => [String(index), nameOf(one)] as const),
          ]}
          onChoose={(index) => void choose(examples[Number(index)])}
        />
        <Choice
          id={`${id}-change`}
          label="Send it"
          value={change}
          choices={changeNames.map((one) => [one, changes[one].name])}
          onChoose={setChange}
        />
      </div>
      <div class="workbench__call">
        <Choice
          id={`${id}-method`}
          label="Method"
          value={call.method}
          choices={callMethods.map((one) => [one, one])}
          onChoose={(method) => setCall({ ...call, method })}
        />
        <div class={`usa-form-group${fault === undefined ? '' : ' usa-form-group--error'}`}>
          <label class="usa-label" for={`${id}-path`}>
            Path and query
          </label>
          {fault !== undefined && (
            <p class="usa-error-message" id={`${id}-fault`}>
              {fault}
            </p>
          )}
          <input
            id={`${id}-path`}
            class="usa-input workbench__path"
            value={path}
            spellcheck={false}
            autocapitalize="none"
            autocomplete="off"
            onInput={(event) => setCall({ ...call, path: event.currentTarget.value })}
            {...(fault === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}-fault` })}
          />
        </div>
      </div>
      {call.method === 'POST' && (
        <>
          <label class="usa-label" for={`${id}-body`}>
            Body
          </label>
          <p class="usa-hint" id={`${id}-body-hint`}>
            JSON, or a form like status=active&_count=5. In a match, replace the NPI of the Consent’s
            recipient by an identifier of your organization.
          </p>
          <textarea
            id={`${id}-body`}
            class="usa-textarea workbench__body"
            aria-describedby={`${id}-body-hint`}
            spellcheck={false}
            autocapitalize="none"
            autocomplete="off"
            value={call.body ?? ''}
            onInput={(event) => setCall({ ...call, body: event.currentTarget.value })}
          />
        </>
      )}
      <ActButton pending={busy} onAct={send}>
        Send
      </ActButton>
    </form>
  );
}

function withoutBody(example: ExampleCall | undefined): Omit<AskedCall, 'product'> {
  return { method: example?.method ?? 'GET', path: example?.path ?? '' };
}

/** The name of an example: its path, with the method where it does not read. */
function nameOf({ method, path }: ExampleCall): string {
  return method === 'GET' ? path : `${method} ${path}`;
}

function Choice<Value extends string>(props: {
  readonly id: string;
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly (readonly [value: Value, name: string])[];
  readonly onChoose: (value: Value) => void;
}) {
  return (
    <div>
      <label class="usa-label" for={props.id}>
        {props.label}
      </label>
      <select
        class="usa-select"
        id={props.id}
        value={props.value}
        onChange={(event) => props.onChoose(event.currentTarget.value as Value)}
      >
        {props.choices.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
