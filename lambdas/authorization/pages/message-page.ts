import { html } from 'hono/html';
import { type Language, languages } from '../../catalog/languages.ts';
import { layout } from './layout.ts';
import type { MessageReason } from './words/strings.ts';
import { pageText } from './words/words.ts';

/**
 * Renders a page that explains why a request is refused. It has no link onward, because no address in the request can be trusted. It has
 * the text in every language, because a response to a form cannot be loaded again in another one.
 */
export function messagePage(
  status: number,
  reason: MessageReason,
  language: Language = languages[0],
): { readonly kind: 'page'; readonly status: number; readonly html: string } {
  const { title, advice } = pageText[language].messages[reason];
  const main = html`<h1>${title}</h1>
<p>${advice}</p>
${languages.filter((other) => other !== language).map((other) => inLanguage(other, reason))}`;
  return { kind: 'page', status, html: layout({ language, title, main }) };
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
