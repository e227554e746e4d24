/** HTML layout of members' pages, with escaping. */

import { html, raw } from 'hono/html';
import { type Language, languages } from '../../catalog/languages.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { logoAddress, type PlanBrand, planBrand } from '../../catalog/plan-brand.ts';
import { guidePages, pagePath } from '../oauth/paths.ts';
import { pageStyle } from './style.ts';
import { pageText } from './words/words.ts';

/** HTML made by the template tag `html`, which escapes interpolated values. */
export type Markup = ReturnType<typeof html>;

export interface Layout {
  readonly language: Language;
  readonly title: string;
  /** LOB of the page; absent if it isn't known. */
  readonly lob?: LineOfBusiness;
  readonly main: Markup;
  /** Address of the same page in another language; absent if the page can't be loaded again. */
  readonly inLanguage?: (language: Language) => string;
  /** Whether links open in a new tab, because the member is in the middle of a flow. */
  readonly stays?: boolean;
  /** Address that the browser continues to by itself. */
  readonly continuesAt?: string;
}

/**
 * Renders a whole page around its main content.
 *
 * @param brand of the plan. @default the one of this deployment
 */
export function layout(options: Layout, brand: PlanBrand | undefined = planBrand): string {
  const { language, title, lob, main, continuesAt } = options;
  const strings = pageText[language];
  const plan = lob === undefined ? undefined : strings.plans[lob];
  const owner = plan ?? brand?.name ?? strings.owner;
  const pageOwner = plan === undefined || brand === undefined ? owner : `${plan} – ${brand.name}`;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${continuesAt === undefined ? '' : html`<meta http-equiv="refresh" content="0; url=${continuesAt}">\n`}<title>${title} – ${pageOwner}</title>
<style>${raw(pageStyle(brand))}</style>
</head>
<body>
<header>
${brand === undefined ? '' : brandMark(brand)}${brand === undefined || plan !== undefined ? html`<p>${owner}</p>\n` : ''}${languageSwitch(options)}</header>
<main>
${main}
</main>
${lob === undefined ? '' : footer(options, lob)}</body>
</html>
`;
  if (page instanceof Promise) throw new TypeError('a page has nothing to wait for');
  return page.toString();
}

/** Renders the plan's logo, or its name where it has none. */
function brandMark({ name, logo }: PlanBrand): Markup {
  const { width, height } = logo ?? {};
  const mark =
    logo === undefined
      ? name
      : html`<img src="${logoAddress(logo)}" alt="${name}" width="${width}" height="${height}">`;
  return html`<p class="brand">${mark}</p>\n`;
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

/** Renders a link to another website, which opens in a new tab and says so. */
export function outsideLink(language: Language, uri: string, text: string): Markup {
  return html`<a href="${uri}" target="_blank" rel="noopener noreferrer">${text} <small>(${pageText[language].consent.opensElsewhere})</small></a>`;
}

/** Renders the hidden fields that bind a form to this browser's interaction. */
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
