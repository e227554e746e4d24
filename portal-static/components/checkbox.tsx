import { describedBy, FieldErrorMessage, FieldHint, type FieldProps } from './field.tsx';

/** A single checkbox, to accept something or switch it on. */
export function Checkbox<Name extends string>(props: FieldProps<Name>) {
  const { form, name } = props;
  const id = form.id(name);
  const error = form.errors[name];
  form.label(name, props.label);
  return (
    <div class={`usa-form-group${error === undefined ? '' : ' usa-form-group--error'}`}>
      <FieldErrorMessage id={id} error={error} />
      <div class="usa-checkbox">
        <input
          class="usa-checkbox__input"
          type="checkbox"
          id={id}
          name={name}
          checked={form.values[name] === true}
          onChange={(event) => form.set(name, event.currentTarget.checked)}
          {...describedBy(id, props, error)}
        />
        <label class="usa-checkbox__label" for={id}>
          {props.label}
        </label>
      </div>
      <FieldHint id={id} hint={props.hint} />
    </div>
  );
}
