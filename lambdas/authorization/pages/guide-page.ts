import { html } from 'hono/html';
import type { Language } from '../../catalog/languages.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { type GuidePage, pageAddress } from '../oauth/paths.ts';
import { layout, type Markup, outsideLink } from './layout.ts';
import type { Guide } from './words/strings.ts';
import { pageText } from './words/words.ts';

/** Renders a guide: a page for everybody about sharing data with applications. */
export function guidePage(lob: LineOfBusiness, page: GuidePage, language: Language): string {
  const { title, intro, sections } = pageText[language].guides[page];
  const main = html`<h1>${title}</h1>
<p>${intro}</p>
${sections.map((each) => section(language, each))}`;
  const inLanguage = (other: Language) => pageAddress(lob, page, { language: other });
  return layout({ language, title, lob, main, inLanguage });
}

function section(language: Language, { heading, text, points, links }: Guide['sections'][number]): Markup {
  return html`<h2>${heading}</h2>
${text === undefined ? '' : html`<p>${text}</p>\n`}${points === undefined ? '' : html`<ul>${points.map((point) => html`<li>${point}</li>`)}</ul>\n`}${
  links === undefined
    ? ''
    : html`<ul>${links.map((link) => html`<li>${outsideLink(language, link.uri, link.text)}</li>`)}</ul>\n`
}`;
}
