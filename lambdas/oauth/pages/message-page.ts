import { html } from 'hono/html';
import { type Language, languages } from '../../catalog/languages.ts';
import { layout } from './layout.ts';
import type { MessageReason } from './words/strings.ts';
import { pageText } from './words/words.ts';

/**
 * A page that only says why it can't go on. It leads nowhere: there is no address that could be trusted. It may be the
 * answer to a form, so it can't be asked for again either, and has the other language in itself.
 */
export function messagePage(
  status: number,
  reason: MessageReason,
  language: Language = languages[0],
): { readonly status: number; readonly html: string } {
  const { title, advice } = pageText[language].messages[reason];
  const main = html`<h1>${title}</h1>
<p>${advice}</p>
${languages.filter((other) => other !== language).map((other) => inLanguage(other, reason))}`;
  return { status, html: layout({ language, title, main }) };
}

function inLanguage(language: Language, reason: MessageReason) {
  const { languageName, messages } = pageText[language];
  const { title, advice } = messages[reason];
  return html`<details lang="${language}">
<summary>${languageName}</summary>
<p><strong>${title}</strong></p>
<p>${advice}</p>
</details>`;
}
