/** HTML of form fields and their errors on members' pages. */

import { html } from 'hono/html';
import type { Language } from '../../catalog/languages.ts';
import type { Markup } from './layout.ts';
import { pageText } from './words/words.ts';

/** An error message and the field it belongs to. */
export interface FieldError {
  /** The field's HTML ID. */
  readonly field: string;
  readonly text: string;
}

/**
 * Renders an error summary (the pattern of GOV.UK and USWDS): at the top of the page, announced by screen readers, each error with a link
 * to its field.
 */
export function errorSummary(language: Language, errors: readonly FieldError[]): Markup | '' {
  if (errors.length === 0) return '';
  return html`<div class="notice bad" role="alert" aria-labelledby="problem">
<h2 id="problem">${pageText[language].signIn.problem}</h2>
<ul>${errors.map(({ field, text }) => html`<li><a href="#${field}">${text}</a></li>`)}</ul>
</div>
`;
}

export interface TextFieldProps {
  readonly name: string;
  readonly type: 'text' | 'password';
  readonly label: string;
  readonly autocomplete: string;
  /** Whether the field takes digits only, so that phones show their number keys. */
  readonly numeric?: boolean;
  readonly value?: string | undefined;
  /** Text between the label and the field. */
  readonly hint?: string;
  /** @default true */
  readonly required?: boolean;
}

export function textField(field: TextFieldProps, errors: readonly FieldError[]): Markup {
  const { name, type, label, autocomplete, numeric = false, value = '', hint, required = true } = field;
  const error = errors.find((one) => one.field === name);
  const note = error === undefined ? '' : html`<p class="field-error" id="${name}-error">${error.text}</p>`;
  const about = hint === undefined ? '' : html`<p class="soft" id="${name}-hint">${hint}</p>\n`;
  const invalid = error === undefined ? '' : html` aria-invalid="true"`;
  const ids = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(error === undefined ? [] : [`${name}-error`]),
  ];
  const described = ids.length === 0 ? '' : html` aria-describedby="${ids.join(' ')}"`;
  const keys = numeric ? html` inputmode="numeric" maxlength="12"` : '';
  return html`<label for="${name}">${label}</label>
${about}${note}<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false"${required ? html` required` : ''}${keys}${invalid}${described}>`;
}

/** The page's title, which starts with "Error" if the form has errors: screen readers read the title first. */
export function titleWith(language: Language, title: string, errors: readonly FieldError[]): string {
  return errors.length === 0 ? title : `${pageText[language].error}: ${title}`;
}
