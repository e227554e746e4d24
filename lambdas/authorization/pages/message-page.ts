import { html } from 'hono/html';
import { type Language, languages } from '../../catalog/languages.ts';
import { layout, outsideLink } from './layout.ts';
import type { MessageReason } from './words/strings.ts';
import { pageText } from './words/words.ts';

/** The facts by which a reader of an error page finds what happened. */
export interface PageReference {
  /** API Gateway's ID of the request. */
  readonly requestId: string;
  /** Facts for the application's developer; absent on members' pages. */
  readonly developer?: {
    /** The error's code, as the documentation lists it. */
    readonly code: string;
    /** Address of the page that was requested, without its query. */
    readonly address: string;
    /** Address of the error's explanation. */
    readonly documentation: string;
  };
}

/**
 * Renders a page that explains why a request is refused. It has no link to an address of the request, because
 * none can be trusted. It has the text in every language, because a response to a form cannot be loaded again in another one.
 */
export function messagePage(
  status: number,
  reason: MessageReason,
  language: Language = languages[0],
  reference?: PageReference,
): { readonly kind: 'page'; readonly status: number; readonly html: string } {
  const { title, advice } = pageText[language].messages[reason];
  const main = html`<h1>${title}</h1>
<p>${advice}</p>
${reference === undefined ? '' : referenceList(language, reference)}${languages.filter((other) => other !== language).map((other) => inLanguage(other, reason))}`;
  return { kind: 'page', status, html: layout({ language, title, main }) };
}

function referenceList(language: Language, { requestId, developer }: PageReference) {
  const { title, requestId: id, code, address, explanation } = pageText[language].reference;
  const fact = (name: string, value: string) =>
    html`<div><dt>${name}</dt><dd><code>${value}</code></dd></div>\n`;
  if (developer === undefined) return html`<dl>\n${fact(id, requestId)}</dl>\n`;
  return html`<h2>${title}</h2>
<dl>
${fact(code, developer.code)}${fact(address, developer.address)}${fact(id, requestId)}</dl>
<p>${outsideLink(language, developer.documentation, explanation)}</p>
`;
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
