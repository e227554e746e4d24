import { html } from 'hono/html';
import { type LineOfBusiness, linesOfBusiness } from '../../catalog/lines-of-business.ts';
import type { SignInRefusal } from '../ports.ts';
import type { Application } from './application.ts';
import { english } from './english.ts';
import { layout, type Markup } from './layout.ts';
import { pagePath } from './paths.ts';

/** `incomplete`: a field was left empty. */
export type SignInError = SignInRefusal | 'incomplete';

export interface SignInPage {
  readonly lob: LineOfBusiness;
  readonly application: Application;
  readonly handle: string;
  readonly formToken: string;
  readonly error?: SignInError;
  /** As typed before. */
  readonly username?: string | undefined;
}

interface FieldError {
  readonly field: 'username' | 'password';
  readonly text: string;
}

export function signInPage(page: SignInPage): string {
  const { language, error, signIn } = english;
  const plan = linesOfBusiness[page.lob].name;
  const errors = errorsOf(page);
  const title = errors.length === 0 ? signIn.title : `${error}: ${signIn.title}`;
  const main = html`${summary(errors)}<h1>${signIn.title}</h1>
<p>${signIn.intro(page.application.name, plan)}</p>
<form method="post" action="${pagePath(page.lob, 'sign-in')}" novalidate>
<input type="hidden" name="interaction" value="${page.handle}">
<input type="hidden" name="form_token" value="${page.formToken}">
${field('username', 'text', signIn.username, 'username', errors, page.username)}
${field('password', 'password', signIn.password, 'current-password', errors)}
<button class="only">${signIn.submit}</button>
</form>`;
  return layout({ language, title, owner: plan, main });
}

/** The error-summary pattern: it stands first, is announced, and each line leads to its field. */
function summary(errors: readonly FieldError[]): Markup | '' {
  if (errors.length === 0) return '';
  return html`<div class="notice bad" role="alert" aria-labelledby="problem">
<h2 id="problem">${english.signIn.problem}</h2>
<ul>${errors.map(({ field, text }) => html`<li><a href="#${field}">${text}</a></li>`)}</ul>
</div>
`;
}

function field(
  name: FieldError['field'],
  type: string,
  label: string,
  autocomplete: string,
  errors: readonly FieldError[],
  value = '',
): Markup {
  const error = errors.find((one) => one.field === name);
  const note = error === undefined ? '' : html`<p class="field-error" id="${name}-error">${error.text}</p>`;
  const described = error === undefined ? '' : html` aria-invalid="true" aria-describedby="${name}-error"`;
  return html`<label for="${name}">${label}</label>
${note}<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false" required${described}>`;
}

function errorsOf({ error, username = '' }: SignInPage): readonly FieldError[] {
  const { errors, usernameMissing, passwordMissing, passwordAgain } = english.signIn;
  if (error === undefined) return [];
  if (error !== 'incomplete') return [{ field: 'username', text: errors[error] }];
  // The page never sends a password back, so one that was typed must be typed again with the name.
  return username.trim() === ''
    ? [
        { field: 'username', text: usernameMissing },
        { field: 'password', text: passwordAgain },
      ]
    : [{ field: 'password', text: passwordMissing }];
}

/**
 * The source expression for a redirect URI: its origin, or the bare scheme of an app's own (`com.example.app:`).
 * @see https://www.w3.org/TR/CSP3/#framework-directive-source-list
 */
export function formActionOf(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri);
  return origin === 'null' ? protocol : origin;
}
