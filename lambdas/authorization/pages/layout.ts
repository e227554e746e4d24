/** HTML layout of members' pages, with escaping. */

import { html, raw } from 'hono/html';
import { type Language, languages } from '../../catalog/languages.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { guidePages, pagePath } from '../oauth/paths.ts';
import { style } from './style.ts';
import { pageText } from './words/words.ts';

/** A piece of HTML made by `html`, whatever is interpolated into it escaped. */
export type Markup = ReturnType<typeof html>;

export interface Layout {
  readonly language: Language;
  readonly title: string;
  /** LOB of the page; absent where it isn't known. */
  readonly lob?: LineOfBusiness;
  readonly main: Markup;
  /** Address of the same page in a language; absent where it has none of its own. */
  readonly inLanguage?: (language: Language) => string;
  /** Whether links open in a new tab, because the page is part of a flow that should not be left. */
  readonly stays?: boolean;
  /** Address the browser continues to by itself. */
  readonly continuesAt?: string;
}

/** The whole page around a main part. */
export function layout(options: Layout): string {
  const { language, title, lob, main, continuesAt } = options;
  const strings = pageText[language];
  const owner = lob === undefined ? strings.owner : strings.plans[lob];
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${continuesAt === undefined ? '' : html`<meta http-equiv="refresh" content="0; url=${continuesAt}">\n`}<title>${title} – ${owner}</title>
<style>${raw(style)}</style>
</head>
<body>
<header>
<p>${owner}</p>
${languageSwitch(options)}</header>
<main>
${main}
</main>
${lob === undefined ? '' : footer(options, lob)}</body>
</html>
`;
  if (page instanceof Promise) throw new TypeError('a page has nothing to wait for');
  return page.toString();
}

function languageSwitch({ language, inLanguage }: Layout): Markup | '' {
  if (inLanguage === undefined) return '';
  const others = languages.filter((other) => other !== language);
  return html`<nav aria-label="${pageText[language].languageSwitch}">${others.map(
    (other) =>
      html`<a href="${inLanguage(other)}" lang="${other}" hreflang="${other}">${pageText[other].languageName}</a>`,
  )}</nav>
`;
}

function footer({ language, stays = false }: Layout, lob: LineOfBusiness): Markup {
  const { help, links } = pageText[language];
  const pages = [...guidePages, 'connected-apps'] as const;
  const target = stays ? html` target="_blank" rel="noopener"` : '';
  return html`<footer><nav aria-label="${help}"><ul>
${pages.map((page) => html`<li><a href="${pagePath(lob, page)}"${target}>${links[page]}</a></li>\n`)}</ul></nav></footer>
`;
}

/** A link to an address outside; it opens beside the page and says so. */
export function outsideLink(language: Language, uri: string, text: string): Markup {
  return html`<a href="${uri}" target="_blank" rel="noopener noreferrer">${text} <small>(${pageText[language].consent.opensElsewhere})</small></a>`;
}

/** The hidden fields that tie a form to this browser. */
export function bound({
  handle,
  formToken,
}: {
  readonly handle: string;
  readonly formToken: string;
}): Markup {
  return html`<input type="hidden" name="interaction" value="${handle}">
<input type="hidden" name="form_token" value="${formToken}">`;
}
