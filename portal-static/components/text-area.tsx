import { Field, type FieldProps } from './field.tsx';
import { inputOf, verbatim } from './text-field.tsx';

/** Field for text with several lines. */
export function TextArea<Name extends string>(
  props: FieldProps<Name> & {
    readonly rows?: number;
    /** Set if the text is code, which browsers must not correct. */
    readonly code?: boolean;
  },
) {
  const code = props.code === true;
  return (
    <Field {...props}>
      <textarea
        class={`usa-textarea${code ? ' field__code' : ''}`}
        rows={props.rows ?? 5}
        {...(code ? verbatim : {})}
        {...inputOf(props.form, props.name, props.hint)}
      />
    </Field>
  );
}
