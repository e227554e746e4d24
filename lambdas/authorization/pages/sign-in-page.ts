/** HTML of the sign-in page. */

import { html } from 'hono/html';
import type { Language } from '../../catalog/languages.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { ProviderChoice } from '../../catalog/oauth/identity-providers.ts';
import { type SignInRefusal, ssoSessionSeconds } from '../oauth/member-account.ts';
import { federationAddress, pageAddress, pagePath } from '../oauth/paths.ts';
import type { ApplicationDescription } from './application.ts';
import { errorSummary, type FieldError, textField, titleWith } from './form-fields.ts';
import { bound, layout, type Markup } from './layout.ts';
import { pageText } from './words/words.ts';

/** `incomplete`: a field was left empty. */
export type SignInError =
  | Exclude<SignInRefusal, 'locked' | 'not_covered'>
  | 'incomplete'
  | { readonly lockedSeconds: number };

export interface SignInPage {
  readonly language: Language;
  readonly lob: LineOfBusiness;
  /** The requesting application; undefined where the member signs in to their connected apps. */
  readonly application: ApplicationDescription | undefined;
  readonly handle: string;
  readonly formToken: string;
  readonly error?: SignInError;
  /** The plan's identity provider, where members can sign in there instead. */
  readonly provider?: ProviderChoice | undefined;
  /** User name as typed before. */
  readonly username?: string | undefined;
  /** Whether the box was ticked on the previous submit. */
  readonly keep?: boolean;
}

export function signInPage(page: SignInPage): string {
  const { language, lob, application } = page;
  const { signIn, plans, connectedApps } = pageText[language];
  const errors = errorsOf(page);
  const intro =
    application === undefined
      ? connectedApps.signInIntro(plans[lob])
      : signIn.intro(application.name, plans[lob]);
  const username = {
    name: 'username',
    type: 'text',
    label: signIn.username,
    autocomplete: 'username',
  } as const;
  const password = {
    name: 'password',
    type: 'password',
    label: signIn.password,
    autocomplete: 'current-password',
  } as const;
  const main = html`${errorSummary(language, errors)}<h1>${signIn.title}</h1>
<p>${intro}</p>
${providerChoice(page)}<form method="post" action="${pagePath(lob, 'sign-in')}" novalidate>
${bound(page)}
${textField({ ...username, value: page.username }, errors)}
${textField(password, errors)}
${application === undefined ? '' : keepBox(page)}<button class="only">${signIn.submit}</button>
</form>${activationLink(page)}`;
  const inLanguage = (other: Language) =>
    pageAddress(lob, 'sign-in', { interaction: page.handle, language: other });
  const title = titleWith(language, signIn.title, errors);
  return layout({ language, title, lob, main, inLanguage, stays: application !== undefined });
}

/** Link to the plan's own sign-in, above the form for accounts of this service. */
function providerChoice({ language, lob, provider, handle }: SignInPage): Markup | '' {
  if (provider === undefined) return '';
  const words = pageText[language].provider;
  const start = federationAddress(lob, 'start', { interaction: handle });
  return html`<p><a class="button" href="${start}">${words.continueWith(provider.label[language])}</a></p>
<h2>${words.orHere}</h2>
`;
}

/** Link to the activation of an account, if members have none at an identity provider. */
function activationLink({ language, lob, provider, handle }: SignInPage): Markup | '' {
  if (provider !== undefined) return '';
  const { link } = pageText[language].activation;
  return html`
<p class="beside"><a href="${pageAddress(lob, 'activation', { interaction: handle })}">${link}</a></p>`;
}

/** The box is not ticked in advance. A member who visits the connected apps is not asked: that session has its own lifetime. */
function keepBox({ language, keep = false }: SignInPage): Markup {
  const { signIn } = pageText[language];
  const checked = keep ? html` checked` : '';
  return html`<div class="box keep"><input type="checkbox" id="keep" name="keep" value="yes" aria-describedby="about-keep"${checked}><label for="keep">${signIn.keep(ssoSessionSeconds / 60)}</label><p id="about-keep">${signIn.keepHint}</p></div>
`;
}

function errorsOf({ language, lob, error, username = '' }: SignInPage): readonly FieldError[] {
  const { signIn, plans } = pageText[language];
  if (error === undefined) return [];
  if (typeof error === 'object') {
    return [{ field: 'username', text: signIn.locked(waitOf(language, error.lockedSeconds)) }];
  }
  if (error !== 'incomplete') return [{ field: 'username', text: signIn.errors[error](plans[lob]) }];
  // The page never sends a password back, so the member types it again with the name.
  return username.trim() === ''
    ? [
        { field: 'username', text: signIn.usernameMissing },
        { field: 'password', text: signIn.passwordAgain },
      ]
    : [{ field: 'password', text: signIn.passwordMissing }];
}

/** Formats a wait in seconds if it is short, else in minutes, rounded up. */
function waitOf(language: Language, seconds: number): string {
  const { signIn } = pageText[language];
  return seconds < 60 ? signIn.seconds(seconds) : signIn.minutes(Math.ceil(seconds / 60));
}

/**
 * The source expression for a redirect URI: its origin, or the bare scheme of an app's own (`com.example.app:`) and of an IPv6
 * address, which the grammar has no expression for.
 * @see https://www.w3.org/TR/CSP3/#framework-directive-source-list
 */
export function formActionOf(redirectUri: string): string {
  const { origin, protocol, hostname } = new URL(redirectUri);
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin;
}
