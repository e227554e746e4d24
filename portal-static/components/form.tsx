import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { FormState } from '../forms/use-form.ts';
import { ProblemAlert } from './alert.tsx';

/**
 * A form with an error summary at the top. After each failed submission the summary takes the focus and links to every field with an error
 * (error summary pattern of the GOV.UK Design System).
 */
export function Form<Name extends string>(props: {
  readonly form: FormState<Name>;
  /** The button's label. */
  readonly action: string;
  /** The button's label while the request is pending. */
  readonly pending?: string;
  readonly disabled?: boolean;
  /** Content beside the button. */
  readonly beside?: ComponentChildren;
  readonly onSubmit?: (event: SubmitEvent) => void;
  readonly children: ComponentChildren;
}) {
  const { form } = props;
  return (
    <form
      noValidate
      class="form"
      aria-busy={form.pending}
      onSubmit={(event) => (props.onSubmit ?? form.submit)(event as SubmitEvent)}
    >
      <ErrorSummary form={form} />
      {props.children}
      <div class="form__actions">
        <button
          type="submit"
          class="usa-button"
          // `aria-disabled` instead of `disabled`, so that the button keeps the focus while the request is pending.
          aria-disabled={form.pending || props.disabled === true}
          onClick={(event) => {
            if (form.pending || props.disabled === true) event.preventDefault();
          }}
        >
          {form.pending && <span class="progress__mark" aria-hidden="true" />}
          {props.action}
        </button>
        {props.beside}
        <span role="status" class="form__pending">
          {form.pending ? (props.pending ?? 'Sending…') : ''}
        </span>
      </div>
    </form>
  );
}

function ErrorSummary<Name extends string>(props: { readonly form: FormState<Name> }) {
  const { form } = props;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (form.failures > 0) element.current?.focus();
  }, [form.failures]);
  const errors = inPageOrder(form);
  if (errors.length === 0 && form.problem === undefined) return null;
  return (
    <div ref={element} class="error-summary" tabIndex={-1}>
      {form.problem === undefined ? (
        <div class="usa-alert usa-alert--error" role="alert">
          <div class="usa-alert__body">
            <h2 class="usa-alert__heading">
              {errors.length === 1 ? 'There is 1 problem' : `There are ${errors.length} problems`}
            </h2>
            <ul class="error-summary__list">
              {errors.map(([name, error]) => (
                <li key={name}>
                  <a
                    href={`#${form.id(name as Name)}`}
                    onClick={(event) => toField(event, form.id(name as Name))}
                  >
                    {form.labelOf(name) === undefined
                      ? error
                      : `${form.labelOf(name)?.replace(/\.$/, '')}: ${error}`}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        </div>
      ) : (
        <ProblemAlert problem={form.problem} />
      )}
    </div>
  );
}

/** Sorts errors by the order of their fields on the page; errors without a field on the page come first. */
function inPageOrder<Name extends string>(form: FormState<Name>): (readonly [string, string])[] {
  const order = [...document.querySelectorAll('form [id]')].map((it) => it.id);
  const place = (name: string) => order.indexOf(form.id(name as Name));
  return Object.entries(form.errors).sort(([a], [b]) => place(a) - place(b));
}

function toField(event: MouseEvent, id: string): void {
  event.preventDefault();
  const field = document.getElementById(id);
  field?.focus();
  field?.scrollIntoView({ block: 'center' });
}

/** A group of fields with a heading. */
export function Section(props: {
  readonly title: string;
  readonly lead?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <fieldset class="section">
      <legend class="section__title">{props.title}</legend>
      {props.lead !== undefined && <p class="section__lead">{props.lead}</p>}
      {props.children}
    </fieldset>
  );
}
