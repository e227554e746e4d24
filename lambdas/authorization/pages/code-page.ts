/** HTML of the page that asks for a verification code at sign-in. */

import { html } from 'hono/html';
import type { Language } from '../../catalog/languages.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { pageAddress, pagePath } from '../oauth/paths.ts';
import { errorSummary, textField, titleWith } from './form-fields.ts';
import { bound, layout } from './layout.ts';
import type { CodeStrings } from './words/strings.ts';
import { pageText } from './words/words.ts';

export type CodeError = keyof Pick<CodeStrings, 'wrong' | 'over' | 'tooSoon' | 'busy' | 'none'>;

export interface CodePage {
  readonly language: Language;
  readonly lob: LineOfBusiness;
  readonly handle: string;
  readonly formToken: string;
  /** The address or number, masked. */
  readonly destination: string;
  readonly error?: CodeError | undefined;
}

/** Renders the page that asks for the code that was sent. */
export function codePage(page: CodePage): string {
  const { language, lob, error, destination } = page;
  const { code } = pageText[language];
  const errors = error === undefined ? [] : [{ field: 'code', text: code[error] }];
  const field = { name: 'code', type: 'text', label: code.label, autocomplete: 'one-time-code' } as const;
  const action = pagePath(lob, 'code');
  const main = html`${errorSummary(language, errors)}<h1>${code.title}</h1>
<p>${code.sent(destination)} ${code.why} ${code.valid}</p>
<form method="post" action="${action}" novalidate>
${bound(page)}
${textField({ ...field, numeric: true }, errors)}
<button class="only" name="answer" value="check">${code.submit}</button>
</form>
<h2>${code.again}</h2>
<form method="post" action="${action}">
${bound(page)}
<div class="choices">
<button class="second" name="answer" value="email">${code.byEmail}</button>
<button class="second" name="answer" value="sms">${code.byText}</button>
</div>
</form>`;
  const inLanguage = (other: Language) =>
    pageAddress(lob, 'code', { interaction: page.handle, language: other });
  const title = titleWith(language, code.title, errors);
  return layout({ language, title, lob, main, inLanguage, stays: true });
}
