/** Components: text inputs of forms. */

import type { FormState } from '../forms/use-form.ts';
import { describedBy, Field, type FieldProps } from './field.tsx';

interface TextFieldProps<Name extends string> extends FieldProps<Name> {
  readonly type?: 'text' | 'email' | 'tel' | 'url' | 'password';
  /** Value of the HTML attribute `autocomplete`, e.g. `given-name`; WCAG 1.3.5 requires it for personal data. */
  readonly autocomplete?: string;
  readonly inputMode?: 'text' | 'numeric' | 'tel' | 'email' | 'url';
  readonly maxLength?: number;
  /** Expected length of the value. @default the full width */
  readonly width?: 'small' | 'medium' | 'large';
  readonly spellcheck?: boolean;
}

/** Attributes of inputs that browsers must not correct: addresses, user names, codes. */
export const verbatim = { spellcheck: false, autocapitalize: 'none' } as const;

/** Attributes common to the inputs of form fields. */
export function inputOf<Name extends string>(form: FormState<Name>, name: Name, hint: unknown) {
  const id = form.id(name);
  const value = form.values[name];
  return {
    id,
    name,
    value: typeof value === 'string' ? value : '',
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      form.set(name, event.currentTarget.value),
    onBlur: () => form.blur(name),
    ...describedBy(id, { hint }, form.errors[name]),
  };
}

export function TextField<Name extends string>(props: TextFieldProps<Name>) {
  const type = props.type ?? 'text';
  return (
    <Field {...props}>
      <input
        class={`usa-input${props.width === undefined ? '' : ` field__${props.width}`}`}
        {...inputOf(props.form, props.name, props.hint)}
        // The direction of what is typed: names may be written from right to left. In a text area it would freeze the page for a minute
        // where somebody pastes 10 MB.
        dir="auto"
        type={type as 'text'}
        {...(props.autocomplete === undefined ? {} : { autocomplete: props.autocomplete })}
        {...(props.inputMode === undefined ? {} : { inputMode: props.inputMode })}
        {...(props.maxLength === undefined ? {} : { maxLength: props.maxLength })}
        {...(type === 'text' && props.spellcheck !== false ? {} : verbatim)}
      />
    </Field>
  );
}

export function EmailField<Name extends string>(
  props: FieldProps<Name> & { readonly autocomplete?: string },
) {
  return <TextField {...props} type="email" inputMode="email" autocomplete={props.autocomplete ?? 'email'} />;
}

export function PhoneField<Name extends string>(
  props: FieldProps<Name> & { readonly autocomplete?: string },
) {
  return (
    <TextField
      hint="A 10-digit US number, like 202-555-0123"
      {...props}
      type="tel"
      inputMode="tel"
      width="medium"
      autocomplete={props.autocomplete ?? 'tel-national'}
    />
  );
}
