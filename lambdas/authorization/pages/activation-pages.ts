/** HTML of the activation pages: details, code, password. */

import { html } from 'hono/html';
import type { Language } from '../../catalog/languages.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { type MemberPagePath, pageAddress, pagePath } from '../oauth/paths.ts';
import type { CodeError } from './code-page.ts';
import { errorSummary, type FieldError, textField, titleWith } from './form-fields.ts';
import { bound, layout, type Markup } from './layout.ts';
import { pageText } from './words/words.ts';

interface ActivationPage {
  readonly language: Language;
  readonly lob: LineOfBusiness;
  readonly handle: string;
  readonly formToken: string;
}

/** Details as the member typed them. They are sent in forms only, never in an address. */
export interface TypedDetails {
  readonly memberId: string;
  readonly month: string;
  readonly day: string;
  readonly year: string;
  readonly postalCode: string;
  readonly channel: 'email' | 'sms';
}

/** Renders the page that asks for the member ID, the date of birth and the ZIP code. */
export function detailsPage(
  page: ActivationPage & {
    readonly typed?: TypedDetails;
    readonly missing: readonly ('memberId' | 'birthDate' | 'postalCode')[];
  },
): string {
  const { language, lob, typed, missing } = page;
  const { activation: strings, plans } = pageText[language];
  const fields = { memberId: 'member_id', birthDate: 'month', postalCode: 'postal_code' } as const;
  const errors = missing.map((name) => ({ field: fields[name], text: strings.missing[name] }));
  const number = (name: 'month' | 'day' | 'year', autocomplete: string) => {
    const field = { name, type: 'text', label: strings[name], autocomplete, numeric: true } as const;
    const own = name === 'month' ? errors : [];
    return html`<div>${textField({ ...field, value: typed?.[name] }, own)}</div>\n`;
  };
  const memberId = {
    name: 'member_id',
    type: 'text',
    label: `${strings.memberId}. ${strings.memberIdHint}`,
    autocomplete: 'username',
  } as const;
  const postalCode = {
    name: 'postal_code',
    type: 'text',
    label: strings.postalCode,
    autocomplete: 'postal-code',
  } as const;
  const main = html`<form method="post" action="${pagePath(lob, 'activation')}" novalidate>
${bound(page)}
${textField({ ...memberId, value: typed?.memberId }, errors)}
<fieldset aria-describedby="about-birth-date">
<legend><h2>${strings.birthDate}</h2></legend>
<p class="soft" id="about-birth-date">${strings.birthDateHint}</p>
<div class="date">${number('month', 'bday-month')}${number('day', 'bday-day')}${number('year', 'bday-year')}</div>
</fieldset>
${textField({ ...postalCode, value: typed?.postalCode }, errors)}
<fieldset aria-describedby="about-channel">
<legend><h2>${strings.channel}</h2></legend>
<p class="soft" id="about-channel">${strings.channelHint}</p>
${channelBox('email', strings.byEmail, typed?.channel !== 'sms')}${channelBox('sms', strings.sms, typed?.channel === 'sms')}</fieldset>
<button class="only">${strings.submit}</button>
</form>
<p><a href="${pageAddress(lob, 'sign-in', { interaction: page.handle })}">${strings.back}</a></p>`;
  const intro = html`<p>${strings.intro(plans[lob])}</p>\n`;
  return activationPage(page, 'activation', strings.title, errors, html`${intro}${main}`);
}

function channelBox(channel: 'email' | 'sms', label: string, checked: boolean): Markup {
  const mark = checked ? html` checked` : '';
  const id = `channel-${channel}`;
  return html`<div class="box"><input type="radio" id="${id}" name="channel" value="${channel}"${mark}><label for="${id}">${label}</label></div>
`;
}

/** Renders the page that asks for the code. It is the same whether the typed details match a member or not. */
export function activationCodePage(page: ActivationPage & { readonly error: CodeError | undefined }): string {
  const { language, lob, error } = page;
  const { activation: strings, code } = pageText[language];
  const errors = error === undefined ? [] : [{ field: 'code', text: code[error] }];
  const field = { name: 'code', type: 'text', label: code.label, autocomplete: 'one-time-code' } as const;
  const action = pagePath(lob, 'activation-code');
  const main = html`<p>${strings.sent}</p>
<form method="post" action="${action}" novalidate>
${bound(page)}
${textField({ ...field, numeric: true }, errors)}
<button class="only" name="answer" value="check">${code.submit}</button>
</form>
<h2>${strings.noCodeTitle}</h2>
<p>${strings.noCode}</p>
<form method="post" action="${action}">
${bound(page)}
<div class="choices">
<button class="second" name="answer" value="email">${code.byEmail}</button>
<button class="second" name="answer" value="sms">${code.byText}</button>
</div>
</form>
<p><a href="${pageAddress(lob, 'activation', { interaction: page.handle })}">${strings.startAgain}</a></p>`;
  return activationPage(page, 'activation-code', strings.codeTitle, errors, main);
}

export type PasswordError = 'missing' | 'different' | 'password_short' | 'password_known';

/** Renders the page that asks for a new password, twice. */
export function activationPasswordPage(
  page: ActivationPage & { readonly memberId: string; readonly error: PasswordError | undefined },
): string {
  const { language, lob, error, memberId } = page;
  const { activation: strings } = pageText[language];
  const errors = error === undefined ? [] : [{ field: 'password', text: strings.passwordErrors[error] }];
  const shared = { type: 'password', autocomplete: 'new-password' } as const;
  const main = html`<p>${strings.username(memberId)}</p>
<p>${strings.passwordIntro}</p>
<form method="post" action="${pagePath(lob, 'activation-password')}" novalidate>
${bound(page)}
${textField({ ...shared, name: 'password', label: strings.password }, errors)}
${textField({ ...shared, name: 'again', label: strings.again }, [])}
<button class="only">${strings.save}</button>
</form>`;
  return activationPage(page, 'activation-password', strings.passwordTitle, errors, main);
}

function activationPage(
  { language, lob, handle }: ActivationPage,
  path: MemberPagePath,
  heading: string,
  errors: readonly FieldError[],
  content: Markup,
): string {
  const main = html`${errorSummary(language, errors)}<h1>${heading}</h1>
${content}`;
  const inLanguage = (other: Language) => pageAddress(lob, path, { interaction: handle, language: other });
  return layout({
    language,
    title: titleWith(language, heading, errors),
    lob,
    main,
    inLanguage,
    stays: true,
  });
}
