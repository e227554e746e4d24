import { useState } from 'preact/hooks';
import { Field, type FieldProps } from './field.tsx';
import { inputOf, verbatim } from './text-field.tsx';

/** Password field whose value can be shown, pasted and filled in by a password manager (NIST SP 800-63B-4 section 3.1.1.2). */
export function PasswordField<Name extends string>(
  props: FieldProps<Name> & { readonly autocomplete: 'current-password' | 'new-password' },
) {
  const [shown, setShown] = useState(false);
  const id = props.form.id(props.name);
  return (
    <Field {...props} secret>
      <div class="password">
        <input
          class="usa-input"
          {...inputOf(props.form, props.name, props.hint)}
          type={(shown ? 'text' : 'password') as 'text'}
          autocomplete={props.autocomplete}
          {...verbatim}
        />
        <button
          type="button"
          class="usa-button usa-button--outline"
          aria-controls={id}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide' : 'Show'}
          <span class="usa-sr-only"> what I typed: {props.label}</span>
        </button>
      </div>
    </Field>
  );
}
