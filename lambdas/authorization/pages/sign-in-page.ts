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

/** Error of the form. `incomplete`: a field was left empty. */
export type SignInError =
  | Exclude<SignInRefusal, 'locked' | 'not_covered'>
  | 'incomplete'
  | { readonly lockedSeconds: number };

export interface SignInPage {
  readonly language: Language;
  readonly lob: LineOfBusiness;
  /** The requesting application; undefined in a sign-in to the connected apps. */
  readonly application: ApplicationDescription | undefined;
  readonly handle: string;
  readonly formToken: string;
  readonly error?: SignInError;
  /** The plan's identity provider, if members can sign in there too. */
  readonly provider?: ProviderChoice | undefined;
  /** User name as typed before. */
  readonly username?: string | undefined;
  /** Whether the checkbox for an SSO session was ticked on the previous submit. */
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

/** Renders the link to the plan's own sign-in, above the form for accounts of this service. */
function providerChoice({ language, lob, provider, handle }: SignInPage): Markup | '' {
  if (provider === undefined) return '';
  const words = pageText[language].provider;
  const start = federationAddress(lob, 'start', { interaction: handle });
  return html`<p><a class="button" href="${start}">${words.continueWith(provider.label[language])}</a></p>
<h2>${words.orHere}</h2>
`;
}

/** Renders the link to the activation of an account, unless members have their accounts at an identity provider. */
function activationLink({ language, lob, provider, handle }: SignInPage): Markup | '' {
  if (provider !== undefined) return '';
  const { link } = pageText[language].activation;
  return html`
<p class="beside"><a href="${pageAddress(lob, 'activation', { interaction: handle })}">${link}</a></p>`;
}

/**
 * Renders the checkbox for an SSO session, not ticked at first. The sign-in to the connected apps has none: that session has a fixed
 * duration.
 */
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
  // Fields with the error. The password is never sent back to the page, so it has to be typed again in any case.
  return username.trim() === ''
    ? [
        { field: 'username', text: signIn.usernameMissing },
        { field: 'password', text: signIn.passwordAgain },
      ]
    : [{ field: 'password', text: signIn.passwordMissing }];
}

/** Formats a duration: in seconds if it is short, otherwise in minutes, rounded up. */
function waitOf(language: Language, seconds: number): string {
  const { signIn } = pageText[language];
  return seconds < 60 ? signIn.seconds(seconds) : signIn.minutes(Math.ceil(seconds / 60));
}

/**
 * The `form-action` source expression for a redirect URI: its origin. For an app's own scheme (`com.example.app:`), and for an IPv6
 * address, which the grammar can't express, it is the scheme.
 *
 * @see https://www.w3.org/TR/CSP3/#framework-directive-source-list
 */
export function formActionOf(redirectUri: string): string {
  const { origin, protocol, hostname } = new URL(redirectUri);
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin;
}
