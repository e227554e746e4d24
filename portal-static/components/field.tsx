/** Component: label, hint, error and control of a form field. */

import type { ComponentChildren } from 'preact';
import type { FormState } from '../forms/use-form.ts';

/** Properties of every field: its form, its name there, its label and hint. */
export interface FieldProps<Name extends string> {
  readonly form: FormState<Name>;
  readonly name: NoInfer<Name>;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly optional?: boolean;
  /** Set for passwords and codes: the value is never stored in a draft. */
  readonly secret?: true;
}

/** The `aria-describedby` of a control: IDs of its hint and its error. */
export function describedBy(id: string, props: { readonly hint?: unknown }, error: string | undefined) {
  const ids = [
    props.hint === undefined ? undefined : `${id}-hint`,
    error === undefined ? undefined : `${id}-error`,
  ].filter((it) => it !== undefined);
  return {
    ...(ids.length === 0 ? {} : { 'aria-describedby': ids.join(' ') }),
    ...(error === undefined ? {} : { 'aria-invalid': 'true' as const }),
  };
}

/** A form field: label, hint, error and control, in reading order. */
export function Field<Name extends string>(
  props: FieldProps<Name> & { readonly children: ComponentChildren },
) {
  const { form, name } = props;
  const id = form.id(name);
  const error = form.errors[name];
  form.label(name, props.label);
  if (props.secret === true) form.secret(name);
  return (
    <div class={`usa-form-group${error === undefined ? '' : ' usa-form-group--error'}`}>
      <label class="usa-label" for={id}>
        {props.label}
        {props.optional === true && <span class="field__optional"> (optional)</span>}
      </label>
      <FieldHint id={id} hint={props.hint} />
      <FieldErrorMessage id={id} error={error} />
      {props.children}
    </div>
  );
}

export function FieldHint(props: { readonly id: string; readonly hint: ComponentChildren }) {
  if (props.hint === undefined) return null;
  return (
    <div class="usa-hint" id={`${props.id}-hint`}>
      {props.hint}
    </div>
  );
}

export function FieldErrorMessage(props: { readonly id: string; readonly error: string | undefined }) {
  if (props.error === undefined) return null;
  return (
    <p class="usa-error-message" id={`${props.id}-error`}>
      <span class="usa-sr-only">Error: </span>
      {props.error}
    </p>
  );
}
