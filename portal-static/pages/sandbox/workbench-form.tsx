/** Form of the workbench: an interface, a path, and what is changed about the call. */

import { useId, useState } from 'preact/hooks';
import type { Interface } from '../../../lambdas/catalog/interface-families.ts';
import { ActButton } from '../applications/parts.tsx';
import {
  type ChangeName,
  changeNames,
  changes,
  pathFault,
  pathsOf,
  productName,
  type TokenAtHand,
} from './workbench-model.ts';

/** A call that the developer asks for. */
export interface AskedCall {
  readonly product: Interface;
  readonly path: string;
  readonly change: ChangeName;
}

/** Any read or search of the application's products, and changes that make it fail. The path stays for the next call. */
export function WorkbenchForm(props: {
  readonly products: readonly Interface[];
  readonly token: TokenAtHand;
  readonly busy: boolean;
  readonly onCall: (asked: AskedCall) => void;
}) {
  const { products, token, busy, onCall } = props;
  const id = useId();
  const [product, setProduct] = useState<Interface>(products[0] ?? 'patient-access');
  const paths = pathsOf(product, token);
  const [path, setPath] = useState(paths[1] ?? paths[0] ?? '');
  const [change, setChange] = useState<ChangeName>('none');
  const [fault, setFault] = useState<string>();
  const send = () => {
    const found = pathFault(path);
    setFault(found);
    if (found === undefined) onCall({ product, path, change });
    else document.getElementById(`${id}-path`)?.focus();
  };
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
      <p>
        The token stays in this page. When you reload the page, the calls stay without their secrets, and you
        start over for a new token.
      </p>
      <div class="workbench__fields">
        <Choice
          id={`${id}-product`}
          label="Interface"
          value={product}
          choices={products.map((one) => [one, productName(one)])}
          onChoose={(chosen) => {
            setProduct(chosen);
            setPath(pathsOf(chosen, token)[0] ?? '');
          }}
        />
        <Choice
          id={`${id}-example`}
          label="Example"
          value={paths.includes(path) ? path : ''}
          choices={[
            ...(paths.includes(path) ? [] : [['', 'Your own'] as const]),
            ...paths.map((one) => [one, one] as const),
          ]}
          onChoose={(chosen) => setPath(chosen === '' ? path : chosen)}
        />
        <Choice
          id={`${id}-change`}
          label="Send it"
          value={change}
          choices={changeNames.map((one) => [one, changes[one].name])}
          onChoose={setChange}
        />
      </div>
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
          onInput={(event) => setPath(event.currentTarget.value)}
          {...(fault === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}-fault` })}
        />
      </div>
      <ActButton pending={busy} onAct={send}>
        Send
      </ActButton>
    </form>
  );
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
