/** Form fields with a list of choices: select, radio buttons and checkboxes. */

import type { ComponentChildren } from 'preact';
import { describedBy, Field, FieldErrorMessage, FieldHint, type FieldProps } from './field.tsx';

export { Checkbox } from './checkbox.tsx';

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
  readonly disabled?: boolean;
}

interface ChoicesProps<Name extends string> extends FieldProps<Name> {
  readonly choices: readonly Choice[];
}

export function Select<Name extends string>(props: ChoicesProps<Name> & { readonly autocomplete?: string }) {
  const { form, name } = props;
  const id = form.id(name);
  return (
    <Field {...props}>
      <select
        class="usa-select"
        id={id}
        name={name}
        {...(props.autocomplete === undefined ? {} : { autocomplete: props.autocomplete })}
        value={typeof form.values[name] === 'string' ? form.values[name] : ''}
        onChange={(event) => form.set(name, event.currentTarget.value)}
        onBlur={() => form.blur(name)}
        {...describedBy(id, props, form.errors[name])}
      >
        <option value="">Choose…</option>
        {props.choices.map((choice) => (
          <option key={choice.value} value={choice.value} disabled={choice.disabled ?? false}>
            {choice.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** A fieldset for a question with several options: legend, hint and error belong to the group. */
function Group<Name extends string>(
  props: FieldProps<Name> & { readonly role?: 'radiogroup'; readonly children: ComponentChildren },
) {
  const { form, name } = props;
  const id = form.id(name);
  const error = form.errors[name];
  form.label(name, props.label);
  return (
    <div class={`usa-form-group${error === undefined ? '' : ' usa-form-group--error'}`}>
      <fieldset class="usa-fieldset" {...describedBy(id, props, undefined)} {...describedError(id, error)}>
        <legend class="usa-label">
          {props.label}
          {props.optional === true && <span class="field__optional"> (optional)</span>}
        </legend>
        <FieldHint id={id} hint={props.hint} />
        <FieldErrorMessage id={id} error={error} />
        {props.children}
      </fieldset>
    </div>
  );
}

function describedError(id: string, error: string | undefined) {
  return error === undefined ? {} : { 'aria-describedby': `${id}-error` };
}

/** The first option has the field's ID, to which the error summary links. */
const choiceId = (id: string, index: number) => (index === 0 ? id : `${id}-${index}`);

export function RadioGroup<Name extends string>(props: ChoicesProps<Name>) {
  const { form, name } = props;
  const id = form.id(name);
  return (
    <Group {...props}>
      {props.choices.map((choice, index) => (
        <div class="usa-radio" key={choice.value}>
          <input
            class="usa-radio__input"
            type="radio"
            id={choiceId(id, index)}
            name={name}
            value={choice.value}
            checked={form.values[name] === choice.value}
            disabled={choice.disabled ?? false}
            onChange={() => form.set(name, choice.value)}
          />
          <ChoiceLabel kind="radio" id={choiceId(id, index)} choice={choice} />
        </div>
      ))}
    </Group>
  );
}

export function CheckboxGroup<Name extends string>(props: ChoicesProps<Name>) {
  const { form, name } = props;
  const id = form.id(name);
  const value = form.values[name];
  const ticked = Array.isArray(value) ? (value as readonly string[]) : [];
  const toggle = (choice: string, on: boolean) =>
    form.set(name, on ? [...ticked, choice] : ticked.filter((it) => it !== choice));
  return (
    <Group {...props}>
      {props.choices.map((choice, index) => (
        <div class="usa-checkbox" key={choice.value}>
          <input
            class="usa-checkbox__input"
            type="checkbox"
            id={choiceId(id, index)}
            name={name}
            value={choice.value}
            checked={ticked.includes(choice.value)}
            disabled={choice.disabled ?? false}
            onChange={(event) => toggle(choice.value, event.currentTarget.checked)}
          />
          <ChoiceLabel kind="checkbox" id={choiceId(id, index)} choice={choice} />
        </div>
      ))}
    </Group>
  );
}

function ChoiceLabel(props: {
  readonly kind: 'radio' | 'checkbox';
  readonly id: string;
  readonly choice: Choice;
}) {
  return (
    <label class={`usa-${props.kind}__label`} for={props.id}>
      {props.choice.label}
      {props.choice.hint !== undefined && <span class="choice__hint">{props.choice.hint}</span>}
    </label>
  );
}
