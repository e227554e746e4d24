/** Component: renders form fields from a table. */

import type { FormState } from '../forms/use-form.ts';
import { Section } from './form.tsx';
import { EmailField, PhoneField, TextField } from './text-field.tsx';

/** A text field of a form, as a row of the table. */
export interface FieldRow<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /**
   * Kind of input.
   *
   * @default text
   */
  readonly kind?: 'email' | 'phone';
  readonly hint?: string;
  /** Value of the HTML attribute `autocomplete` (WCAG 1.3.5). */
  readonly autocomplete?: string;
  readonly inputMode?: 'numeric' | 'url';
  readonly type?: 'url';
  readonly width?: 'small' | 'medium' | 'large';
  readonly spellcheck?: false;
  readonly optional?: true;
}

/** Fields under a common heading. */
export interface FieldGroup<Name extends string> {
  readonly title: string;
  readonly lead?: string;
  readonly fields: readonly FieldRow<Name>[];
}

const controls = { email: EmailField, phone: PhoneField } as const;

export function Fields<Name extends string>(props: {
  readonly form: FormState<Name>;
  readonly fields: readonly FieldRow<NoInfer<Name>>[];
}) {
  return (
    <>
      {props.fields.map((row) => {
        const { kind, ...field }: FieldRow<Name> = row;
        const Control = kind === undefined ? TextField : controls[kind];
        return <Control key={field.name} form={props.form} {...field} />;
      })}
    </>
  );
}

export function FieldGroups<Name extends string>(props: {
  readonly form: FormState<Name>;
  readonly groups: readonly FieldGroup<NoInfer<Name>>[];
}) {
  return (
    <>
      {props.groups.map(({ fields, ...group }) => (
        <Section key={group.title} {...group}>
          <Fields form={props.form} fields={fields} />
        </Section>
      ))}
    </>
  );
}
